//! Page of an ask at a desk on the network, which the host opens for its user (URL elicitation). The person answers
//! there, signed in; the reply of the host only says whether it opened the page.

use super::host_dialog::{self, open_dialog};
use super::seal::FormRound;
use super::stateless::{PAGE_INPUT, RepeatedCall};
use crate::mcp::caller::McpCaller;
use crate::mcp::descriptions;
use crate::mcp::desk_client::DeskClient;
use crate::mcp::desk_client::pending_call::{self, ProgressReporter};
use crate::mcp::error::CallError;
use crate::mcp::handler::McpServer;
use crate::mcp::tools::ask::WaitResult;
use rmcp::RoleServer;
use rmcp::model::{
    CustomNotification, ElicitRequest, ElicitRequestParams, InputRequest, InputRequiredResult,
    ServerNotification,
};
use rmcp::service::RequestContext;
use sayso_core::{Ask, AskId, Problem};
use serde_json::json;
use std::collections::BTreeMap;
use std::time::Duration;
use tokio::time::Instant;

impl DeskClient {
    /// Returns the address of the page of an ask, at a desk on the network.
    fn page_address(&self, ask: AskId) -> Option<String> {
        self.setup.account.as_ref().map(|account| format!("{}/a/{ask}", account.public_url))
    }

    /// Returns the address of the page, if the caller can open it and has not yet.
    fn page_to_show(&self, ask: &Ask, caller: &McpCaller) -> Option<String> {
        let may_show = caller.has_pages && !self.dialogs.is_dismissed(ask.id);
        if may_show { self.page_address(ask.id) } else { None }
    }

    /// Returns the result that requests the page, if state can be sealed.
    fn request_page(&self, ask: AskId, url: String) -> Option<InputRequiredResult> {
        let params = ElicitRequestParams::UrlElicitationParams {
            meta: None,
            message: descriptions::PAGE_MESSAGE.to_owned(),
            url,
            elicitation_id: ask.to_string(),
        };
        let wanted =
            BTreeMap::from([(PAGE_INPUT.to_owned(), InputRequest::Elicitation(ElicitRequest::new(params)))]);
        let state = self.seal()?.seal(FormRound { ask, requested_at_ms: self.now_ms(), number: 1 });
        Some(InputRequiredResult::new(Some(wanted), Some(state)))
    }
}

/// Waits for an ask of an account on the network, and shows its page where the host can open it. No reply of a
/// host is an answer here: an asker's token answers nothing.
///
/// # Errors
/// Fails if the desk fails or the caller is gone.
pub(crate) async fn wait_with_page(
    server: &McpServer,
    ask: Ask,
    wait: Option<Duration>,
    returned: Option<RepeatedCall>,
    caller: &McpCaller,
    context: &RequestContext<RoleServer>,
) -> Result<WaitResult, CallError> {
    if ask.outcome().is_some() {
        return Ok(WaitResult::Ask(Box::new(ask)));
    }
    if returned.is_some_and(|returned| returned.reply.is_some()) {
        server.desk_client.dialogs.dismiss(ask.id);
    }
    let until = Instant::now() + caller.wait_limit(server.desk_client.setup.wait_limit, wait);
    let mut progress = ProgressReporter::new(context, &server.desk_client.setup.desk_name);
    let waits = wait != Some(Duration::ZERO);
    let page = if waits { server.desk_client.page_to_show(&ask, caller) } else { None };
    let result = match page {
        Some(url) if caller.is_modern => {
            let id = ask.id;
            let request = move |asks: &DeskClient| Ok::<_, CallError>(asks.request_page(id, url));
            match server.desk_client.run(request).await? {
                Some(request) => return Ok(WaitResult::InputRequired(Box::new(request))),
                None => pending_call::wait_until_settled(server, vec![ask.id], until, &mut progress).await,
            }
        }
        Some(url) => wait_beside_page(server, &ask, url, until, &mut progress).await,
        None => pending_call::wait_until_settled(server, vec![ask.id], until, &mut progress).await,
    };
    if !result.as_ref().is_ok_and(|ask| ask.outcome().is_some()) {
        let detach = move |asks: &DeskClient| {
            asks.detach(&ask);
            Ok::<_, Problem>(())
        };
        server.desk_client.run(detach).await?;
    }
    result.map(|ask| WaitResult::Ask(Box::new(ask)))
}

/// Waits while the host shows the page, in the versions with sessions.
async fn wait_beside_page(
    server: &McpServer,
    ask: &Ask,
    url: String,
    until: Instant,
    progress: &mut ProgressReporter<'_>,
) -> Result<Ask, CallError> {
    let context = progress.context;
    let id = ask.id.to_string();
    let params = json!({
        "mode": "url", "message": descriptions::PAGE_MESSAGE, "url": url, "elicitationId": id,
    });
    let mut handle = open_dialog(context, params).await?;
    let waiting = pending_call::wait_until_settled(server, vec![ask.id], until, progress);
    tokio::pin!(waiting);
    let settled = tokio::select! {
        biased;
        settled = &mut waiting => {
            host_dialog::close(server, handle, "the ask waits at the desk, or is settled").await;
            return settled;
        }
        _ = &mut handle.rx => {
            server.desk_client.dialogs.dismiss(ask.id);
            waiting.await
        }
    };
    if settled.as_ref().is_ok_and(|ask| ask.outcome().is_some()) {
        let params = Some(json!({ "elicitationId": id }));
        let note = CustomNotification::new("notifications/elicitation/complete", params);
        // A host that is gone needs no note.
        let _ = context.peer.send_notification(ServerNotification::CustomNotification(note)).await;
    }
    settled
}
