//! Routes for the agent: take the next turn, publish events, and end the turn.

use super::live::{Live, Published};
use super::registry::{Polling, Taken};
use super::sessions;
use crate::http::app::{App, found};
use crate::http::call::Call;
use crate::http::caller::{Caller, From};
use crate::http::gate::unauthorized;
use crate::http::reply;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use sayso_core::wire::json;
use sayso_core::{Asker, Code, Command, Message, Path, Problem, Who, limits};
use sayso_desk::{Desk as _, LocalDesk};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{Instant, timeout_at};

/// Interval at which a waiting request checks for turns with an expired lease.
const LOOK: Duration = Duration::from_secs(1);

/// Who wants a turn.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::http) struct NextTurn {
    /// What this process of the agent calls itself, where there are several.
    #[serde(default)]
    #[schemars(length(max = 200))]
    worker: String,
    /// The process has just begun: what one of this name had before is given out again.
    #[serde(default)]
    anew: bool,
}

/// A message to do something about.
#[derive(Serialize, JsonSchema)]
pub(in crate::http) struct TurnBody {
    /// The thread.
    thread_id: String,
    /// Shows that the turn is with this process.
    turn: String,
    /// What the person said.
    message: String,
    /// Somebody had this turn before and did not end it.
    again: bool,
}

/// Returns the agent as the asker of a thread.
///
/// # Errors
/// Fails if the caller may not ask.
pub(super) fn asker(caller: &Caller, thread: &str) -> Result<Asker, Problem> {
    caller.asker(From { session: Some(thread.to_owned()), ..From::default() })
}

pub(in crate::http) async fn next(app: Arc<App>, call: Call) -> Result<Response, Problem> {
    let caller = call.caller()?.clone();
    let NextTurn { worker, anew } = call.json()?;
    let until = Instant::now() + call.wait()?;
    drop(call);
    asker(&caller, "")?;
    if worker.chars().count() > limits::WORKER_CHARS {
        let said = Message::NameTooLong.with([limits::WORKER_CHARS]);
        return Err(Problem::new(Code::TooBig, said).at(Path::root().then("worker")));
    }
    if anew {
        app.threads.begin_anew(&caller.account, &worker);
    }
    let _counted = app.metrics.wait();
    let _polling = Polling::begin(&app, &caller.account, &worker);
    let stay = app.stays.begin(caller.shown.clone());
    loop {
        let mut ready = pin!(app.threads.ready.notified());
        // Enabling the notification before checking misses nothing.
        ready.as_mut().enable();
        if let Some(taken) = app.threads.take(&caller.account, &worker)? {
            match begin(&app, &caller.account, taken).await? {
                Some(reply) => return Ok(reply),
                None => continue,
            }
        }
        let now = Instant::now();
        if now >= until {
            return Ok(StatusCode::NO_CONTENT.into_response());
        }
        tokio::select! {
            _ = timeout_at(until.min(now + LOOK), ready) => {}
            () = stay.over() => return Err(unauthorized(Message::TokenUnknown)),
            () = app.closing.cancelled() => return Ok(StatusCode::NO_CONTENT.into_response()),
        }
    }
}

/// Returns the response with the turn, or `None` if the desk did not grant it.
async fn begin(app: &Arc<App>, agent: &str, taken: Taken) -> Result<Option<Response>, Problem> {
    let (live, by, holder) = (taken.live.clone(), agent.to_owned(), taken.holder.clone());
    match app.at_desk(move |desk| desk.take_turn(live.turn, &live.thread, &by, holder)).await {
        Ok(()) => {}
        Err(problem) if problem.code == Code::TurnOver => {
            correct(app, taken).await?;
            return Ok(None);
        }
        Err(problem) => {
            app.threads.give_back(taken, None);
            return Err(problem);
        }
    }
    let live = &taken.live;
    let body = TurnBody {
        thread_id: live.thread.clone(),
        turn: format!("{}.{}", live.turn, taken.holder.secret),
        message: live.message.clone(),
        again: taken.again(),
    };
    Ok(Some(reply::json(StatusCode::OK, json::write(&body))))
}

/// Synchronizes a turn with the desk: removes it, or assigns its thread to the agent that the desk knows.
async fn correct(app: &Arc<App>, taken: Taken) -> Result<(), Problem> {
    let turns = app.at_desk(LocalDesk::pending_turns).await.map(|turns| {
        let live = &taken.live;
        turns.into_iter().find(|turn| turn.number == live.turn && turn.thread == live.thread)
    });
    match turns {
        Ok(Some(turn)) => app.threads.give_back(taken, turn.agent),
        Ok(None) => {
            app.threads.remove(&taken.live);
            taken.live.close();
        }
        Err(problem) => {
            app.threads.give_back(taken, None);
            return Err(problem);
        }
    }
    Ok(())
}

/// Returns the turn that the caller holds in the thread of the path.
pub(super) fn held(app: &App, call: &Call, shown: &str) -> Result<Arc<Live>, Problem> {
    let caller = call.caller()?;
    asker(caller, "")?;
    app.threads.held(&caller.account, call.part(), shown)
}

/// What happens in a turn.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::http) struct TurnEvents {
    /// The turn, as it was given.
    turn: String,
    /// What is told, in its order. With none of it the turn is kept all the same.
    events: Vec<Published>,
}

pub(in crate::http) async fn publish(app: Arc<App>, call: Call) -> Result<Response, Problem> {
    let TurnEvents { turn, events } = call.json()?;
    held(&app, &call, &turn)?.publish(&events)?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// A turn to end.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::http) struct TurnEnd {
    /// The turn, as it was given.
    turn: String,
}

pub(in crate::http) async fn end(app: Arc<App>, call: Call) -> Result<Response, Problem> {
    let TurnEnd { turn } = call.json()?;
    let (agent, thread) = (call.caller()?.account.clone(), call.part().to_owned());
    let live = match held(&app, &call, &turn) {
        Err(problem) if problem.code == Code::TurnOver && app.threads.was_ended(&agent, &thread, &turn) => {
            return Ok(StatusCode::NO_CONTENT.into_response());
        }
        held => held?,
    };
    let here = app.clone();
    app.at_desk(move |desk| {
        settle(desk, &live)?;
        live.end(desk)?;
        here.threads.note_ended(&agent, &thread, &turn);
        here.threads.remove(&live);
        Ok(())
    })
    .await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// Cancels the agent's open asks and acknowledges settled ones.
pub(super) fn settle(desk: &LocalDesk, live: &Live) -> Result<(), Problem> {
    for id in live.asks() {
        let Some(ask) = found(desk, id)? else { continue };
        let asker = Who::Asker(ask.request.asker.clone());
        if ask.outcome().is_none() {
            desk.act(&asker, id, None, Command::Cancel)?;
        } else if !ask.is_delivered() {
            desk.ack(&ask.request.asker, id)?;
        }
    }
    Ok(())
}

/// Returns the history of one of the agent's threads.
pub(in crate::http) async fn history(app: Arc<App>, call: Call) -> Result<Response, Problem> {
    let caller = call.caller()?.clone();
    asker(&caller, "")?;
    let id = call.part().to_owned();
    let thread = app.at_desk(move |desk| desk.thread(&id)).await?;
    let own = thread.filter(|thread| thread.agent.as_deref() == Some(caller.account.as_str()));
    let stranger = || Problem::new(Code::ThreadNotFound, Message::ThreadNotFound);
    let history = sessions::said(&app, own.ok_or_else(stranger)?.id).await?;
    Ok(reply::json(StatusCode::OK, json::write(&history)))
}
