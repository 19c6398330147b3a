//! Tools of other formats that ask: they return one text, and have no parameter to confirm it. Their asks are found,
//! waited for and shown as those of `ask`.

use super::implicit_ack;
use crate::diagnostics::log_failure;
use crate::mcp::caller::McpCaller;
use crate::mcp::desk_client::opening::ToolAsk;
use crate::mcp::elicitation::stateless::RepeatedCall;
use crate::mcp::error::CallError;
use crate::mcp::result::JsonMap;
use crate::mcp::server::McpServer;
use crate::mcp::wait::{WaitResult, WaitingCall};
use rmcp::RoleServer;
use rmcp::model::{CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock};
use rmcp::service::RequestContext;
use sayso_core::{Ask, AskId, Outcome, Questionnaire};
use sayso_desk::Desk;
use sayso_dialects::Dialect;
use std::time::Duration;

/// Definition of such a tool.
pub(crate) struct TextTool {
    pub(crate) dialect: Dialect,
    /// Delivery form of its results.
    pub(crate) form: &'static str,
    pub(crate) write_outcome: fn(AskId, &Questionnaire, &Outcome) -> String,
    pub(crate) write_unanswered: fn(AskId, &Questionnaire) -> String,
}

/// Parsed arguments of a call.
pub(crate) struct ParsedCall {
    pub(crate) questionnaire: Questionnaire,
    /// The call waits for the answer.
    pub(crate) waits: bool,
}

/// Opens the ask that `read` finds in the arguments, and waits by the means that the caller supports.
///
/// # Errors
/// Returns the problems that `read` finds. Fails if the desk fails or the caller is gone.
pub(crate) async fn ask_for_text(
    server: &McpServer,
    tool: &'static TextTool,
    read: impl FnOnce(JsonMap) -> Result<ParsedCall, CallError> + Send + 'static,
    request: CallToolRequestParams,
    caller: &McpCaller,
    context: &RequestContext<RoleServer>,
) -> Result<CallToolResponse, CallError> {
    let repeated = RepeatedCall::from_request(&request);
    let arguments = request.arguments.unwrap_or_default();
    let who = caller.clone();
    let open_call = server.desk_client.run(move |client| {
        let ParsedCall { questionnaire, waits } = read(arguments)?;
        let tool_ask =
            ToolAsk { dialect: tool.dialect, questionnaire, key: None, time_limit_ms: None, audience: None };
        let ask = client.resume_or_open(&who, repeated.as_ref(), &tool_ask)?;
        Ok::<_, CallError>((ask, waits, repeated))
    });
    let (ask, waits, repeated) = open_call.await?;
    let call = WaitingCall {
        server,
        caller: &caller.with_text_results(),
        context,
        wait: if waits { None } else { Some(Duration::ZERO) },
        repeated,
        changes: &[],
    };
    let ask = match call.wait_for(ask).await? {
        WaitResult::Ask(ask) => *ask,
        WaitResult::Response(response) => return Ok(*response),
    };
    if ask.outcome().is_none() {
        return Ok(text_result((tool.write_unanswered)(ask.id, &ask.request.questionnaire)));
    }
    let id = ask.id;
    let text = server.desk_client.run(move |client| {
        Ok::<_, CallError>(deliver_text(&*client.setup.desk, &ask, tool.form, tool.write_outcome))
    });
    let text = text.await?;
    if context.ct.is_cancelled() {
        return Err(CallError::CallerGone); // not delivered: no one reads the result
    }
    implicit_ack::record_answer(server, id, caller.thread_id.clone());
    Ok(text_result(text))
}

/// Returns a result with one text.
pub(crate) fn text_result(text: String) -> CallToolResponse {
    let mut result = CallToolResult::success(vec![ContentBlock::text(text)]);
    // The originals set the flag for errors only.
    result.is_error = None;
    result.into()
}

/// Returns the text of a settled ask, the same each time.
pub(crate) fn deliver_text(
    desk: &dyn Desk,
    ask: &Ask,
    form: &'static str,
    write: impl Fn(AskId, &Questionnaire, &Outcome) -> String,
) -> String {
    let render = |ask: &Ask| match ask.outcome() {
        Some(outcome) => write(ask.id, &ask.request.questionnaire, outcome).into_bytes(),
        None => Vec::new(),
    };
    // A stored answer is returned even if the desk can't be written.
    let bytes = match desk.offer(&ask.request.asker, ask, form, &render) {
        Ok(bytes) => bytes,
        Err(problem) => {
            log_failure("offer an outcome", Err::<(), _>(problem));
            render(ask)
        }
    };
    String::from_utf8_lossy(&bytes).into_owned()
}
