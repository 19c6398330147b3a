//! Time limits of asks.

use crate::i18n::Message;
use crate::limits;
use crate::problem::{Problem, ProblemCode};
use jiff::{SignedDuration, Timestamp};

/// Converts a time limit in milliseconds: at least one, and at most [`limits::TIME_LIMIT_SECONDS`].
///
/// # Errors
/// Fails if it is out of these bounds.
pub fn time_limit(limit_ms: i64) -> Result<SignedDuration, Problem> {
    if !(1..=limits::TIME_LIMIT_SECONDS * 1_000).contains(&limit_ms) {
        return Err(time_limit_problem());
    }
    Ok(SignedDuration::from_millis(limit_ms))
}

fn time_limit_problem() -> Problem {
    let days = limits::TIME_LIMIT_SECONDS / 86_400;
    Problem::new(ProblemCode::InvalidValue, Message::TimeLimitBounds.with([days]))
}

/// Returns the deadline of a round that starts now.
pub(super) fn deadline_after(limit_ms: i64, now: Timestamp) -> Result<Timestamp, Problem> {
    now.checked_add(time_limit(limit_ms)?).map_err(|_| time_limit_problem())
}
