//! Tool `ask`: takes questions, and returns the ask in its state at the end of the call.

use super::pending::{self, add_changes};
use super::{form_answer, task};
use crate::diagnostics::record_ask;
use crate::mcp::caller::McpCaller;
use crate::mcp::desk_client::pending_call::{self, ProgressReporter};
use crate::mcp::desk_client::{DeskClient, ToolAsk};
use crate::mcp::elicitation::response::InvalidInput;
use crate::mcp::elicitation::stateless::{self, RepeatedCall, RepeatedCallEffect};
use crate::mcp::elicitation::{host_dialog, page};
use crate::mcp::error::CallError;
use crate::mcp::handler::{JsonMap, McpServer, structured_result};
use crate::mcp::normalization::ArgumentNormalizer;
use crate::mcp::schema::{self, validation};
use rmcp::RoleServer;
use rmcp::model::{CallToolRequestParams, CallToolResponse, InputRequiredResult};
use rmcp::service::RequestContext;
use sayso_core::LocalizedText;
use sayso_core::{Ask, DocumentPath, Problem, ProblemCode};
use sayso_desk::check_key;
use sayso_dialects::{Dialect, DialectLimits};
use serde_json::Value;
use std::time::Duration;
use tokio::time::Instant;

/// Arguments other than the questionnaire.
#[derive(Debug, Default)]
pub(crate) struct CallOptions {
    pub(crate) key: Option<String>,
    pub(crate) timeout: Option<String>,
    pub(crate) max_wait: Option<Duration>,
    pub(crate) received: Vec<String>,
    pub(crate) ask_id: Option<String>,
    pub(crate) audience: Option<Vec<String>>,
}

impl CallOptions {
    /// Takes those arguments out of the others, if the tool's schema has them. Returns the valid ones and the
    /// problems of the rest.
    pub(crate) fn extract(schema: &JsonMap, given: &mut JsonMap) -> (Self, Vec<Problem>) {
        let known = schema.get("properties").and_then(Value::as_object);
        let mut take = |name: &str| {
            let is_known = known.is_some_and(|known| known.contains_key(name));
            if is_known { given.shift_remove(name).filter(|value| !value.is_null()) } else { None }
        };
        let mut problems = Vec::new();
        let [key, timeout, ask_id] = ["key", "timeout", "ask_id"].map(|name| match take(name)? {
            Value::String(text) => Some(text),
            _ => {
                problems.push(invalid_type(name, "This is a text."));
                None
            }
        });
        let max_wait = take("max_wait_s").and_then(|value| {
            let seconds = value.as_f64().and_then(|it| Duration::try_from_secs_f64(it).ok());
            if seconds.is_none() {
                problems.push(invalid_type("max_wait_s", "This is a number of seconds, 0 or more."));
            }
            seconds
        });
        let audience = take("for").map(serde_json::from_value).transpose().unwrap_or_else(|_| {
            problems.push(invalid_type("for", "This is a list of accounts and groups."));
            None
        });
        let received = take("received").map(serde_json::from_value).transpose().unwrap_or_else(|_| {
            problems.push(invalid_type("received", "This is a list of ask_ids."));
            None
        });
        let received = received.unwrap_or_default();
        (Self { key, timeout, max_wait, received, ask_id, audience }, problems)
    }
}

fn invalid_type(name: &str, message: &str) -> Problem {
    Problem::new(ProblemCode::InvalidType, LocalizedText::Verbatim(message.to_owned()))
        .at(DocumentPath::root().join(name))
}

pub(crate) async fn ask(
    server: &McpServer,
    request: CallToolRequestParams,
    caller: &McpCaller,
    context: &RequestContext<RoleServer>,
) -> Result<CallToolResponse, CallError> {
    let returned = RepeatedCall::from_request(&request);
    let resumed = returned.clone();
    let given = request.arguments.unwrap_or_default();
    let mut mending = ArgumentNormalizer::default();
    let mut given = mending.normalize(given);
    let who = caller.clone();
    let work = move |asks: &DeskClient| -> Result<(Ask, Option<Duration>, Vec<String>), CallError> {
        let (options, problems) = CallOptions::extract(schema::ask_input(), &mut given);
        let asker = asks.asker(&who);
        let (tool_ask, mut changes) =
            parse_ask(asks.setup.parse_time_limit, given, &options, problems, mending)?;
        // Confirmed before opening, so that the same question can be asked again.
        changes.extend(asks.acknowledge_received(&asker, &options.received)?);
        let ask = asks.resume_or_open(&who, resumed.as_ref(), &tool_ask)?;
        Ok((ask, options.max_wait, changes))
    };
    let (ask, wait, changes) = server.desk_client.run(work).await?;
    if caller.has_apps && ask.outcome().is_none() {
        // The page shows what is in the result: it begins when the call ends.
        record_ask(ask.id);
        return form_answer::show_in_page(server, ask, &changes).await;
    }
    if caller.has_tasks && wait != Some(Duration::ZERO) && ask.outcome().is_none() {
        return Ok(task::task_response(&ask));
    }
    let ask = match wait_for_ask(server, ask, wait, returned, caller, context).await? {
        WaitResult::Ask(ask) => *ask,
        WaitResult::InputRequired(form) => return Ok((*form).into()),
    };
    let mut result = pending::show_ask(server, ask).await?;
    add_changes(&mut result, &changes);
    Ok(structured_result(result))
}

/// Waits for an ask by the means that the caller supports.
///
/// # Errors
/// Fails if the desk fails or the caller is gone.
pub(crate) async fn wait_for_ask(
    server: &McpServer,
    ask: Ask,
    wait: Option<Duration>,
    returned: Option<RepeatedCall>,
    caller: &McpCaller,
    context: &RequestContext<RoleServer>,
) -> Result<WaitResult, CallError> {
    record_ask(ask.id);
    if server.desk_client.setup.account.is_some() {
        return page::wait_with_page(server, ask, wait, returned, caller, context).await;
    }
    let result = |ask: Ask| Ok(WaitResult::Ask(Box::new(ask)));
    let started_at = Instant::now();
    let (mut number, mut last) = (1, InvalidInput::default());
    if let Some(returned) = returned {
        match stateless::apply_repeated_call(server, &ask, returned).await? {
            RepeatedCallEffect::Settled(ask) => return result(*ask),
            RepeatedCallEffect::Open(next, input) => (number, last) = (next, input),
        }
    }
    if ask.outcome().is_some() {
        return result(ask);
    }
    let set = server.desk_client.setup.wait_limit;
    let mut progress = ProgressReporter::new(context, &server.desk_client.setup.desk_name);
    // A caller that doesn't wait shows no form either.
    let waits = wait != Some(Duration::ZERO);
    let form = if waits { server.desk_client.dialogs.form_for(&ask, caller) } else { None };
    if let Some(form) = form {
        if caller.is_modern {
            let shown = ask.id;
            let round =
                move |asks: &DeskClient| Ok::<_, CallError>(asks.request_form(shown, &form, number, &last));
            if let Some(form) = server.desk_client.run(round).await? {
                return Ok(WaitResult::InputRequired(Box::new(form)));
            }
        } else {
            let until = started_at + caller.dialog_wait_limit(set, wait);
            if let Some(ask) = host_dialog::ask_in_dialog(server, &ask, &form, until, &mut progress).await? {
                return result(ask);
            }
        }
    }
    // The time in a dialog counts as well: the host's timeout covers the whole call.
    let until = started_at + caller.wait_limit(set, wait);
    result(pending_call::wait_until_settled(server, vec![ask.id], until, &mut progress).await?)
}

/// Result of waiting for an ask.
pub(crate) enum WaitResult {
    /// The ask, settled or still open.
    Ask(Box<Ask>),
    /// Request to show a form and call again.
    InputRequired(Box<InputRequiredResult>),
}

/// Reads the arguments as a questionnaire, and returns the changes made to them.
fn parse_ask(
    time_limit: fn(&str) -> Result<i64, Problem>,
    given: JsonMap,
    options: &CallOptions,
    mut wrong: Vec<Problem>,
    normalizer: ArgumentNormalizer,
) -> Result<(ToolAsk, Vec<String>), CallError> {
    let mut changes = normalizer.changes;
    let read =
        |given: JsonMap| Dialect::Sayso.read(&Value::Object(given).to_string(), &DialectLimits::default());
    let misshapen = validation::shape_problems(schema::ask_input(), &given);
    let read = if misshapen.is_empty() {
        read(given)
    } else {
        let more = validation::with_placeholders(&given, &misshapen).and_then(|filled| read(filled).err());
        let is_ours =
            |problem: &Problem| misshapen.iter().any(|ours| problem.path.0.starts_with(&ours.path.0));
        let more: Vec<_> = more.into_iter().flatten().filter(|problem| !is_ours(problem)).collect();
        Err([misshapen, more].concat())
    };
    let read = read.map_err(|problems| validation::with_hints(schema::ask_input(), problems));
    let time_limit_ms = options.timeout.as_deref().map(time_limit).transpose().unwrap_or_else(|problem| {
        wrong.push(problem.at(DocumentPath::root().join("timeout")));
        None
    });
    if let Some(Err(problem)) = options.key.as_deref().map(check_key) {
        wrong.push(problem.at(DocumentPath::root().join("key")));
    }
    let read = match read {
        Ok(read) if wrong.is_empty() => read,
        read => {
            return Err(CallError::InvalidArguments(
                [wrong, read.err().unwrap_or_default()].concat(),
                changes,
            ));
        }
    };
    let time_limit_ms = time_limit_ms.or(read.options.time_limit_ms);
    let warning = |problem: Problem| format!("{}: {}", problem.path.to_js_path(), problem.message);
    changes.extend(read.warnings.into_iter().map(warning));
    let (key, audience) = (options.key.clone(), options.audience.clone());
    let dialect = Dialect::Sayso;
    Ok((ToolAsk { dialect, questionnaire: read.questionnaire, key, time_limit_ms, audience }, changes))
}
