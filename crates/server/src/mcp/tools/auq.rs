//! AUQ's tools `ask_user_questions` and `get_answered_questions`, with AUQ's texts, schemas and errors. Asks are
//! found, waited for and shown as those of `ask`. Arguments aren't normalized here.

use super::text_tool::{self, ParsedCall, TextTool, deliver_text, text_result};
use crate::diagnostics::log_failure;
use crate::mcp::McpConfig;
use crate::mcp::arguments::schema::inline_refs;
use crate::mcp::caller::McpCaller;
use crate::mcp::elicitation::stateless::RepeatedCall;
use crate::mcp::error::CallError;
use crate::mcp::result::JsonMap;
use crate::mcp::server::McpServer;
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
    let name = text_member(tool, "name");
    let description = text_member(tool, "description");
    let schema = tool.get("inputSchema").cloned().unwrap_or_default();
    let mut input = JsonMap::new();
    for name in ["$schema", "type", "required"] {
        if let Some(value) = schema.get(name) {
            input.insert(name.to_owned(), value.clone());
        }
    }
    input.insert("properties".to_owned(), Value::Object(inline_refs::inlined_properties(&schema)));
    let annotations = tool.get("annotations").cloned().unwrap_or_default();
    let entry = Tool::new(name, description, Arc::new(input));
    entry.with_annotations(serde_json::from_value(annotations).unwrap_or_default())
}

/// Returns the text of a member, or none.
fn text_member(tool: &Value, name: &str) -> String {
    match tool.get(name) {
        Some(Value::String(text)) => text.clone(),
        _ => String::new(),
    }
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
        move |arguments| read_call(arguments, &limits),
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
    let AuqFetchRequest { session_id, blocking } =
        auq::read_fetch(&Value::Object(arguments)).map_err(CallError::from_problems)?;
    let find_call = server
        .desk_client
        .run(move |client| find_session(&*client.setup.desk, &client.asker(&who), &session_id));
    let ask = find_call.await?;
    let call = WaitingCall {
        server,
        caller: &caller.with_text_results(),
        context,
        wait: if blocking { None } else { Some(Duration::ZERO) },
        repeated,
        changes: &[],
    };
    let ask = match call.wait_for(ask).await? {
        WaitResult::Ask(ask) => *ask,
        WaitResult::Response(response) => return Ok(*response),
    };
    let fetch_call =
        server.desk_client.run(move |client| Ok::<_, CallError>(fetch_text(&client.setup, &ask)));
    Ok(text_result(fetch_call.await?))
}

/// Returns the text about an ask. A settled one is acknowledged: if the result is lost, the same id fetches it again.
fn fetch_text(setup: &McpConfig, ask: &Ask) -> String {
    if ask.outcome().is_none() {
        let now = (setup.now)();
        let remaining_time =
            ask.due_at().map(|due| Duration::try_from(due.duration_since(now)).unwrap_or_default());
        return auq::fetch_status_text(ask.id, &ask.request.questionnaire, None, remaining_time);
    }
    let text = deliver_text(&*setup.desk, ask, FETCH_FORM, |id, questionnaire, outcome| {
        auq::fetch_status_text(id, questionnaire, Some(outcome), None)
    });
    log_failure("acknowledge an answer", setup.desk.ack(&ask.request.asker, ask.id));
    text
}

/// Reads a call: the questions, and whether the asker waits.
///
/// # Errors
/// Returns every problem that the schema finds.
fn read_call(arguments: JsonMap, limits: &AuqLimits) -> Result<ParsedCall, CallError> {
    let request = auq::read_tool_call(&Value::Object(arguments), limits).map_err(CallError::from_problems)?;
    Ok(ParsedCall { questionnaire: request.questionnaire, waits: request.options.is_waiting })
}

/// Returns the session with this id: one of the asker's, or one that AUQ's command opened in its folder.
///
/// # Errors
/// Fails if there is none, or more than one.
fn find_session(desk: &dyn Desk, asker: &Asker, id: &str) -> Result<Ask, Problem> {
    match desk.find(id).and_then(|id| desk.get(id)) {
        Ok(ask) if ask.request.dialect == Dialect::Auq.name() && ask.request.asker.folder == asker.folder => {
            return Ok(ask);
        }
        Err(problem) if problem.code != ProblemCode::AskNotFound => return Err(problem),
        Ok(_) | Err(_) => {}
    }
    let message = LocalizedText::Verbatim(format!("Session not found: {id}"));
    Err(Problem::new(ProblemCode::AskNotFound, message))
}
