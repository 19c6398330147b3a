//! Routes for the agent: take the next turn, publish events, and end the turn.

pub(super) mod agent_routes;
pub(super) mod ask_request;
pub(super) mod thread_agent;
pub(super) mod turn_asks;

use super::person::person_threads;
use super::thread_state::ThreadState;
use super::turn::active_turn::ActiveTurn;
use super::turn::open_asks::settle_asks;
use super::turn::poll_guard::PollGuard;
use super::turn::published_event::PublishedEvent;
use super::turn::registry::TakenTurn;
use crate::http::middleware::auth::unauthorized;
use crate::http::middleware::call::ApiCall;
use crate::http::middleware::caller::{AskerParams, AuthenticatedCaller};
use crate::http::middleware::response;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use sayso_core::wire::json;
use sayso_core::{Asker, DocumentPath, LocalizedText, Message, Problem, ProblemCode, limits};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{Instant, timeout_at};

/// Interval at which a waiting request checks for turns with an expired lease.
const LEASE_CHECK_INTERVAL: Duration = Duration::from_secs(1);

/// Request for a turn.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::http) struct TurnRequest {
    /// Name of this process, if the agent has several.
    #[serde(default)]
    #[schemars(length(max = 200))]
    worker: String,
    /// The process has just started: turns of an earlier process with this name are handed out again.
    #[serde(default)]
    restarted: bool,
    /// Seconds without a request with the turn until its process counts as gone.
    #[serde(default = "TurnRequest::longest_lease")]
    #[schemars(range(min = 1, max = 120))]
    lease_seconds: u32,
}

impl TurnRequest {
    const fn longest_lease() -> u32 {
        limits::TURN_LEASE_SECONDS
    }
}

/// A message to act on.
#[derive(Serialize, JsonSchema)]
pub(in crate::http) struct TurnBody {
    /// The thread.
    pub(super) thread_id: String,
    /// Id that shows that this process has the turn.
    pub(super) turn: String,
    /// Message of the person.
    pub(super) message: String,
    /// Another process had this turn and did not end it.
    pub(super) again: bool,
}

/// Returns the agent as the asker of a thread.
///
/// # Errors
/// Fails if the caller may not ask.
pub(super) fn thread_asker(caller: &AuthenticatedCaller, thread: &str) -> Result<Asker, Problem> {
    caller.to_asker(AskerParams { session: Some(thread.to_owned()), ..AskerParams::default() })
}

pub(in crate::http) async fn next(threads: Arc<ThreadState>, call: ApiCall) -> Result<Response, Problem> {
    let caller = call.caller()?.clone();
    let request = call.parse_json()?;
    let until = Instant::now() + call.wait_time()?;
    drop(call);
    Ok(match next_turn(&threads, &caller, request, until).await? {
        Some(turn) => response::json(StatusCode::OK, json::write(&turn)),
        None => StatusCode::NO_CONTENT.into_response(),
    })
}

/// Takes the next turn of the caller's threads, and waits for one until then.
///
/// # Errors
/// Fails if the caller may not ask or its credential is revoked, or the desk does not grant the turn.
pub(super) async fn next_turn(
    threads: &Arc<ThreadState>,
    caller: &AuthenticatedCaller,
    request: TurnRequest,
    until: Instant,
) -> Result<Option<TurnBody>, Problem> {
    let TurnRequest { worker, restarted, lease_seconds } = request;
    thread_asker(caller, "")?;
    if worker.chars().count() > limits::WORKER_CHARS {
        let message = Message::NameTooLong.with([limits::WORKER_CHARS]);
        return Err(Problem::new(ProblemCode::TooBig, message).at(DocumentPath::root().join("worker")));
    }
    if !(1..=limits::TURN_LEASE_SECONDS).contains(&lease_seconds) {
        let range = Message::WholeNumber.with([1, limits::TURN_LEASE_SECONDS]);
        return Err(Problem::invalid_value("lease_seconds", &lease_seconds.to_string()).with_hint(range));
    }
    if restarted {
        threads.registry.restart_worker(&caller.account, &worker);
    }
    let _counted = threads.context.metrics.count_wait();
    let _polling = PollGuard::new(threads, &caller.account, &worker);
    let session_guard = threads.context.revocations.register(caller.credential.clone());
    loop {
        let mut ready = pin!(threads.registry.ready.notified());
        // Enabling the notification before checking misses nothing.
        ready.as_mut().enable();
        threads.catch_up().await?;
        if let Some(turn) = threads.registry.take(&caller.account, &worker, lease_seconds)? {
            match start_turn(threads, &caller.account, turn).await? {
                Some(turn) => return Ok(Some(turn)),
                None => continue,
            }
        }
        let now = Instant::now();
        if now >= until {
            return Ok(None);
        }
        tokio::select! {
            _ = timeout_at(until.min(now + LEASE_CHECK_INTERVAL), ready) => {}
            () = session_guard.revoked() => return Err(unauthorized(Message::TokenUnknown)),
            () = threads.context.closing.cancelled() => return Ok(None),
        }
    }
}

/// Returns the turn, or `None` if the desk did not grant it.
async fn start_turn(
    threads: &Arc<ThreadState>,
    agent: &str,
    taken_turn: TakenTurn,
) -> Result<Option<TurnBody>, Problem> {
    let live = taken_turn.turn.clone();
    let agent = agent.to_owned();
    let holder = taken_turn.holder.clone();
    let attempts = taken_turn.attempts;
    let earlier_secret = taken_turn.secret_before();
    let desk_call = threads.context.with_desk(move |desk| {
        desk.claim_turn(live.number, &live.thread, &agent, holder, earlier_secret.as_deref(), attempts)
    });
    match desk_call.await {
        Ok(()) => {}
        Err(problem) if problem.code == ProblemCode::TurnOver => {
            sync_with_desk(threads, taken_turn).await?;
            return Ok(None);
        }
        Err(problem) => {
            threads.registry.return_turn(taken_turn, None);
            return Err(problem);
        }
    }
    let live = &taken_turn.turn;
    Ok(Some(TurnBody {
        thread_id: live.thread.clone(),
        turn: format!("{}.{}", live.number, taken_turn.holder.secret),
        message: live.message.clone(),
        again: taken_turn.was_held_before(),
    }))
}

/// Synchronizes a turn with the desk: removes it, or assigns its thread to the agent that the desk knows.
async fn sync_with_desk(threads: &Arc<ThreadState>, taken_turn: TakenTurn) -> Result<(), Problem> {
    let turns = match threads.context.with_desk(|desk| desk.pending_turns()).await {
        Ok(turns) => turns,
        Err(problem) => {
            threads.registry.return_turn(taken_turn, None);
            return Err(problem);
        }
    };
    let live = taken_turn.turn.clone();
    let stored_turn = turns.into_iter().find(|turn| turn.number == live.number && turn.thread == live.thread);
    match stored_turn {
        Some(turn) => threads.registry.return_turn(taken_turn, turn.agent),
        None => {
            threads.registry.remove(&live);
            live.close();
        }
    }
    Ok(())
}

/// Returns the turn of a thread that the caller holds.
///
/// # Errors
/// Fails if the caller may not ask, the turn has ended, or another process holds it.
pub(super) fn held_turn(
    threads: &ThreadState,
    caller: &AuthenticatedCaller,
    thread: &str,
    token: &str,
) -> Result<Arc<ActiveTurn>, Problem> {
    thread_asker(caller, "")?;
    threads.registry.held_turn(&caller.account, thread, token)
}

/// Progress of a turn.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::http) struct TurnEvents {
    /// The turn's id, as received with the turn.
    turn: String,
    /// Events in order. Without any, the turn is still renewed.
    events: Vec<PublishedEvent>,
}

pub(in crate::http) async fn publish(threads: Arc<ThreadState>, call: ApiCall) -> Result<Response, Problem> {
    let TurnEvents { turn, events } = call.parse_json()?;
    threads.catch_up().await?;
    let live = held_turn(&threads, call.caller()?, call.path_param(), &turn)?;
    live.publish(&events)?;
    threads.send_unsent(live).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// A turn to end.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::http) struct TurnEnd {
    /// The turn's id, as received with the turn.
    pub(super) turn: String,
    /// The reason why the agent gives up. The stream then ends with `error` and `end {"action":"error"}`.
    pub(super) error: Option<String>,
}

pub(in crate::http) async fn end(threads: Arc<ThreadState>, call: ApiCall) -> Result<Response, Problem> {
    end_turn(&threads, call.caller()?, call.path_param(), call.parse_json()?).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// Ends a turn, and cancels its open asks.
///
/// # Errors
/// Fails if the caller does not hold it, or the desk cannot store it. A turn that it ended before is no error.
pub(super) async fn end_turn(
    threads: &Arc<ThreadState>,
    caller: &AuthenticatedCaller,
    thread: &str,
    end: TurnEnd,
) -> Result<(), Problem> {
    let TurnEnd { turn, error } = end;
    let agent = caller.account.clone();
    let thread = thread.to_owned();
    threads.catch_up().await?;
    let live = match held_turn(threads, caller, &thread, &turn) {
        Err(problem)
            if problem.code == ProblemCode::TurnOver
                && threads.registry.was_ended(&agent, &thread, &turn) =>
        {
            return Ok(());
        }
        result => result?,
    };
    let state = threads.clone();
    let desk_call = threads.context.with_desk(move |desk| {
        settle_asks(desk, &live)?;
        let unregister = || {
            state.registry.note_ended(&agent, &thread, &turn);
            state.registry.remove(&live);
        };
        match error {
            Some(error) => live.fail(desk, unregister, LocalizedText::Verbatim(error)),
            None => live.end(desk, unregister),
        }
    });
    desk_call.await
}

/// Returns the history of one of the agent's threads.
pub(in crate::http) async fn history(threads: Arc<ThreadState>, call: ApiCall) -> Result<Response, Problem> {
    let caller = call.caller()?.clone();
    thread_asker(&caller, "")?;
    let id = call.path_param().to_owned();
    let thread = match threads.context.with_desk(move |desk| desk.thread(&id)).await? {
        Some(thread) if thread.agent.as_ref() == Some(&caller.account) => thread,
        _ => return Err(Problem::new(ProblemCode::ThreadNotFound, Message::ThreadNotFound)),
    };
    let history = person_threads::load_history(&threads, thread.id, call.lang).await?;
    Ok(response::json(StatusCode::OK, json::write(&history)))
}
