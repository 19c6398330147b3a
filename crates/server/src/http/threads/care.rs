//! Supervision of turns: reports missing agents to the person, and ends turns of failed agents.

use super::agent::settle;
use super::live::Live;
use super::person::first_open;
use crate::http::app::App;
use sayso_core::{Code, Lang, Message, Problem, limits};
use sayso_desk::LocalDesk;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::time::sleep;

/// Interval of the supervision.
const PACE: Duration = Duration::from_millis(500);

/// Action to take for a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Care {
    /// Check for an open ask, in which case the turn rightly waits.
    LookForAsk,
    /// End the turn: its agent failed too often.
    EndFailed,
    /// End the turn: its agent was silent for too long.
    EndSilent,
}

/// Supervises the turns until shutdown.
pub(in crate::http) async fn look_after_turns(app: Arc<App>) {
    while !app.closing.is_cancelled() {
        if app.threads.is_idle() {
            let begun = app.threads.ready.notified();
            // A turn added in between is seen in the next pass.
            let _ = tokio::time::timeout(PACE * 4, app.closing.run_until_cancelled(begun)).await;
            continue;
        }
        for (live, care) in app.threads.look_after(Instant::now(), app.turn_silence) {
            let here = app.clone();
            // A failed action is retried in the next pass.
            let _ = app.at_desk(move |desk| take_care(&here, desk, &live, care)).await;
        }
        let _ = app.closing.run_until_cancelled(sleep(PACE)).await;
    }
}

fn take_care(app: &App, desk: &LocalDesk, live: &Arc<Live>, care: Care) -> Result<(), Problem> {
    let why = match care {
        Care::LookForAsk => {
            if first_open(desk, live.may_wait().collect())?.is_some() {
                live.touch(Instant::now());
            }
            return Ok(());
        }
        Care::EndFailed => Message::TurnFailed.say(Lang::En, [limits::TURN_TRIES]),
        Care::EndSilent => Message::TurnSilent.say(Lang::En, [app.turn_silence.as_secs()]),
    };
    settle(desk, live)?;
    match live.fail(desk, &why) {
        Err(problem) if problem.code != Code::TurnOver => return Err(problem),
        Err(_) => live.close(),
        Ok(()) => {}
    }
    app.threads.remove(live);
    Ok(())
}
