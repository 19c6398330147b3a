//! Page of an ask at a desk on the network, which the host opens for its user (URL elicitation). The person answers
//! there, signed in; the reply of the host only says whether it opened the page.

use super::host_dialog::{self, open_dialog};
use crate::mcp::caller::McpCaller;
use crate::mcp::descriptions;
use crate::mcp::desk_client::pending_call::{self, ProgressReporter};
use crate::mcp::error::CallError;
use crate::mcp::server::McpServer;
use rmcp::model::{CustomNotification, ServerNotification};
use sayso_core::Ask;
use serde_json::json;
use tokio::time::Instant;

/// Returns the address of the page of an ask at a desk on the network, if the caller can open it and has not yet.
pub(crate) fn page_to_show(server: &McpServer, ask: &Ask, caller: &McpCaller) -> Option<String> {
    let account = server.desk_client.setup.account.as_ref()?;
    if !caller.has_pages || server.desk_client.dialogs.is_dismissed(ask.id) {
        return None;
    }
    Some(format!("{}/a/{}", account.public_url, ask.id))
}

/// Waits while the host shows the page, in the versions with sessions.
///
/// # Errors
/// Fails if the desk fails or the caller is gone.
pub(crate) async fn wait_beside_page(
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
    let wait = pending_call::wait_until_settled(server, vec![ask.id], until, progress);
    tokio::pin!(wait);
    let result = tokio::select! {
        biased;
        result = &mut wait => {
            host_dialog::close(server, handle, "the ask waits at the desk, or is settled").await;
            return result;
        }
        _ = &mut handle.rx => {
            server.desk_client.dialogs.dismiss(ask.id);
            wait.await
        }
    };
    if let Ok(ask) = &result
        && ask.outcome().is_some()
    {
        let params = Some(json!({ "elicitationId": id }));
        let note = CustomNotification::new("notifications/elicitation/complete", params);
        // A host that is gone needs no note.
        let _ = context.peer.send_notification(ServerNotification::CustomNotification(note)).await;
    }
    result
}
