//! Run of one turn in the session of its thread.
//!
//! **Invariant:** a turn ends, unless the server shuts down or the thread is deleted. A program that fails is started
//! again a few times, and the person is told each time.

use super::agent_side::AgentSide;
use super::decision::{AskedCalls, is_over};
use super::session_pool::SessionPool;
use crate::acp::{
    AgentFailure, AgentMessage, AgentSandbox, AgentSession, AgentUpdate, AskedCall, CallDecision, PromptEnd,
};
use crate::diagnostics::log_event;
use crate::http::threads::agent::TurnBody;
use crate::http::threads::turn::published_event::PublishedEvent;
use futures_util::stream::{FuturesUnordered, StreamExt as _};
use sayso_core::{Lang, Message, Problem, ProblemCode, limits};
use sayso_desk::ServerDesk;
use sayso_desk::token::count_person_accounts;
use std::sync::Arc;
use std::time::Duration;
use tokio::pin;
use tokio::sync::oneshot;
use tokio::time::{Instant, interval, sleep, sleep_until, timeout};

/// Interval at which a turn is kept, and checked for its end.
const KEEP_INTERVAL: Duration = Duration::from_millis(500);
/// Time after which a person is told that the program still starts.
const START_NOTICE: Duration = Duration::from_millis(500);
/// Time that an agent has to end a prompt that was cancelled.
const CANCEL_TIME: Duration = Duration::from_secs(5);
/// Delay before a program is started again, times the attempts so far.
const RETRY_DELAY: Duration = Duration::from_millis(250);
/// Most messages that one publication has.
const BATCH: usize = 64;

/// Result of one attempt.
enum AttemptEnd {
    /// The agent has ended its work, or given up for this reason.
    Ended(Option<String>),
    /// The program failed.
    Failed(AgentFailure),
    /// The turn is no longer this server's.
    Over,
}

/// Runs a turn to its end.
pub(super) async fn run_turn(side: AgentSide, pool: Arc<SessionPool>, turn: TurnBody) {
    let mut attempt = 1;
    let error = loop {
        match run_attempt(&side, &pool, &turn).await {
            AttemptEnd::Over => return forget_deleted(&side, &pool, &turn).await,
            AttemptEnd::Ended(error) => break error,
            AttemptEnd::Failed(failure) => {
                log_event!(WARN, Threads, "program of an agent failed", reason = failure.kind());
                let is_last = attempt >= limits::TURN_ATTEMPTS || !failure.is_worth_a_retry();
                if is_last {
                    break Some(failure.describe());
                }
                attempt += 1;
                let counts = [failure.describe(), attempt.to_string(), limits::TURN_ATTEMPTS.to_string()];
                let message = Message::AgentStartsAgain.render_with(Lang::En, counts);
                if side
                    .publish(&turn, &[PublishedEvent::Error(message)])
                    .is_err_and(|problem| is_over(&problem))
                {
                    return;
                }
                sleep(RETRY_DELAY * attempt).await;
            }
        }
    };
    while let Err(problem) = side.end(&turn, error.clone()).await {
        if is_over(&problem) || side.threads.context.closing.is_cancelled() {
            return;
        }
        // The desk failed to store it; the call has logged it.
        sleep(KEEP_INTERVAL).await;
    }
}

/// Deletes what a deleted thread has left.
async fn forget_deleted(side: &AgentSide, pool: &SessionPool, turn: &TurnBody) {
    let id = turn.thread_id.clone();
    let thread = side.threads.context.with_desk(move |desk| desk.thread(&id)).await;
    if matches!(thread, Ok(None)) {
        pool.forget(&turn.thread_id);
    }
}

/// Returns why an agent without a sandbox may not run, if the desk has a second account by now.
async fn find_missing_wall(side: &AgentSide, pool: &SessionPool) -> Option<String> {
    if pool.config.sandbox != AgentSandbox::Open || pool.config.user.is_some() {
        return None;
    }
    let now = (side.threads.context.now)();
    let count = move |desk: &dyn ServerDesk| Ok(count_person_accounts(&desk.tokens()?, now));
    let is_alone = side.threads.context.with_desk(count).await.is_ok_and(|count| count <= 1);
    (!is_alone).then(|| Message::AgentWallNeeded.plain(Lang::En).to_owned())
}

async fn run_attempt(side: &AgentSide, pool: &SessionPool, turn: &TurnBody) -> AttemptEnd {
    if let Some(reason) = find_missing_wall(side, pool).await {
        return AttemptEnd::Ended(Some(reason));
    }
    let mut pooled = match start_session(side, pool, turn).await {
        Ok(pooled) => pooled,
        Err(end) => return end,
    };
    if std::mem::take(&mut pooled.session.has_forgotten) {
        let message = Message::AgentForgot.plain(Lang::En).to_owned();
        if let Err(problem) = side.publish(turn, &[PublishedEvent::Error(message)]) {
            return ended_by(&problem);
        }
    }
    let end = run_prompt(side, &pooled.session, turn).await;
    if matches!(end, AttemptEnd::Ended(None)) {
        pool.keep(&turn.thread_id, pooled);
    }
    end
}

/// Takes or starts the session, and keeps the turn meanwhile.
async fn start_session(
    side: &AgentSide,
    pool: &SessionPool,
    turn: &TurnBody,
) -> Result<super::session_pool::PooledSession, AttemptEnd> {
    let started = pool.take(&turn.thread_id);
    pin!(started);
    let notice = sleep(START_NOTICE);
    pin!(notice);
    let (mut keep, mut is_told) = (interval(KEEP_INTERVAL), false);
    loop {
        tokio::select! {
            started = &mut started => return started.map_err(AttemptEnd::Failed),
            () = &mut notice, if !is_told => {
                is_told = true;
                side.show_status(turn, "starting").map_err(|problem| ended_by(&problem))?;
            }
            _ = keep.tick() => side.publish(turn, &[]).map_err(|problem| ended_by(&problem))?,
        }
    }
}

/// Returns how an attempt ends with a problem of its turn.
fn ended_by(problem: &Problem) -> AttemptEnd {
    if is_over(problem) {
        AttemptEnd::Over
    } else {
        AttemptEnd::Ended(Some(problem.message.render(Lang::En)))
    }
}

/// Call that waits for its decision.
type WaitingCall = (AskedCall, oneshot::Sender<CallDecision>);

/// Sends the message, and passes on what the agent does until its prompt ends.
async fn run_prompt(side: &AgentSide, session: &AgentSession, turn: &TurnBody) -> AttemptEnd {
    let (mut messages, finished) = session.prompt(turn.message.clone()).await;
    pin!(finished);
    let asked = AskedCalls::default();
    let mut waiting = FuturesUnordered::new();
    let (mut keep, mut batch, mut heard_at) = (interval(KEEP_INTERVAL), Vec::new(), Instant::now());
    let mut is_open = true;
    let silence = side.threads.context.delays.turn_silence;
    let end = loop {
        let published = tokio::select! {
            biased;
            count = messages.recv_many(&mut batch, BATCH), if is_open => {
                (is_open, heard_at) = (count > 0, Instant::now());
                let (events, calls) = sort_messages(batch.drain(..));
                for (call, decide) in calls {
                    let asked = &asked;
                    waiting.push(async move { (decide, asked.decide(side, turn, call).await) });
                }
                side.publish(turn, &events)
            }
            Some((decide, decided)) = waiting.next(), if !waiting.is_empty() => {
                heard_at = Instant::now();
                pass_on(side, turn, decide, decided)
            }
            end = &mut finished => break Ok(end),
            _ = keep.tick() => side.publish(turn, &[]),
            () = sleep_until(heard_at + silence), if waiting.is_empty() => {
                let silence = Message::TurnSilent.with([silence.as_secs()]);
                Err(Problem::new(ProblemCode::DeskFailed, silence))
            }
        };
        if let Err(problem) = published {
            break Err(problem);
        }
    };
    drop(waiting);
    let end = end.and_then(|end| {
        // What was sent before the end is there by now.
        let (events, _) = sort_messages(std::iter::from_fn(|| messages.try_recv().ok()));
        side.publish(turn, &events).map(|()| end)
    });
    match end {
        Ok(PromptEnd::Finished) => AttemptEnd::Ended(None),
        Ok(PromptEnd::Stopped(reason)) => {
            AttemptEnd::Ended(Some(Message::AgentGaveUp.render_with(Lang::En, [reason])))
        }
        Ok(PromptEnd::Failed(failure)) => AttemptEnd::Failed(failure),
        Err(problem) => {
            drop(messages);
            session.cancel().await;
            // It is ended if it does not obey: the caller keeps only sessions whose prompt has ended.
            let _ = timeout(CANCEL_TIME, finished).await;
            ended_by(&problem)
        }
    }
}

/// Passes a decision on to the agent, or tells the person why there is none.
fn pass_on(
    side: &AgentSide,
    turn: &TurnBody,
    decide: oneshot::Sender<CallDecision>,
    decided: Result<Option<CallDecision>, Problem>,
) -> Result<(), Problem> {
    match decided {
        Ok(decision) => {
            // An agent that is gone does not hear it.
            drop(decision.map(|decision| decide.send(decision)));
            Ok(())
        }
        Err(problem) if is_over(&problem) => Err(problem),
        Err(problem) => side.publish(turn, &[PublishedEvent::Error(problem.message.render(Lang::En))]),
    }
}

/// Separates progress from calls that need a decision.
fn sort_messages(messages: impl Iterator<Item = AgentMessage>) -> (Vec<PublishedEvent>, Vec<WaitingCall>) {
    let (mut events, mut calls) = (Vec::new(), Vec::new());
    for message in messages {
        match message {
            AgentMessage::Update(update) => events.push(to_event(update)),
            AgentMessage::Ask(call, decide) => calls.push((call, decide)),
        }
    }
    (events, calls)
}

fn to_event(update: AgentUpdate) -> PublishedEvent {
    match update {
        AgentUpdate::Text(text) => PublishedEvent::Text(text),
        AgentUpdate::ToolStart(tool) => PublishedEvent::ToolStart(tool),
        AgentUpdate::ToolEnd(tool) => PublishedEvent::ToolEnd(tool),
        AgentUpdate::Title(title) => PublishedEvent::Title(title),
        AgentUpdate::Refusal(reason) => PublishedEvent::Error(reason),
    }
}
