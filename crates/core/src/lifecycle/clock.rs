//! Detection of clock changes: if a clock is set, deadlines move with it. Time that a machine slept counts as time.

use crate::limits;
use jiff::{SignedDuration, Timestamp};

/// Readings of a machine's clocks at one moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClockSample {
    /// The wall clock, which people read and set.
    pub wall: Timestamp,
    /// A monotonic clock, if the machine has one.
    pub monotonic: Option<MonotonicTime>,
}

/// A monotonic clock. It goes on while the machine sleeps, and restarts at boot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MonotonicTime {
    /// Identifies the boot it counts from.
    pub boot_id: i64,
    /// Microseconds since boot.
    pub micros: i64,
}

/// Offset of the wall clock from the monotonic clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClockOffset {
    /// Identifies the boot.
    pub boot_id: i64,
    /// Microseconds.
    pub ahead: i64,
}

impl ClockSample {
    /// Returns the offset of the two clocks now. `None` without a monotonic clock.
    pub fn offset(&self) -> Option<ClockOffset> {
        let steady = self.monotonic?;
        Some(ClockOffset {
            boot_id: steady.boot_id,
            ahead: self.wall.as_microsecond().saturating_sub(steady.micros),
        })
    }

    /// Returns the adjustment of the wall clock since `anchor`, if it was set. After a reboot the time that the
    /// machine was off is unknown; the clock only cannot be before the `last` event.
    pub fn adjustment_since(
        &self,
        anchor: Option<ClockOffset>,
        last: Option<Timestamp>,
    ) -> Option<SignedDuration> {
        let now = self.offset()?;
        let micros = match (anchor, last) {
            (Some(anchor), _) if anchor.boot_id == now.boot_id => now.ahead.saturating_sub(anchor.ahead),
            (_, Some(last)) => self.wall.as_microsecond().saturating_sub(last.as_microsecond()).min(0),
            (_, None) => 0,
        };
        let adjustment = SignedDuration::from_micros(micros);
        let is_set = adjustment.abs() > SignedDuration::from_secs(limits::CLOCK_CHANGE_SECONDS);
        if is_set { Some(adjustment) } else { None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR: i64 = 3_600;

    fn at(wall: i64, boot: i64, steady: i64) -> ClockSample {
        let micros = steady * 1_000_000;
        ClockSample {
            wall: Timestamp::from_second(wall).unwrap(),
            monotonic: Some(MonotonicTime { boot_id: boot, micros }),
        }
    }

    fn set_by(before: ClockSample, after: ClockSample) -> Option<i64> {
        after.adjustment_since(before.offset(), Some(before.wall)).map(|by| by.as_secs())
    }

    #[test]
    fn elapsed_time_is_no_clock_change() {
        assert_eq!(set_by(at(1_000, 7, 50), at(1_001, 7, 51)), None);
        assert_eq!(set_by(at(1_000, 7, 50), at(1_000 + 9 * HOUR, 7, 50 + 9 * HOUR)), None);
    }

    #[test]
    fn clock_change_is_measured() {
        assert_eq!(set_by(at(1_000, 7, 50), at(1_010 + HOUR, 7, 60)), Some(HOUR));
        assert_eq!(set_by(at(9_000, 7, 50), at(9_010 - HOUR, 7, 60)), Some(-HOUR));
        // Set while it slept.
        assert_eq!(set_by(at(1_000, 7, 50), at(1_000 + 3 * HOUR, 7, 50 + 2 * HOUR)), Some(HOUR));
    }

    #[test]
    fn small_corrections_are_ignored() {
        assert_eq!(set_by(at(1_000, 7, 50), at(1_005, 7, 50)), None);
        assert_eq!(set_by(at(1_000, 7, 50), at(995, 7, 50)), None);
        assert_eq!(set_by(at(1_000, 7, 50), at(1_006, 7, 50)), Some(6));
    }

    #[test]
    fn reboot_only_moves_clock_back() {
        assert_eq!(set_by(at(9_000, 7, 50), at(9_000 + HOUR, 8, 1)), None);
        // A clock that lost its battery makes nothing due earlier or later.
        assert_eq!(set_by(at(9_000, 7, 50), at(0, 8, 1)), Some(-9_000));
        assert_eq!(at(9_000, 8, 1).adjustment_since(None, None), None);
    }

    #[test]
    fn missing_monotonic_clock_reports_nothing() {
        let reading = ClockSample { wall: Timestamp::from_second(9_000).unwrap(), monotonic: None };
        assert_eq!(reading.adjustment_since(at(1, 7, 1).offset(), Some(Timestamp::UNIX_EPOCH)), None);
    }
}
