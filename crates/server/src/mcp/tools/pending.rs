//! Tools for earlier asks: wait for one, list them, cancel one.

use super::call_options::CallOptions;
use crate::mcp::arguments::schema;
use crate::mcp::arguments::schema::validation;
use crate::mcp::caller::McpCaller;
use crate::mcp::desk_client::pending_call::{self, ProgressReporter};
use crate::mcp::desk_client::{DeskClient, ask_ids};
use crate::mcp::elicitation::stateless::RepeatedCall;
use crate::mcp::error::CallError;
use crate::mcp::result::{self, JsonMap, add_changes, set, structured_result};
use crate::mcp::server::McpServer;
use crate::mcp::wait::{WaitResult, WaitingCall};
use crate::mcp::{McpConfig, descriptions};
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
    /// Asks of further answers.
    more_ids: Vec<String>,
    /// Changes made to the arguments.
    changes: Vec<String>,
}

/// Reads the arguments of a tool without a questionnaire.
fn read_options(schema: &JsonMap, mut arguments: JsonMap) -> Result<CallOptions, CallError> {
    let mut problems = validation::name_problems(schema, &arguments);
    let (options, option_problems) = CallOptions::extract(schema, &mut arguments);
    problems.extend(option_problems);
    if problems.is_empty() { Ok(options) } else { Err(CallError::from_problems(problems)) }
}

pub(crate) async fn wait_for_answer(
    server: &McpServer,
    request: CallToolRequestParams,
    caller: &McpCaller,
    context: &RequestContext<RoleServer>,
) -> Result<CallToolResponse, CallError> {
    let caller = &caller.without_second_form();
    let repeated = RepeatedCall::from_request(&request);
    let options = read_options(&schema::wait_input(), request.arguments.unwrap_or_default())?;
    let resumed_call = repeated.clone();
    let who = caller.clone();
    let desk_call =
        server.desk_client.run(move |client| find_targets(client, &who, &options, resumed_call.as_ref()));
    let WaitTargets { asks, wait, more_ids, changes } = desk_call.await?;
    let ask = match asks.as_slice() {
        [] => return Err(CallError::NotFound(descriptions::NOTHING_OPEN, changes)),
        [one] => {
            let call = WaitingCall { server, caller, context, wait, repeated, changes: &changes };
            match call.wait_for(one.clone()).await? {
                WaitResult::Ask(ask) => *ask,
                WaitResult::Response(response) => return Ok(*response),
            }
        }
        several => {
            let setup = &server.desk_client.setup;
            let until = Instant::now() + caller.wait_limit(setup.wait_limit, wait);
            let mut progress = ProgressReporter::new(context, &setup.desk_name);
            pending_call::wait_until_settled(server, ask_ids(several), until, &mut progress).await?
        }
    };
    let mut result = show_ask(server, ask).await?;
    if !more_ids.is_empty() {
        set(&mut result, "more", json!(more_ids));
    }
    add_changes(&mut result, &changes);
    Ok(structured_result(result))
}

/// Confirms what the caller received, and returns the asks to wait for.
///
/// # Errors
/// Fails if the caller has no ask with the id that it names, or the desk fails.
fn find_targets(
    client: &DeskClient,
    caller: &McpCaller,
    options: &CallOptions,
    repeated: Option<&RepeatedCall>,
) -> Result<WaitTargets, CallError> {
    let asker = client.asker(caller);
    let changes = client.acknowledge_received(&asker, &options.received)?;
    let mut targets = WaitTargets { asks: Vec::new(), wait: options.max_wait, more_ids: Vec::new(), changes };
    if let Some(id) = &options.ask_id {
        targets.asks.push(client.own_ask(&asker, id)?);
    } else if let Some(ask) = client.resumed_ask(&asker, repeated) {
        // A repeated call is about the ask of its form, even if others are open or answered by now.
        targets.asks.push(ask);
    } else {
        let (asks, further_answers) =
            select_targets(&client.setup, client.unconfirmed(&asker)?, client.open_asks(&asker)?);
        targets.asks = asks;
        targets.more_ids = further_answers.iter().map(|ask| ask.id.to_string()).collect();
    }
    Ok(targets)
}

pub(crate) async fn list_asks(
    server: &McpServer,
    arguments: JsonMap,
    caller: &McpCaller,
) -> Result<JsonMap, CallError> {
    let options = read_options(&schema::list_input(), arguments)?;
    let who = caller.clone();
    let desk_call = server.desk_client.run(move |client| {
        let asker = client.asker(&who);
        let changes = client.acknowledge_received(&asker, &options.received)?;
        let entries: Vec<_> = client.pending_delivery(&asker)?.iter().map(list_entry).collect();
        let next_step =
            if entries.is_empty() { descriptions::NOTHING_OPEN } else { descriptions::LIST_NEXT_STEP };
        let mut result = JsonMap::new();
        set(&mut result, "asks", json!(entries));
        set(&mut result, "next_step", json!(next_step));
        add_changes(&mut result, &changes);
        Ok::<_, CallError>(result)
    });
    desk_call.await
}

pub(crate) async fn cancel_ask(
    server: &McpServer,
    arguments: JsonMap,
    caller: &McpCaller,
) -> Result<JsonMap, CallError> {
    let options = read_options(&schema::cancel_input(), arguments)?;
    let who = caller.clone();
    let desk_call = server.desk_client.run(move |client| -> Result<_, CallError> {
        let asker = client.asker(&who);
        let changes = client.acknowledge_received(&asker, &options.received)?;
        Ok((client.cancel(&asker, &options.ask_id.unwrap_or_default())?, changes))
    });
    let (ask, changes) = desk_call.await?;
    let mut result = show_ask(server, ask).await?;
    add_changes(&mut result, &changes);
    Ok(result)
}

/// Returns an ask as its caller sees it.
///
/// # Errors
/// Fails if the runtime is shutting down.
pub(crate) async fn show_ask(server: &McpServer, ask: Ask) -> Result<JsonMap, CallError> {
    server.desk_client.run(move |client| Ok::<_, CallError>(client.describe(&ask))).await
}

/// Selects the asks of a call without an id: the first answer, or else all open asks; and the remaining answers. Asks
/// of a program that has ended come after those of this one.
fn select_targets(setup: &McpConfig, answered: Vec<Ask>, open: Vec<Ask>) -> (Vec<Ask>, Vec<Ask>) {
    let (mut answers, mut earlier_answers): (Vec<_>, Vec<_>) =
        answered.into_iter().partition(|ask| setup.is_attached_here(ask));
    let (open_asks, earlier_open_asks): (Vec<_>, Vec<_>) =
        open.into_iter().partition(|ask| setup.is_attached_here(ask));
    let targets = if !answers.is_empty() {
        answers.drain(..1).collect()
    } else if !open_asks.is_empty() {
        open_asks
    } else if !earlier_answers.is_empty() {
        earlier_answers.drain(..1).collect()
    } else {
        earlier_open_asks
    };
    answers.append(&mut earlier_answers);
    (targets, answers)
}

/// Returns an entry of the list. It has no answer, which would otherwise count as delivered.
fn list_entry(ask: &Ask) -> Value {
    let mut entry = JsonMap::new();
    set(&mut entry, "ask_id", json!(ask.id));
    set(&mut entry, "status", json!(result::status_name(ask)));
    set(&mut entry, "title", json!(ask.request.questionnaire.display_name()));
    set(&mut entry, "asked_at", json!(ask.request.created_at));
    if ask.outcome().is_none() {
        set(&mut entry, "expires_at", json!(ask.state.deadline));
    }
    set(&mut entry, "seen", json!(ask.state.attention == AttentionState::Seen));
    Value::Object(entry)
}
