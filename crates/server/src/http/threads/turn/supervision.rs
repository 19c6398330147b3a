//! Supervision of turns: reports missing agents to the person, and ends turns of failed agents.

use super::active_turn::ActiveTurn;
use super::open_asks::{first_open_ask, settle_asks};
use super::turn_state::TurnAction;
use crate::diagnostics::log_event;
use crate::http::context::find_ask;
use crate::http::threads::thread_state::ThreadState;
use sayso_core::i18n::own;
use sayso_core::{Ask, AskId, LocalizedText, Message, Outcome, Problem, ProblemCode, limits};
use sayso_desk::StoreDesk;
use sayso_dialects::interrupt::end_events;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::time::{sleep, timeout};

/// Interval of the supervision.
const SUPERVISION_INTERVAL: Duration = Duration::from_millis(500);

/// Supervises the turns until shutdown.
pub(in crate::http) async fn supervise_turns(threads: Arc<ThreadState>) {
    for live in threads.registry.all() {
        for ask in live.open_asks() {
            watch_expiry(&threads, &live, ask);
        }
    }
    while !threads.context.closing.is_cancelled() {
        if threads.registry.is_idle() {
            let new_turn = threads.context.closing.run_until_cancelled(threads.registry.ready.notified());
            // A turn added in between is seen in the next pass.
            let _ = timeout(SUPERVISION_INTERVAL * 4, new_turn).await;
            continue;
        }
        for (live, action) in threads.registry.due_actions(Instant::now(), threads.context.delays) {
            let state = threads.clone();
            // A failed action is retried in the next pass; the call logs its error.
            let _ = threads.context.with_desk(move |desk| run_action(&state, desk, &live, action)).await;
        }
        // The loop itself checks for shutdown.
        let _ = threads.context.closing.run_until_cancelled(sleep(SUPERVISION_INTERVAL)).await;
    }
}

/// Ends the turn of an ask once that expires.
pub(in crate::http::threads) fn watch_expiry(threads: &Arc<ThreadState>, live: &Arc<ActiveTurn>, ask: AskId) {
    let threads = threads.clone();
    let live = live.clone();
    tokio::spawn(async move {
        let closing = threads.context.closing.clone();
        // The call logs its error.
        let _ = closing.run_until_cancelled(end_at_expiry(&threads, live, ask)).await;
    });
}

async fn end_at_expiry(threads: &Arc<ThreadState>, live: Arc<ActiveTurn>, ask: AskId) -> Result<(), Problem> {
    let mut changes = threads.context.change_notifier.subscribe(vec![ask])?;
    loop {
        let Some(found_ask) = threads.context.with_desk(move |desk| find_ask(desk, ask)).await? else {
            return Ok(());
        };
        match found_ask.outcome() {
            None => changes.changed().await,
            Some(outcome @ Outcome::Expired { .. }) => {
                let reason = expiry_message(&found_ask, outcome);
                let state = threads.clone();
                let desk_call = threads
                    .context
                    .with_desk(move |desk| fail(&state, desk, &live, LocalizedText::Verbatim(reason)));
                return desk_call.await;
            }
            Some(_) => return Ok(()),
        };
    }
}

/// Returns the message with which the stream of an expired ask ends.
fn expiry_message(ask: &Ask, outcome: &Outcome) -> String {
    let events = end_events(&ask.request.questionnaire, outcome);
    let message = events.first().and_then(|error| error.data.get("message")?.as_str());
    message.unwrap_or_default().to_owned()
}

fn run_action(
    threads: &ThreadState,
    desk: &StoreDesk,
    live: &Arc<ActiveTurn>,
    action: TurnAction,
) -> Result<(), Problem> {
    let (name, reason) = match action {
        TurnAction::CheckForAsk => {
            if first_open_ask(desk, live.open_asks_with_turn().collect())?.is_some() {
                live.touch(Instant::now());
            }
            return Ok(());
        }
        TurnAction::EndFailed => ("failed", Message::TurnFailed.with([limits::TURN_ATTEMPTS])),
        TurnAction::EndSilent => {
            let seconds = threads.context.delays.turn_silence.as_secs();
            ("silent", Message::TurnSilent.with([own(seconds)]))
        }
    };
    log_event!(WARN, Threads, "turn ended for its agent", reason = name);
    fail(threads, desk, live, reason)
}

/// Ends a turn without its agent.
fn fail(
    threads: &ThreadState,
    desk: &StoreDesk,
    live: &Arc<ActiveTurn>,
    reason: LocalizedText,
) -> Result<(), Problem> {
    settle_asks(desk, live)?;
    match live.fail(desk, || threads.registry.remove(live), reason) {
        Err(problem) if problem.code == ProblemCode::TurnOver => {
            threads.registry.remove(live);
            live.close();
            Ok(())
        }
        result => result,
    }
}
