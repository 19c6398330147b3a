//! Submissions on any surface: their idempotency key, and the short wait for the verdict of an asker that judges at once,
//! so that the sender sees it instead of "yet to accept".

use sayso_core::model::ask::AskPhase;
use sayso_core::{Ask, Digest};
use sayso_desk::{Desk, Interest};
use std::time::{Duration, Instant};

/// Maximum wait for a verdict.
const VERDICT_WAIT: Duration = Duration::from_millis(500);

/// Returns the ask after a short wait for the verdict on the last submission.
pub fn wait_for_verdict(desk: &dyn Desk, ask: Ask) -> Ask {
    if !matches!(ask.state.phase, AskPhase::Submitted { .. }) {
        return ask;
    }
    let deadline = Instant::now() + VERDICT_WAIT;
    let mut latest_ask = ask;
    let Ok(mut watch) = desk.watch(Interest::Ask(latest_ask.id), None) else { return latest_ask };
    loop {
        // The submission is stored, even if the desk fails now.
        let Ok(ask) = desk.get(latest_ask.id) else { return latest_ask };
        latest_ask = ask;
        let rest = deadline.saturating_duration_since(Instant::now());
        let is_undecided = matches!(latest_ask.state.phase, AskPhase::Submitted { .. });
        if !is_undecided || rest.is_zero() || watch.wait(rest).is_err() {
            return latest_ask;
        }
    }
}

/// Returns an idempotency key for a person's command: equal for equal content in the same round, so that a retry
/// changes nothing.
pub(crate) fn idempotency_key(ask: &Ask, act: &str, text: &str) -> String {
    let round = match &ask.state.phase {
        AskPhase::Open { round, .. } | AskPhase::Submitted { round, .. } => *round,
        AskPhase::Settled(_) => 0,
    };
    let parts = [ask.id.to_string(), round.to_string(), act.to_owned(), text.to_owned()];
    format!("terminal-{}", Digest::compute(parts.join("\u{1f}").as_bytes()))
}
