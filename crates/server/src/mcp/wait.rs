//! Waits of a call: here alone it is chosen how a call waits for its ask.

use super::caller::McpCaller;
use super::desk_client::pending_call::{self, ProgressReporter};
use super::elicitation::form::HostForm;
use super::elicitation::response::InvalidInput;
use super::elicitation::seal::FormRound;
use super::elicitation::stateless::{self, InputToRequest, RepeatedCall, RepeatedCallEffect};
use super::elicitation::{host_dialog, page};
use super::error::CallError;
use super::server::McpServer;
use super::tools::{form_answer, task};
use crate::diagnostics::record_ask;
use rmcp::RoleServer;
use rmcp::model::{CallToolResponse, InputRequiredResult};
use rmcp::service::RequestContext;
use sayso_core::{Ask, AskId, Problem};
use std::time::Duration;
use tokio::time::Instant;

/// Call that waits for one ask.
pub(super) struct WaitingCall<'c> {
    pub(super) server: &'c McpServer,
    /// Caller, with the features of its host that the tool can use.
    pub(super) caller: &'c McpCaller,
    pub(super) context: &'c RequestContext<RoleServer>,
    /// Longest wait that the caller wants.
    pub(super) wait: Option<Duration>,
    /// State and reply, if the host repeats the call.
    pub(super) repeated: Option<RepeatedCall>,
    /// Changes made to the arguments.
    pub(super) changes: &'c [String],
}

/// End of a wait.
pub(super) enum WaitResult {
    /// The ask, settled or still open.
    Ask(Box<Ask>),
    /// The call ends with a response of another form, and the host calls again.
    Response(Box<CallToolResponse>),
}

/// Way in which a call waits for an open ask.
enum WaitMethod {
    /// The call ends with the ask, and the host shows its page in the conversation.
    ConversationPage,
    /// The call ends with a task, which the host polls.
    Task,
    /// The call ends with a form, and the host repeats it with the reply.
    RequestForm(HostForm),
    /// The call ends with the address of a page, and the host repeats it once its user has opened that.
    RequestPage(String),
    /// The call waits beside a form in the host's dialog.
    Dialog(HostForm),
    /// The call waits beside the page, which the host opens.
    OpenedPage(String),
    /// The call waits at the desk alone.
    Desk,
}

impl WaitMethod {
    fn choose(call: &WaitingCall<'_>, ask: &Ask) -> Self {
        let caller = call.caller;
        let client = &call.server.desk_client;
        if caller.has_apps {
            return Self::ConversationPage;
        }
        // A caller that doesn't wait shows no form either.
        if call.wait == Some(Duration::ZERO) {
            return Self::Desk;
        }
        if caller.has_tasks {
            return Self::Task;
        }
        if client.setup.account.is_some() {
            return match page::page_to_show(call.server, ask, caller) {
                Some(url) if caller.is_modern => Self::RequestPage(url),
                Some(url) => Self::OpenedPage(url),
                None => Self::Desk,
            };
        }
        match client.dialogs.form_for(ask, caller) {
            Some(form) if caller.is_modern => Self::RequestForm(form),
            Some(form) => Self::Dialog(form),
            None => Self::Desk,
        }
    }
}

impl WaitingCall<'_> {
    /// Waits for an ask by the means that the caller supports.
    ///
    /// # Errors
    /// Fails if the desk fails or the caller is gone.
    pub(super) async fn wait_for(mut self, ask: Ask) -> Result<WaitResult, CallError> {
        record_ask(ask.id);
        let mut round = 1;
        let mut last = InvalidInput::default();
        if let Some(repeated) = self.repeated.take() {
            match stateless::apply_repeated_call(self.server, &ask, repeated).await? {
                RepeatedCallEffect::Settled(ask) => return Ok(WaitResult::Ask(ask)),
                RepeatedCallEffect::Open(next, input) => {
                    round = next;
                    last = input;
                }
            }
        }
        if ask.outcome().is_some() {
            return Ok(WaitResult::Ask(Box::new(ask)));
        }
        let input = match WaitMethod::choose(&self, &ask) {
            WaitMethod::ConversationPage => {
                let page = form_answer::show_in_page(self.server, ask, self.changes).await?;
                return Ok(WaitResult::Response(Box::new(page)));
            }
            WaitMethod::Task => return Ok(WaitResult::Response(Box::new(task::task_response(&ask)))),
            WaitMethod::RequestForm(form) => InputToRequest::from_form(&last.next_form(&form)),
            WaitMethod::RequestPage(url) => Some(InputToRequest::from_page(ask.id, url)),
            WaitMethod::Dialog(form) => return self.wait_in_dialog(ask, &form).await,
            WaitMethod::OpenedPage(url) => return self.wait_beside_page(ask, url).await,
            WaitMethod::Desk => None,
        };
        if let Some(input) = input
            && let Some(request) = self.request_input(ask.id, round, input).await?
        {
            return Ok(WaitResult::Response(Box::new(request.into())));
        }
        self.wait_at_desk(ask).await
    }

    /// Returns the result that requests input from the host, if state can be sealed.
    async fn request_input(
        &self,
        ask: AskId,
        number: u64,
        input: InputToRequest,
    ) -> Result<Option<InputRequiredResult>, CallError> {
        // The key of the seal may have to be read from a file.
        let desk_call = self.server.desk_client.run(move |client| {
            let round = FormRound { ask, requested_at_ms: client.setup.now_ms(), number };
            Ok::<_, CallError>(client.seal().map(|seal| input.into_result(seal, round)))
        });
        desk_call.await
    }

    async fn wait_in_dialog(self, ask: Ask, form: &HostForm) -> Result<WaitResult, CallError> {
        // The time in a dialog counts as well: the host's timeout covers the whole call.
        let started_at = Instant::now();
        let configured = self.server.desk_client.setup.wait_limit;
        let mut progress = self.progress();
        let until = started_at + self.caller.dialog_wait_limit(configured, self.wait);
        if let Some(ask) = host_dialog::ask_in_dialog(self.server, &ask, form, until, &mut progress).await? {
            return Ok(WaitResult::Ask(Box::new(ask)));
        }
        let until = started_at + self.caller.wait_limit(configured, self.wait);
        let ask = pending_call::wait_until_settled(self.server, vec![ask.id], until, &mut progress).await?;
        Ok(WaitResult::Ask(Box::new(ask)))
    }

    async fn wait_beside_page(self, ask: Ask, url: String) -> Result<WaitResult, CallError> {
        let until = self.end();
        let result = page::wait_beside_page(self.server, &ask, url, until, &mut self.progress()).await;
        self.end_wait(ask, result).await
    }

    async fn wait_at_desk(self, ask: Ask) -> Result<WaitResult, CallError> {
        let ids = vec![ask.id];
        let result =
            pending_call::wait_until_settled(self.server, ids, self.end(), &mut self.progress()).await;
        self.end_wait(ask, result).await
    }

    /// Records at the desk that nobody waits for an open ask any more.
    async fn end_wait(self, ask: Ask, result: Result<Ask, CallError>) -> Result<WaitResult, CallError> {
        let is_settled = matches!(&result, Ok(ask) if ask.outcome().is_some());
        if !is_settled {
            let desk_call = self.server.desk_client.run(move |client| {
                client.setup.detach(&ask);
                Ok::<_, Problem>(())
            });
            desk_call.await?;
        }
        Ok(WaitResult::Ask(Box::new(result?)))
    }

    /// Returns when the call ends.
    fn end(&self) -> Instant {
        Instant::now() + self.caller.wait_limit(self.server.desk_client.setup.wait_limit, self.wait)
    }

    fn progress(&self) -> ProgressReporter<'_> {
        ProgressReporter::new(self.context, &self.server.desk_client.setup.desk_name)
    }
}
