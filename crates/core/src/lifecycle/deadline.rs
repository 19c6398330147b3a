//! How long an ask may take.

use crate::limits;
use crate::message::Message;
use crate::problem::{Code, Problem};
use jiff::{SignedDuration, Timestamp};

/// How long an ask may take, from its milliseconds: at least one, and at most [`limits::TIME_LIMIT_SECONDS`].
///
/// # Errors
/// When it is out of these bounds.
pub fn time_limit(limit_ms: i64) -> Result<SignedDuration, Problem> {
    let is_within = (1..=limits::TIME_LIMIT_SECONDS * 1_000).contains(&limit_ms);
    is_within.then(|| SignedDuration::from_millis(limit_ms)).ok_or_else(no_time_limit)
}

fn no_time_limit() -> Problem {
    let days = limits::TIME_LIMIT_SECONDS / 86_400;
    Problem::new(Code::InvalidValue, Message::TimeLimitBounds.with([days]))
}

/// When an ask ends by itself that is begun now.
pub(super) fn deadline_after(limit_ms: i64, now: Timestamp) -> Result<Timestamp, Problem> {
    now.checked_add(time_limit(limit_ms)?).map_err(|_| no_time_limit())
}
