//! Supervision of turns: their persons hear why nothing comes, and a turn whose agent fails ends.

use super::agent::settle;
use super::live::Live;
use super::person::first_open;
use crate::http::app::App;
use sayso_core::{Code, Lang, Message, Problem, limits};
use sayso_desk::LocalDesk;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::time::sleep;

/// How often turns are looked at.
const PACE: Duration = Duration::from_millis(500);

/// What is to be done for a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Care {
    /// Look whether it waits for its person: nothing is wrong then.
    LookForAsk,
    /// End it: its agent failed too often.
    EndFailed,
    /// End it: its agent has said nothing for too long.
    EndSilent,
}

/// Looks after the turns until the server closes.
pub(in crate::http) async fn look_after_turns(app: Arc<App>) {
    while !app.closing.is_cancelled() {
        if app.threads.is_idle() {
            let begun = app.threads.ready.notified();
            // A turn that began in between is seen at the next look.
            let _ = tokio::time::timeout(PACE * 4, app.closing.run_until_cancelled(begun)).await;
            continue;
        }
        for (live, care) in app.threads.look_after(Instant::now(), app.turn_silence) {
            let here = app.clone();
            // What cannot be done now is tried again at the next look.
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
