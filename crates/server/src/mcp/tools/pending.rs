//! Tools for earlier asks: wait for one, list them, cancel one.

use super::ask::CallOptions;
use crate::mcp::arguments::schema;
use crate::mcp::arguments::schema::validation;
use crate::mcp::caller::McpCaller;
use crate::mcp::desk_client::ask_ids;
use crate::mcp::desk_client::pending_call::{self, ProgressReporter};
use crate::mcp::elicitation::stateless::RepeatedCall;
use crate::mcp::error::CallError;
use crate::mcp::handler::{JsonMap, McpServer, structured_result};
use crate::mcp::wait::{WaitResult, WaitingCall};
use crate::mcp::{McpConfig, descriptions, result};
use rmcp::RoleServer;
use rmcp::model::{CallToolRequestParams, CallToolResponse};
use rmcp::service::RequestContext;
use sayso_core::Ask;
use sayso_core::model::ask::AttentionState;
use serde_json::{Value, json};
use std::time::Duration;
use tokio::time::Instant;

/// Asks that a call waits for.
struct WaitTargets {
    asks: Vec<Ask>,
    wait: Option<Duration>,
    further_answers: Vec<String>,
    ignored: Vec<String>,
}

/// Reads the arguments of a tool without a questionnaire.
fn read_options(schema: &JsonMap, mut given: JsonMap) -> Result<CallOptions, CallError> {
    let mut problems = validation::name_problems(schema, &given);
    let (options, invalid) = CallOptions::extract(schema, &mut given);
    problems.extend(invalid);
    if problems.is_empty() { Ok(options) } else { Err(CallError::InvalidArguments(problems, Vec::new())) }
}

pub(crate) async fn wait_for_answer(
    server: &McpServer,
    request: CallToolRequestParams,
    caller: &McpCaller,
    context: &RequestContext<RoleServer>,
) -> Result<CallToolResponse, CallError> {
    let caller = &caller.without_second_form();
    let returned = RepeatedCall::from_request(&request);
    let options = read_options(&schema::wait_input(), request.arguments.unwrap_or_default())?;
    let resumed = returned.clone();
    let who = caller.clone();
    let awaited = server
        .desk_client
        .run(move |asks| -> Result<WaitTargets, CallError> {
            let asker = asks.asker(&who);
            let ignored = asks.acknowledge_received(&asker, &options.received)?;
            let mut awaited = WaitTargets {
                asks: Vec::new(),
                wait: options.max_wait,
                further_answers: Vec::new(),
                ignored,
            };
            if let Some(given) = &options.ask_id {
                awaited.asks.push(asks.own_ask(&asker, given)?);
                return Ok(awaited);
            }
            // A repeated call is about the ask of its form, even if others are open or answered by now.
            if let Some(ask) = asks.resumed_ask(&asker, resumed.as_ref()) {
                awaited.asks.push(ask);
                return Ok(awaited);
            }
            let (asks, further_answers) =
                select_targets(&asks.setup, asks.unconfirmed(&asker)?, asks.open_asks(&asker)?);
            awaited.further_answers = further_answers.iter().map(|ask| ask.id.to_string()).collect();
            Ok(WaitTargets { asks, ..awaited })
        })
        .await?;
    let WaitTargets { asks: awaited, wait, further_answers: more, ignored } = awaited;
    let ask = match awaited.as_slice() {
        [] => return Err(CallError::NotFound(descriptions::NOTHING_OPEN, ignored)),
        [one] => {
            let call = WaitingCall { server, caller, context, wait, repeated: returned, changes: &ignored };
            match call.wait_for(one.clone()).await? {
                WaitResult::Ask(ask) => *ask,
                WaitResult::Response(response) => return Ok(*response),
            }
        }
        several => {
            let until = Instant::now() + caller.wait_limit(server.desk_client.setup.wait_limit, wait);
            pending_call::wait_until_settled(
                server,
                ask_ids(several),
                until,
                &mut ProgressReporter::new(context, &server.desk_client.setup.desk_name),
            )
            .await?
        }
    };
    let mut result = show_ask(server, ask).await?;
    if !more.is_empty() {
        result.insert("more".to_owned(), json!(more));
    }
    add_changes(&mut result, &ignored);
    Ok(structured_result(result))
}

pub(crate) async fn list_asks(
    server: &McpServer,
    given: JsonMap,
    caller: &McpCaller,
) -> Result<JsonMap, CallError> {
    let options = read_options(&schema::list_input(), given)?;
    let who = caller.clone();
    let listed = server.desk_client.run(move |asks| {
        let asker = asks.asker(&who);
        let ignored = asks.acknowledge_received(&asker, &options.received)?;
        let found = asks.pending_delivery(&asker)?;
        let lines: Vec<_> = found.iter().map(list_entry).collect();
        let next = if found.is_empty() { descriptions::NOTHING_OPEN } else { descriptions::LIST_NEXT_STEP };
        let mut result = JsonMap::new();
        result.insert("asks".to_owned(), json!(lines));
        result.insert("next_step".to_owned(), json!(next));
        add_changes(&mut result, &ignored);
        Ok::<_, CallError>(result)
    });
    listed.await
}

pub(crate) async fn cancel_ask(
    server: &McpServer,
    given: JsonMap,
    caller: &McpCaller,
) -> Result<JsonMap, CallError> {
    let options = read_options(&schema::cancel_input(), given)?;
    let who = caller.clone();
    let cancelled = server.desk_client.run(move |asks| -> Result<_, CallError> {
        let asker = asks.asker(&who);
        let ignored = asks.acknowledge_received(&asker, &options.received)?;
        Ok((asks.cancel(&asker, &options.ask_id.unwrap_or_default())?, ignored))
    });
    let (ask, ignored) = cancelled.await?;
    let mut result = show_ask(server, ask).await?;
    add_changes(&mut result, &ignored);
    Ok(result)
}

/// Returns an ask as its caller sees it.
///
/// # Errors
/// Fails if the runtime is shutting down.
pub(crate) async fn show_ask(server: &McpServer, ask: Ask) -> Result<JsonMap, CallError> {
    server.desk_client.run(move |asks| Ok::<_, CallError>(asks.describe(&ask))).await
}

/// Selects the asks of a call without an id: the first answer, or else all open asks; and the remaining answers. Asks
/// of a program that has ended come after those of this one.
fn select_targets(setup: &McpConfig, answered: Vec<Ask>, open: Vec<Ask>) -> (Vec<Ask>, Vec<Ask>) {
    let is_here = |ask: &Ask| setup.is_attached_here(ask);
    let (mut answered, mut before): (Vec<_>, Vec<_>) = answered.into_iter().partition(is_here);
    let (open, open_before): (Vec<_>, Vec<_>) = open.into_iter().partition(is_here);
    let first = if !answered.is_empty() {
        answered.drain(..1).collect()
    } else if !open.is_empty() {
        open
    } else if !before.is_empty() {
        before.drain(..1).collect()
    } else {
        open_before
    };
    answered.append(&mut before);
    (first, answered)
}

/// Adds the changes made to the arguments to a result.
pub(crate) fn add_changes(result: &mut JsonMap, changes: &[String]) {
    if !changes.is_empty() {
        result.insert("changed".to_owned(), json!(changes));
    }
}

/// Returns an entry of the list. It has no answer, which would otherwise count as delivered.
fn list_entry(ask: &Ask) -> Value {
    let mut line = JsonMap::new();
    line.insert("ask_id".to_owned(), json!(ask.id));
    line.insert("status".to_owned(), json!(result::status_name(ask)));
    line.insert("title".to_owned(), json!(ask.request.questionnaire.display_name()));
    line.insert("asked_at".to_owned(), json!(ask.request.created_at));
    if let Some(deadline) = ask.state.deadline
        && ask.outcome().is_none()
    {
        line.insert("expires_at".to_owned(), json!(deadline));
    }
    line.insert("seen".to_owned(), json!(ask.state.attention == AttentionState::Seen));
    Value::Object(line)
}
