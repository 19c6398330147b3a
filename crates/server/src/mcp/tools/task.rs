//! Asks as tasks (SEP-2663), for hosts that poll: a task is its ask, so it is as durable.

use crate::mcp::caller::McpCaller;
use crate::mcp::descriptions;
use crate::mcp::error::CallError;
use crate::mcp::result::JsonMap;
use crate::mcp::server::McpServer;
use rmcp::ErrorData;
use rmcp::model::{
    CallToolResponse, CallToolResult, CreateTaskResult, DetailedTask, GetTaskResult, Task, TaskPayload,
    TaskStatus,
};
use sayso_core::{Ask, Outcome, Problem, ProblemCode};
use serde_json::Value;

/// Interval at which a host shall poll: a person takes seconds at least.
const POLL_INTERVAL_MS: u64 = 3_000;

/// Returns the response of a call whose ask is open.
pub(crate) fn task_response(ask: &Ask) -> CallToolResponse {
    CallToolResponse::Task(CreateTaskResult::new(task(ask)))
}

/// Returns the task of an ask. It has no end of its own: the desk keeps it as long as the ask.
fn task(ask: &Ask) -> Task {
    let created_at = ask.request.created_at.to_string();
    let changed_at = ask.state.changed_at.to_string();
    Task::new(ask.id.to_string(), TaskStatus::Working, created_at, changed_at)
        .with_status_message(descriptions::TASK_WAITS)
        .with_poll_interval_ms(POLL_INTERVAL_MS)
}

/// Returns the state of a task.
///
/// # Errors
/// Fails if the caller has no such task, or the desk fails.
pub(crate) async fn task_state(
    server: &McpServer,
    id: String,
    caller: &McpCaller,
) -> Result<GetTaskResult, ErrorData> {
    let who = caller.clone();
    let desk_call = server.desk_client.run(move |client| {
        let ask = client.own_ask(&client.asker(&who), &id)?;
        let result = client.describe(&ask);
        Ok::<_, Problem>((ask, result))
    });
    let (ask, result) = desk_call.await.map_err(task_error)?;
    let payload = match ask.outcome() {
        Some(Outcome::Cancelled { .. }) => TaskPayload::Cancelled,
        Some(_) => TaskPayload::Completed { result: tool_result(result) },
        None => TaskPayload::Working,
    };
    let mut task = task(&ask);
    if ask.outcome().is_some() {
        task.status_message = None;
    }
    Ok(GetTaskResult::new(DetailedTask::new(task, payload)))
}

/// Cancels the ask of a task, unless it was settled before.
///
/// # Errors
/// Fails if the caller has no such task, or the desk fails.
pub(crate) async fn end_task(server: &McpServer, id: String, caller: &McpCaller) -> Result<(), ErrorData> {
    let who = caller.clone();
    let desk_call = server.desk_client.run(move |client| client.cancel(&client.asker(&who), &id).map(drop));
    desk_call.await.map_err(task_error)
}

/// Returns the result of the call, as it would have been without a task.
fn tool_result(result: JsonMap) -> JsonMap {
    let result = serde_json::to_value(CallToolResult::structured(Value::Object(result)));
    match result {
        Ok(Value::Object(members)) => members,
        _ => JsonMap::new(),
    }
}

fn task_error(error: CallError) -> ErrorData {
    match error {
        CallError::Desk(problem) if problem.code == ProblemCode::AskNotFound => {
            ErrorData::invalid_params("Task not found", None)
        }
        error => error.to_protocol_error(),
    }
}
