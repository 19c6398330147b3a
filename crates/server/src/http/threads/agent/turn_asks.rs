//! Asks of an agent in its turn. They are asks at the desk, shown on every surface; the thread shows them as
//! interrupts, one after another. [`ask_request`](super::ask_request) parses the request.
//!
//! **Invariant:** a call with the same id in the same turn is asked once, however often it is sent and whichever
//! process fails in between. So a restarted agent gets the decision made meanwhile.

use super::ask_request::{TurnAsk, TurnAskRequest, parse_requests};
use super::{held_turn, thread_asker};
use crate::diagnostics::log_failure;
use crate::http::middleware::call::ApiCall;
use crate::http::middleware::caller::AuthenticatedCaller;
use crate::http::middleware::response;
use crate::http::openapi::schemas::ProblemBody;
use crate::http::routes::ask_state::AskState;
use crate::http::routes::outcome_waiter::OutcomeWaiter;
use crate::http::threads::thread_state::ThreadState;
use crate::http::threads::turn::active_turn::ActiveTurn;
use crate::http::threads::turn::supervision::watch_expiry;
use axum::http::StatusCode;
use axum::response::Response;
use sayso_core::model::ask_summary::AskStatus;
use sayso_core::wire::json;
use sayso_core::wire::problem;
use sayso_core::{
    AccountQuota, Actor, Ask, AskCommand, AskId, Asker, Audience, Lang, NewAsk, Problem, ProblemCode,
};
use sayso_desk::{Desk as _, OpenedAsk, StoreDesk};
use sayso_dialects::interrupt::{TranslationLoss, end_events, tool_result};
use sayso_dialects::{CliOutput, Dialect, DialectLimits, ParsedRequest};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::sync::Arc;
use tokio::time::Instant;

/// Name under which the desk stores the decision.
const FORM: &str = "thread";

/// Results of the requests.
#[derive(Serialize, JsonSchema)]
pub(in crate::http) struct TurnDecisions {
    /// True if everything is decided. Until then, the same request continues to wait.
    decided: bool,
    /// One result for each request, in the order asked.
    decisions: Vec<TurnDecision>,
    /// Warnings about a valid request.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(with = "Vec<ProblemBody>")]
    warnings: Vec<Value>,
    /// Parts of the request that an interrupt cannot express.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(with = "Vec<Value>")]
    lost: Vec<TranslationLoss>,
}

/// Result of one request.
#[derive(Serialize, JsonSchema)]
pub(crate) struct TurnDecision {
    /// Key of the request.
    id: String,
    /// The ask at the desk.
    pub(crate) ask: AskId,
    /// Current state.
    state: AskStatus,
    /// True if the agent has acknowledged the decision (`POST /v1/asks/{id}/ack`).
    #[serde(rename = "delivered", skip_serializing_if = "std::ops::Not::not")]
    is_delivered: bool,
    /// `answer`, `continue`, `cancel` or `error` once decided.
    #[serde(flatten)]
    decision: DecisionBody,
}

/// A decision, as it is kept.
#[derive(Default, Serialize, Deserialize, JsonSchema)]
struct DecisionBody {
    /// `answer`, `continue`, `cancel` or `error` once decided.
    #[serde(skip_serializing_if = "Option::is_none")]
    decision: Option<String>,
    /// Result of the tool call; absent if the tool should run now.
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<String>,
}

/// Common terms of the asks of one request.
struct AskTerms {
    asker: Asker,
    quota: Option<AccountQuota>,
    time_limit_ms: Option<i64>,
    limits: DialectLimits,
}

/// Asks opened by a request, with their warnings.
#[derive(Default)]
struct OpenedAsks {
    asks: Vec<(String, Ask)>,
    warnings: Vec<Problem>,
    lost: Vec<TranslationLoss>,
}

/// Opens all asks of a request, and publishes their interrupts.
///
/// # Errors
/// Returns the first problem of a request, or of the desk. Then no ask was opened, and the same ids may be used
/// again: cancelling opened asks would leave those ids with settled asks.
fn open_asks(
    desk: &StoreDesk,
    live: &ActiveTurn,
    requests: &[TurnAskRequest],
    terms: &AskTerms,
) -> Result<OpenedAsks, Problem> {
    let mut opened_asks = OpenedAsks::default();
    let mut new_asks = Vec::with_capacity(requests.len());
    // What a person's agent asks is for that person alone, at every door.
    let audience = match desk.thread(&live.thread)? {
        Some(thread) => Audience::of_account(thread.owner),
        None => Audience::default(),
    };
    for request in requests {
        let ParsedRequest { questionnaire, options, warnings } =
            request.parse(&terms.limits, &mut opened_asks.lost)?;
        opened_asks.warnings.extend(warnings);
        let new_ask = NewAsk {
            time_limit_ms: terms.time_limit_ms.or(options.time_limit_ms),
            is_waiting: true,
            quota: terms.quota,
            audience: Some(audience.clone()),
            random_id: request.dialect.uses_short_ids(),
            ..NewAsk::new(Arc::new(questionnaire), request.dialect.name(), terms.asker.clone())
        };
        new_asks.push((format!("{} {}", live.number, request.id), new_ask));
    }
    let results = match desk.open_all(new_asks) {
        Ok(results) => results,
        Err(rejection) => {
            let (at, problem) = *rejection;
            return Err(match requests.get(at) {
                Some(request) => request.relocate_problem(problem),
                None => problem,
            });
        }
    };
    let asks: Vec<_> = results.iter().map(OpenedAsk::ask).collect();
    if let Err(problem) = live.interrupt(desk, &asks) {
        if problem.code == ProblemCode::TurnOver {
            cancel_new_asks(desk, &results);
        }
        return Err(problem);
    }
    for (request, result) in requests.iter().zip(results) {
        opened_asks.asks.push((request.id.clone(), result.into_ask()));
    }
    Ok(opened_asks)
}

/// Cancels the new asks of a turn that ended meanwhile: no request will wait for them, and no end of the turn cancels
/// them.
fn cancel_new_asks(desk: &StoreDesk, results: &[OpenedAsk]) {
    for result in results {
        if let OpenedAsk::New(ask) = result {
            // A decision made meanwhile stays; the agent gets the turn's end in any case.
            let asker = Actor::Asker(ask.request.asker.clone());
            log_failure("cancel an ask", desk.act(&asker, ask.id, None, AskCommand::CANCEL));
        }
    }
}

pub(in crate::http) async fn ask(
    (asks, threads): (Arc<AskState>, Arc<ThreadState>),
    call: ApiCall,
) -> Result<Response, Problem> {
    let caller = call.caller()?.clone();
    let body = call.parse_json()?;
    let thread = call.path_param().to_owned();
    let lang = call.lang;
    let until = Instant::now() + call.wait_time()?;
    drop(call);
    let decisions = ask_in_turn(&asks, &threads, &caller, &thread, body, until, lang).await?;
    Ok(response::json(StatusCode::OK, json::write(&decisions)))
}

/// Asks in a turn of a thread, and waits for the decisions until then.
///
/// # Errors
/// Fails if the caller does not hold the turn, the request is invalid, or the desk cannot store it.
pub(crate) async fn ask_in_turn(
    asks: &Arc<AskState>,
    threads: &Arc<ThreadState>,
    caller: &AuthenticatedCaller,
    thread: &str,
    body: TurnAsk,
    until: Instant,
    lang: Lang,
) -> Result<TurnDecisions, Problem> {
    threads.catch_up().await?;
    let live = held_turn(threads, caller, thread, &body.turn)?;
    let terms = AskTerms {
        asker: thread_asker(caller, &live.thread)?,
        quota: caller.ask_quota(asks.quota),
        time_limit_ms: ApiCall::check_time_limit(body.timeout_ms)?,
        limits: asks.limits,
    };
    let _agent_request = live.begin_request();
    let usual_dialect = asks.dialect;
    let asking_turn = live.clone();
    let desk_call = asks.context.with_desk(move |desk| {
        let requests = parse_requests(body, usual_dialect)?;
        open_asks(desk, &asking_turn, &requests, &terms)
    });
    let opened_asks = desk_call.await?;
    for (_, ask) in &opened_asks.asks {
        if ask.state.deadline.is_some() {
            watch_expiry(threads, &live, ask.id);
        }
    }
    wait_for_decisions(asks, caller, opened_asks, until, lang).await
}

async fn wait_for_decisions(
    asks: &Arc<AskState>,
    caller: &AuthenticatedCaller,
    opened_asks: OpenedAsks,
    until: Instant,
    lang: Lang,
) -> Result<TurnDecisions, Problem> {
    let OpenedAsks { asks: turn_asks, warnings, lost } = opened_asks;
    let mut decisions = Vec::with_capacity(turn_asks.len());
    for (id, ask) in turn_asks {
        let mut waiter = OutcomeWaiter::start(asks, caller.clone().into_opener(), ask.id).await?;
        waiter.wait_settled(until.saturating_duration_since(Instant::now())).await?;
        let ask = ask.id;
        decisions.push(asks.context.with_desk(move |desk| turn_decision(desk, id, ask)).await?);
    }
    let decided = decisions.iter().all(|decision| decision.decision.decision.is_some());
    let warnings = warnings.iter().map(|warning| Value::Object(problem::members(warning, lang))).collect();
    Ok(TurnDecisions { decided, decisions, warnings, lost })
}

fn turn_decision(desk: &StoreDesk, id: String, ask: AskId) -> Result<TurnDecision, Problem> {
    let ask = desk.get(ask)?;
    let state = AskStatus::from_phase(&ask.state.phase);
    let mut decision = DecisionBody::default();
    if ask.outcome().is_some() {
        let bytes = desk.offer(&ask.request.asker, &ask, FORM, &|ask| {
            serde_json::to_vec(&decision_body(ask, &id)).unwrap_or_default()
        })?;
        decision = serde_json::from_slice(&bytes).unwrap_or_else(|_| decision_body(&ask, &id));
    }
    Ok(TurnDecision { id, ask: ask.id, state, is_delivered: ask.is_delivered(), decision })
}

/// Returns the decision on a settled ask. Its result is in the format of the request, for a call in the thread's.
fn decision_body(ask: &Ask, id: &str) -> DecisionBody {
    let Some(outcome) = ask.outcome() else { return DecisionBody::default() };
    let questionnaire = &ask.request.questionnaire;
    let mut action = None;
    if let Some(end) = end_events(questionnaire, outcome).pop()
        && let Some(Value::String(text)) = end.data.get("action")
    {
        action = Some(text.clone());
    }
    let result = match Dialect::of_ask(ask) {
        Ok(Dialect::Interrupt) | Err(_) => tool_result(questionnaire, outcome, id),
        Ok(_) => {
            let CliOutput { stdout, stderr, .. } = Dialect::settled_output(ask);
            Some(if stdout.is_empty() { stderr } else { stdout })
        }
    };
    DecisionBody { decision: action, result }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::threads::agent::ask_request::parse_requests;
    use sayso_desk::thread::PendingTurn;
    use sayso_desk::{AskQuery, StoreDesk};
    use serde_json::json;
    use tempfile::TempDir;

    #[test]
    fn deleted_thread_cancels_new_asks() {
        let folder = TempDir::new().unwrap();
        let desk = StoreDesk::open(&folder.path().join("desk")).unwrap();
        let thread = desk.new_thread("ada", None).unwrap().id;
        let number = desk.post_message(&thread, "Go.", None, None).unwrap();
        let message = "Go.".to_owned();
        let live = ActiveTurn::from_turn(
            PendingTurn {
                number,
                thread: thread.clone(),
                agent: None,
                message,
                holder: None,
                asks: Vec::new(),
                attempts: 0,
            },
            false,
        );
        let calls = json!([{ "id": "a", "name": "execute", "args": { "command": "ls" } }]);
        let body = serde_json::from_value(json!({ "turn": "", "calls": calls })).unwrap();
        let requests = parse_requests(body, None).unwrap();
        let asker =
            Asker { name: "bot".to_owned(), folder: None, session: Some(thread.clone()), account: None };
        let terms = AskTerms { asker, quota: None, time_limit_ms: None, limits: DialectLimits::default() };
        desk.delete_thread(&thread).unwrap();
        let refused = open_asks(&desk, &live, &requests, &terms).err().map(|problem| problem.code);
        assert_eq!(refused, Some(ProblemCode::TurnOver));
        let every = AskQuery { states: AskStatus::ALL.to_vec(), ..AskQuery::default() };
        let states: Vec<_> = desk.list(&every).unwrap().rows.iter().map(|row| row.state).collect();
        assert_eq!(states, [AskStatus::Cancelled]);
    }
}
