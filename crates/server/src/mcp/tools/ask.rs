//! Tool `ask`: takes questions, and returns the ask in its state at the end of the call.

use super::call_options::CallOptions;
use super::pending;
use crate::mcp::arguments::normalization::ArgumentNormalizer;
use crate::mcp::arguments::schema::{self, validation};
use crate::mcp::caller::McpCaller;
use crate::mcp::desk_client::opening::ToolAsk;
use crate::mcp::elicitation::stateless::RepeatedCall;
use crate::mcp::error::CallError;
use crate::mcp::result::{JsonMap, add_changes, structured_result};
use crate::mcp::server::McpServer;
use crate::mcp::wait::{WaitResult, WaitingCall};
use rmcp::RoleServer;
use rmcp::model::{CallToolRequestParams, CallToolResponse};
use rmcp::service::RequestContext;
use sayso_core::{DocumentPath, Problem};
use sayso_desk::check_key;
use sayso_dialects::{Dialect, DialectLimits, ParsedRequest};
use serde_json::Value;

pub(crate) async fn ask(
    server: &McpServer,
    request: CallToolRequestParams,
    caller: &McpCaller,
    context: &RequestContext<RoleServer>,
) -> Result<CallToolResponse, CallError> {
    let repeated = RepeatedCall::from_request(&request);
    let resumed_call = repeated.clone();
    let arguments = request.arguments.unwrap_or_default();
    let who = caller.clone();
    let desk_call = server.desk_client.run(move |client| {
        let ParsedAsk { ask, options, mut changes } = parse_ask(arguments, client.setup.parse_time_limit)?;
        // Confirmed before opening, so that the same question can be asked again.
        changes.extend(client.acknowledge_received(&client.asker(&who), &options.received)?);
        let ask = client.resume_or_open(&who, resumed_call.as_ref(), &ask)?;
        Ok::<_, CallError>((ask, options.max_wait, changes))
    });
    let (ask, wait, changes) = desk_call.await?;
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
        match Dialect::Sayso.read(&Value::Object(arguments), &limits) {
            Ok(request) => return Ok(request),
            Err(others) => problems = others,
        }
    } else if let Some(arguments) = validation::with_placeholders(&arguments, &problems)
        && let Err(mut others) = Dialect::Sayso.read(&Value::Object(arguments), &limits)
    {
        // A problem at or below the place of an earlier one may be that of its placeholder.
        others.retain(|other| !problems.iter().any(|earlier| other.path.0.starts_with(&earlier.path.0)));
        problems.extend(others);
    }
    Err(validation::with_hints(schema, problems))
}
