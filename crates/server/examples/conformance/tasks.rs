//! Tools that become tasks for clients that declare them (SEP-2663). A client without them waits in the call, where the
//! tool allows it.

use crate::contents::{read, result, text};
use crate::rounds::{self, Round, form};
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ClientCapabilities, CreateTaskResult,
    InputRequest,
};
use rmcp::service::RequestContext;
use rmcp::task_manager::{TaskContext, TaskExit, TaskManager, TaskOptions};
use rmcp::{ErrorData, RoleServer};
use serde_json::{Value, json};
use std::time::Duration;

/// Time until a tool fails.
const FAILURE_TIME: Duration = Duration::from_secs(1);

/// What a task does.
enum Job {
    /// Takes its time.
    Computation(Duration),
    /// Fails, as a tool does.
    ToolFailure,
    /// Fails, as a server does.
    ServerFailure,
    /// Asks the client's user for one thing.
    Confirmation,
    /// Asks for two at once.
    TwoInputs,
    /// Greets someone whose name was asked for before.
    Greeting(String),
}

pub(crate) fn list() -> Vec<Value> {
    let tool = |name: &str, properties: Value| {
        let schema = json!({ "type": "object", "properties": properties });
        json!({ "name": name, "description": format!("Tool of the suite: {name}"), "inputSchema": schema })
    };
    let text = json!({ "type": "string" });
    vec![
        tool("greet", json!({ "name": text })),
        tool("slow_compute", json!({ "seconds": { "type": "integer" }, "label": text })),
        tool("failing_job", json!({})),
        tool("protocol_error_job", json!({})),
        tool("confirm_delete", json!({ "filename": text })),
        tool("multi_input", json!({})),
        tool("test_tool_with_task", json!({})),
    ]
}

/// Calls a tool that has tasks; `None` for another one.
///
/// # Errors
/// Fails if the tool is always a task and the client has none.
pub(crate) async fn call(
    request: &CallToolRequestParams,
    context: &RequestContext<RoleServer>,
    tasks: &TaskManager,
) -> Result<Option<CallToolResponse>, ErrorData> {
    let argument = |name: &str| request.arguments.as_ref().and_then(|given| given.get(name));
    let job = match request.name.as_ref() {
        "slow_compute" => {
            let seconds = argument("seconds").and_then(Value::as_u64).unwrap_or_default();
            Job::Computation(Duration::from_secs(seconds))
        }
        "failing_job" => Job::ToolFailure,
        "protocol_error_job" => Job::ServerFailure,
        "confirm_delete" => Job::Confirmation,
        "multi_input" => Job::TwoInputs,
        "test_tool_with_task" => {
            let call = (request.input_responses.as_ref(), request.request_state.as_deref());
            let round = Round::new([("user_name", form("What is your name?", "name", "string"))]);
            if let Some(required) = rounds::play(&[round], true, call, context)? {
                return Ok(Some(required.into()));
            }
            let given = call.0.and_then(|given| given.get("user_name")?.pointer("/content/name")?.as_str());
            Job::Greeting(given.unwrap_or_default().to_owned())
        }
        _ => return Ok(None),
    };
    if context.client_capabilities().is_some_and(|able| able.supports_tasks()) {
        let task = tasks.spawn(TaskOptions::default(), |task| Box::pin(run(job, task)));
        return Ok(Some(CallToolResponse::Task(CreateTaskResult::new(task))));
    }
    let Job::Computation(time) = job else {
        let wanted = ClientCapabilities::builder().enable_tasks().build();
        return Err(ErrorData::missing_required_client_capability(wanted));
    };
    tokio::time::sleep(time).await;
    done("All is computed.").map(|done| Some(CallToolResponse::Complete(done)))
}

async fn run(job: Job, task: TaskContext) -> Result<CallToolResult, TaskExit> {
    match job {
        Job::Computation(time) => {
            tokio::select! {
                () = task.cancelled() => Err(TaskExit::Cancelled),
                () = tokio::time::sleep(time) => Ok(done("All is computed.")?),
            }
        }
        Job::ToolFailure => {
            tokio::time::sleep(FAILURE_TIME).await;
            Ok(result(json!({ "isError": true, "content": [text("The job failed.")] }))?)
        }
        Job::ServerFailure => Err(ErrorData::internal_error("The server failed.", None).into()),
        Job::Confirmation => {
            task.request_input("confirmation", input("Delete it?", "confirm", "boolean")?).await?;
            Ok(done("It is deleted.")?)
        }
        Job::TwoInputs => {
            let first = task.request_input("first", input("What is your name?", "name", "string")?);
            let second = task.request_input("second", input("Are you sure?", "confirm", "boolean")?);
            tokio::try_join!(first, second)?;
            Ok(done("Both are there.")?)
        }
        Job::Greeting(name) => Ok(done(&format!("Hello, {name}!"))?),
    }
}

fn input(message: &str, field: &str, kind: &str) -> Result<InputRequest, ErrorData> {
    read(form(message, field, kind))
}

fn done(words: &str) -> Result<CallToolResult, ErrorData> {
    result(json!({ "content": [text(words)] }))
}
