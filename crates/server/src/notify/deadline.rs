//! Time until an ask changes by itself.

use jiff::Timestamp;
use std::time::Duration;

/// Delay before an ask that is overdue by the local clock is read again.
const OVERDUE_RETRY: Duration = Duration::from_secs(1);

/// Returns the time until the deadline. If it has passed by the local clock, the desk's clock may be behind: then the
/// desk is polled every [`OVERDUE_RETRY`].
pub(crate) fn time_left(deadline: Option<Timestamp>, now: Timestamp) -> Option<Duration> {
    let time = Duration::try_from(deadline?.duration_since(now)).unwrap_or_default();
    Some(if time.is_zero() { OVERDUE_RETRY } else { time })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overdue_ask_is_polled_with_delay() {
        let now = Timestamp::from_second(1_000_000).unwrap();
        let at = |ms: i64| Timestamp::from_millisecond(1_000_000_000 + ms).ok();
        assert_eq!(time_left(None, now), None);
        assert_eq!(time_left(at(20), now), Some(Duration::from_millis(20)));
        for late in [0, -1, -3_600_000] {
            assert_eq!(time_left(at(late), now), Some(OVERDUE_RETRY), "{late}");
        }
    }
}
