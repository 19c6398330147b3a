//! Tool `ask`: takes questions, and returns the ask in its state at the end of the call.

use super::pending::{self, add_changes};
use crate::mcp::arguments::normalization::ArgumentNormalizer;
use crate::mcp::arguments::schema::{self, validation};
use crate::mcp::caller::McpCaller;
use crate::mcp::desk_client::opening::ToolAsk;
use crate::mcp::elicitation::stateless::RepeatedCall;
use crate::mcp::error::CallError;
use crate::mcp::handler::{JsonMap, McpServer, structured_result};
use crate::mcp::wait::{WaitResult, WaitingCall};
use rmcp::RoleServer;
use rmcp::model::{CallToolRequestParams, CallToolResponse};
use rmcp::service::RequestContext;
use sayso_core::LocalizedText;
use sayso_core::{DocumentPath, Problem, ProblemCode};
use sayso_desk::check_key;
use sayso_dialects::{Dialect, DialectLimits, ParsedRequest};
use serde_json::Value;
use std::time::Duration;

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
    let repeated = RepeatedCall::from_request(&request);
    let resumed = repeated.clone();
    let given = request.arguments.unwrap_or_default();
    let who = caller.clone();
    let opened = server.desk_client.run(move |client| {
        let ParsedAsk { ask, options, mut changes } = parse_ask(given, client.setup.parse_time_limit)?;
        // Confirmed before opening, so that the same question can be asked again.
        changes.extend(client.acknowledge_received(&client.asker(&who), &options.received)?);
        let ask = client.resume_or_open(&who, resumed.as_ref(), &ask)?;
        Ok::<_, CallError>((ask, options.max_wait, changes))
    });
    let (ask, wait, changes) = opened.await?;
    let call = WaitingCall { server, caller, context, wait, repeated, changes: &changes };
    let ask = match call.wait_for(ask).await? {
        WaitResult::Ask(ask) => *ask,
        WaitResult::Response(response) => return Ok(*response),
    };
    let mut result = pending::show_ask(server, ask).await?;
    add_changes(&mut result, &changes);
    Ok(structured_result(result))
}

/// Parsed arguments of a call.
struct ParsedAsk {
    ask: ToolAsk,
    options: CallOptions,
    /// Changes made to the arguments.
    changes: Vec<String>,
}

/// Reads the arguments.
///
/// # Errors
/// Returns all problems of the arguments.
fn parse_ask(
    arguments: JsonMap,
    parse_time_limit: fn(&str) -> Result<i64, Problem>,
) -> Result<ParsedAsk, CallError> {
    let mut normalizer = ArgumentNormalizer::default();
    let mut arguments = normalizer.normalize(arguments);
    let mut changes = normalizer.changes;
    let (mut options, mut problems) = CallOptions::extract(schema::ask_input(), &mut arguments);
    let mut time_limit_ms = None;
    if let Some(text) = &options.timeout {
        match parse_time_limit(text) {
            Ok(limit_ms) => time_limit_ms = Some(limit_ms),
            Err(problem) => problems.push(problem.at(DocumentPath::root().join("timeout"))),
        }
    }
    if let Some(key) = &options.key
        && let Err(problem) = check_key(key)
    {
        problems.push(problem.at(DocumentPath::root().join("key")));
    }
    let request = match read_questionnaire(arguments) {
        Ok(request) if problems.is_empty() => request,
        Ok(_) => return Err(CallError::InvalidArguments(problems, changes)),
        Err(others) => {
            problems.extend(others);
            return Err(CallError::InvalidArguments(problems, changes));
        }
    };
    for problem in &request.warnings {
        changes.push(format!("{}: {}", problem.path.to_js_path(), problem.message));
    }
    let ask = ToolAsk {
        dialect: Dialect::Sayso,
        questionnaire: request.questionnaire,
        key: options.key.take(),
        time_limit_ms: time_limit_ms.or(request.options.time_limit_ms),
        audience: options.audience.take(),
    };
    Ok(ParsedAsk { ask, options, changes })
}

/// Reads the arguments that are a questionnaire.
///
/// # Errors
/// Returns all problems, with a hint wherever the schema shows what to write.
fn read_questionnaire(arguments: JsonMap) -> Result<ParsedRequest, Vec<Problem>> {
    let schema = schema::ask_input();
    let limits = DialectLimits::default();
    let mut problems = validation::shape_problems(schema, &arguments);
    if problems.is_empty() {
        let read = Dialect::Sayso.read(&Value::Object(arguments), &limits);
        return read.map_err(|problems| validation::with_hints(schema, problems));
    }
    if let Some(filled) = validation::with_placeholders(&arguments, &problems)
        && let Err(others) = Dialect::Sayso.read(&Value::Object(filled), &limits)
    {
        let is_known = |other: &Problem| problems.iter().any(|known| other.path.0.starts_with(&known.path.0));
        let others: Vec<_> = others.into_iter().filter(|other| !is_known(other)).collect();
        problems.extend(others);
    }
    Err(validation::with_hints(schema, problems))
}
