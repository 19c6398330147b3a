//! Time on the wall clock and on a monotonic clock.

use jiff::{Timestamp, Zoned};
use std::time::Duration;

/// A point in time on both clocks.
#[derive(Debug, Clone)]
pub struct ClockReading {
    /// Time in the person's time zone. The clock may be set forward and back.
    pub wall: Zoned,
    /// Monotonic time, for durations. Its origin is arbitrary.
    pub monotonic: Timestamp,
}

/// Returns the time between two points of the monotonic clock.
pub(super) fn elapsed(then: Timestamp, now: Timestamp) -> Duration {
    now.duration_since(then).unsigned_abs()
}
