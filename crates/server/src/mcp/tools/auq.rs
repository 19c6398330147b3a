//! AUQ's tools `ask_user_questions` and `get_answered_questions`, with AUQ's texts, schemas and errors. Asks are
//! found, waited for and shown as those of `ask`. Arguments aren't normalized here.

use super::text_tool::{self, ParsedCall, TextTool, deliver_text, text_result};
use crate::diagnostics::log_failure;
use crate::mcp::arguments::schema::inline_refs;
use crate::mcp::caller::McpCaller;
use crate::mcp::elicitation::stateless::RepeatedCall;
use crate::mcp::error::CallError;
use crate::mcp::handler::{JsonMap, McpServer};
use crate::mcp::wait::{WaitResult, WaitingCall};
use rmcp::RoleServer;
use rmcp::model::{CallToolRequestParams, CallToolResponse, Tool};
use rmcp::service::RequestContext;
use sayso_core::LocalizedText;
use sayso_core::{Ask, Asker, Problem, ProblemCode};
use sayso_desk::Desk;
use sayso_dialects::Dialect;
use sayso_dialects::auq::{self, AuqFetchRequest, AuqLimits};
use serde_json::Value;
use std::sync::Arc;
use std::time::Duration;

/// Definition of `ask_user_questions`.
const ASK_TOOL: TextTool = TextTool {
    dialect: Dialect::Auq,
    form: "auq mcp",
    write_outcome: auq::tool_result,
    write_unanswered: auq::pending_text,
};
/// Delivery form of the results of `get_answered_questions`.
const FETCH_FORM: &str = "auq mcp later";

/// Returns the entry of an AUQ tool. References in its schema are inlined, as in the original: many hosts support
/// none.
pub(crate) fn tool_entry(tool: &Value) -> Tool {
    let text = |name: &str| tool.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
    let schema = tool.get("inputSchema").cloned().unwrap_or_default();
    let mut input = JsonMap::new();
    for name in ["$schema", "type", "required"] {
        input.extend(schema.get(name).map(|value| (name.to_owned(), value.clone())));
    }
    input.insert("properties".to_owned(), Value::Object(inline_refs::inlined_properties(&schema)));
    let annotations = tool.get("annotations").cloned().unwrap_or_default();
    let entry = Tool::new(text("name"), text("description"), Arc::new(input));
    entry.with_annotations(serde_json::from_value(annotations).unwrap_or_default())
}

pub(crate) async fn ask_user_questions(
    server: &McpServer,
    request: CallToolRequestParams,
    caller: &McpCaller,
    context: &RequestContext<RoleServer>,
) -> Result<CallToolResponse, CallError> {
    let limits = server.desk_client.setup.auq_limits;
    text_tool::ask_for_text(
        server,
        &ASK_TOOL,
        move |given| read_call(given, &limits),
        request,
        caller,
        context,
    )
    .await
}

pub(crate) async fn get_answered_questions(
    server: &McpServer,
    request: CallToolRequestParams,
    caller: &McpCaller,
    context: &RequestContext<RoleServer>,
) -> Result<CallToolResponse, CallError> {
    let repeated = RepeatedCall::from_request(&request);
    let arguments = request.arguments.unwrap_or_default();
    let who = caller.clone();
    let AuqFetchRequest { session_id, blocking } = auq::read_fetch(&Value::Object(arguments))
        .map_err(|problems| CallError::InvalidArguments(problems, Vec::new()))?;
    let found = server
        .desk_client
        .run(move |client| find_session(&*client.setup.desk, &client.asker(&who), &session_id));
    let call = WaitingCall {
        server,
        caller: &caller.with_text_results(),
        context,
        wait: (!blocking).then_some(Duration::ZERO),
        repeated,
        changes: &[],
    };
    let ask = match call.wait_for(found.await?).await? {
        WaitResult::Ask(ask) => *ask,
        WaitResult::Response(response) => return Ok(*response),
    };
    let text = server.desk_client.run(move |asks| {
        if ask.outcome().is_none() {
            let left = ask.due_at().map(|due| due.duration_since((asks.setup.now)()));
            let left = left.map(|left| Duration::try_from(left).unwrap_or_default());
            let text = auq::fetch_status_text(ask.id, &ask.request.questionnaire, None, left);
            return Ok::<_, CallError>(text);
        }
        let text = deliver_text(&*asks.setup.desk, &ask, FETCH_FORM, |id, asked, outcome| {
            auq::fetch_status_text(id, asked, Some(outcome), None)
        });
        // If the result is lost, the same id fetches it again.
        log_failure("acknowledge an answer", asks.setup.desk.ack(&ask.request.asker, ask.id));
        Ok(text)
    });
    Ok(text_result(text.await?))
}

/// Reads a call: the questions, and whether the asker waits.
///
/// # Errors
/// Returns every problem that the schema finds.
fn read_call(arguments: JsonMap, limits: &AuqLimits) -> Result<ParsedCall, CallError> {
    let request = auq::read_tool_call(&Value::Object(arguments), limits)
        .map_err(|problems| CallError::InvalidArguments(problems, Vec::new()))?;
    Ok(ParsedCall { questionnaire: request.questionnaire, waits: request.options.is_waiting })
}

/// Returns the session with this id: one of the asker's, or one that AUQ's command opened in its folder.
///
/// # Errors
/// Fails if there is none, or more than one.
fn find_session(desk: &dyn Desk, asker: &Asker, id: &str) -> Result<Ask, Problem> {
    let unknown = || {
        let words = LocalizedText::Verbatim(format!("Session not found: {id}"));
        Problem::new(ProblemCode::AskNotFound, words)
    };
    let found = desk.find(id).and_then(|id| desk.get(id));
    match found {
        Ok(ask) if ask.request.dialect == Dialect::Auq.name() && ask.request.asker.folder == asker.folder => {
            Ok(ask)
        }
        Ok(_) => Err(unknown()),
        Err(problem) if problem.code == ProblemCode::AskNotFound => Err(unknown()),
        Err(problem) => Err(problem),
    }
}
