//! Supervision of turns: reports missing agents to the person, and ends turns of failed agents.

use super::active_turn::ActiveTurn;
use crate::diagnostics::log_event;
use crate::http::threads::agent::settle_asks;
use crate::http::threads::person::first_open_ask;
use crate::http::threads::thread_state::ThreadState;
use sayso_core::{Lang, Message, Problem, ProblemCode, limits};
use sayso_desk::ServerDesk;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::time::sleep;

/// Interval of the supervision.
const SUPERVISION_INTERVAL: Duration = Duration::from_millis(500);

/// Action to take for a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TurnAction {
    /// Check for an open ask, in which case the turn rightly waits.
    CheckForAsk,
    /// End the turn: its agent failed too often.
    EndFailed,
    /// End the turn: its agent was silent for too long.
    EndSilent,
}

/// Supervises the turns until shutdown.
pub(in crate::http) async fn supervise_turns(threads: Arc<ThreadState>) {
    while !threads.context.closing.is_cancelled() {
        if threads.registry.is_idle() {
            let added = threads.registry.ready.notified();
            // A turn added in between is seen in the next pass.
            let _ = tokio::time::timeout(
                SUPERVISION_INTERVAL * 4,
                threads.context.closing.run_until_cancelled(added),
            )
            .await;
            continue;
        }
        for (live, care) in threads.registry.due_actions(Instant::now(), threads.context.delays) {
            let state = threads.clone();
            // A failed action is retried in the next pass; the call logs its error.
            let _ = threads.context.with_desk(move |desk| run_action(&state, desk, &live, care)).await;
        }
        // The loop itself checks for shutdown.
        let _ = threads.context.closing.run_until_cancelled(sleep(SUPERVISION_INTERVAL)).await;
    }
}

fn run_action(
    threads: &ThreadState,
    desk: &dyn ServerDesk,
    live: &Arc<ActiveTurn>,
    action: TurnAction,
) -> Result<(), Problem> {
    let why = match action {
        TurnAction::CheckForAsk => {
            if first_open_ask(desk, live.open_asks_with_turn().collect())?.is_some() {
                live.touch(Instant::now());
            }
            return Ok(());
        }
        TurnAction::EndFailed => Message::TurnFailed.render_with(Lang::En, [limits::TURN_ATTEMPTS]),
        TurnAction::EndSilent => {
            Message::TurnSilent.render_with(Lang::En, [threads.context.delays.turn_silence.as_secs()])
        }
    };
    let reason = if action == TurnAction::EndSilent { "silent" } else { "failed" };
    log_event!(WARN, Threads, "turn ended for its agent", reason = reason);
    settle_asks(desk, live)?;
    match live.fail(desk, || threads.registry.remove(live), &why) {
        Err(problem) if problem.code == ProblemCode::TurnOver => {
            threads.registry.remove(live);
            live.close();
            Ok(())
        }
        ended => ended,
    }
}
