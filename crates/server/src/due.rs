//! When an ask that is waited for changes by itself.

use jiff::Timestamp;
use std::time::Duration;

/// How long to wait before an ask that is past its time by the clock of this machine is read again.
const OVERDUE: Duration = Duration::from_secs(1);

/// How long until an ask changes by itself that is due then, where it is. Past that time the desk's own clock, which may
/// be behind, has the last word: it is asked now and then.
pub(crate) fn left(due: Option<Timestamp>, now: Timestamp) -> Option<Duration> {
    let left = Duration::try_from(due?.duration_since(now)).unwrap_or_default();
    Some(if left.is_zero() { OVERDUE } else { left })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_desk_whose_clock_is_behind_is_not_asked_without_end() {
        let now = Timestamp::from_second(1_000_000).unwrap();
        let at = |ms: i64| Timestamp::from_millisecond(1_000_000_000 + ms).ok();
        assert_eq!(left(None, now), None);
        assert_eq!(left(at(20), now), Some(Duration::from_millis(20)));
        for late in [0, -1, -3_600_000] {
            assert_eq!(left(at(late), now), Some(OVERDUE), "{late}");
        }
    }
}
