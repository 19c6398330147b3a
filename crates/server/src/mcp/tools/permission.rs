//! Tool `permission`: Claude Code's permission prompt tool, for runs without a dialog (`claude -p`).
//!
//! **Invariant:** such an ask ends with its call, unlike every other: an approval would reach no one.

use crate::diagnostics::{log_failure, record_ask};
use crate::mcp::caller::DIALOG_WAIT_MAX;
use crate::mcp::descriptions;
use crate::mcp::desk_client::DeskClient;
use crate::mcp::desk_client::pending_call::{self, ProgressReporter};
use crate::mcp::error::CallError;
use crate::mcp::result::JsonMap;
use crate::mcp::server::McpServer;
use crate::mcp::tools::text_tool::text_result;
use rmcp::RoleServer;
use rmcp::model::{CallToolResponse, CallToolResult, ContentBlock, Tool, ToolAnnotations};
use rmcp::service::RequestContext;
use sayso_core::{Ask, CancelReason, NewAsk, Problem};
use sayso_desk::hook_asks::{cancel_abandoned_hook_asks, cancel_hook_ask, cancel_hook_asks};
use sayso_desk::{Desk, local_files, process};
use sayso_dialects::hook::{self, HookContext, HookHost, HookRequest, HookSession};
use serde_json::{Value, json};
use std::sync::Arc;
use tokio::time::Instant;

/// Name of the tool.
pub(crate) const PERMISSION: &str = "permission";
/// Delivery form of its results.
const FORM: &str = "permission mcp";
/// Prefix of the tools of a server of ours. What they ask a person needs no second prompt.
const OWN_TOOLS: &str = "mcp__sayso__";

/// Opens the ask of a call; `None` if its arguments have no place at a desk.
///
/// # Errors
/// Fails if the desk can't store it.
fn open_ask(client: &DeskClient, arguments: &JsonMap) -> Result<Option<(HookRequest, Ask)>, Problem> {
    let setup = &client.setup;
    let session = HookSession {
        id: setup.session.clone().unwrap_or_default(),
        folder: setup.folder.clone(),
        agent: None,
    };
    let context = HookContext { file_state: &local_files::file_state };
    let Some(request) = hook::read_permission_prompt(arguments, session, context) else {
        return Ok(None);
    };
    let process = Some(process::current_process());
    let new_ask = NewAsk { process, ..request.new_ask(HookHost::ClaudeCode) };
    let ask = setup.desk.open(None, new_ask)?.into_ask();
    client.open_permissions.insert(ask.id);
    cancel_abandoned_hook_asks(setup.desk.as_ref(), &ask.request.asker, ask.id)?;
    // The hook of the same program steps back, whichever came first.
    cancel_hook_asks(setup.desk.as_ref(), CancelReason::GivenBack, |other| {
        hook::is_same_call(other, &ask) && !hook::is_of_prompt_tool(other)
    })?;
    Ok(Some((request, ask)))
}

/// Returns the tool's entry in the list.
pub(crate) fn tool_entry(hints: ToolAnnotations) -> Tool {
    let schema = json!({
        "type": "object",
        "properties": {
            "tool_name": { "type": "string" },
            "input": { "type": "object" },
            "tool_use_id": { "type": "string" }
        },
        "required": ["tool_name", "input"]
    });
    let schema = schema.as_object().cloned().unwrap_or_default();
    Tool::new(PERMISSION, descriptions::PERMISSION, Arc::new(schema))
        .with_title("Permission")
        .with_annotations(hints)
}

pub(crate) async fn permission(
    server: &McpServer,
    arguments: JsonMap,
    context: &RequestContext<RoleServer>,
) -> Result<CallToolResponse, CallError> {
    if let Some(input) = own_input(&arguments) {
        return Ok(text_result(json!({ "behavior": "allow", "updatedInput": input }).to_string()));
    }
    let open_call = server.desk_client.run(move |client| open_ask(client, &arguments));
    let Some((request, ask)) = open_call.await? else { return Ok(no_decision()) };
    record_ask(ask.id);
    let until = Instant::now() + server.desk_client.setup.wait_limit.unwrap_or(DIALOG_WAIT_MAX);
    let mut progress = ProgressReporter::new(context, &server.desk_client.setup.desk_name);
    let result = pending_call::wait_until_settled(server, vec![ask.id], until, &mut progress).await;
    let is_settled = matches!(&result, Ok(ask) if ask.outcome().is_some());
    let end_call = server.desk_client.run(move |client| {
        if !is_settled {
            cancel_hook_ask(client.setup.desk.as_ref(), &ask, CancelReason::SessionEnded)?;
        }
        client.open_permissions.remove(ask.id);
        Ok::<_, Problem>(())
    });
    end_call.await?;
    let ask = result?;
    let deliver_call = server
        .desk_client
        .run(move |client| Ok::<_, CallError>(deliver_decision(&*client.setup.desk, &request, &ask)));
    match deliver_call.await? {
        Some(decision) => Ok(text_result(decision)),
        None => Ok(no_decision()),
    }
}

/// Returns the input of a call of our own tools.
fn own_input(arguments: &JsonMap) -> Option<Value> {
    if !arguments.get("tool_name")?.as_str()?.starts_with(OWN_TOOLS) {
        return None;
    }
    Some(arguments.get("input").cloned().unwrap_or_default())
}

/// Returns the result if no person decided: an error, since the program has no dialog to fall back on.
fn no_decision() -> CallToolResponse {
    CallToolResult::error(vec![ContentBlock::text(descriptions::NO_DECISION)]).into()
}

/// Returns the decision about a settled ask, the same each time, and acknowledges it; `None` if no person decided.
fn deliver_decision(desk: &dyn Desk, request: &HookRequest, ask: &Ask) -> Option<String> {
    let decision = hook::write_permission_result(request, ask.outcome()?)?;
    let render = |_: &Ask| decision.clone().into_bytes();
    log_failure("offer a decision", desk.offer(&ask.request.asker, ask, FORM, &render));
    log_failure("acknowledge a decision", desk.ack(&ask.request.asker, ask.id));
    Some(decision)
}
