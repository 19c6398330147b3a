//! Spans of time in a few characters: how long ago, how long from now, how long to wait.

use jiff::{SignedDuration, Timestamp};
use sayso_core::{Code, Message, Problem};

/// A duration as `5s`, `12m`, `3h`, `4d`: the largest whole unit.
pub(crate) fn short(duration: SignedDuration) -> String {
    let seconds = duration.as_secs().max(0);
    match seconds {
        0..60 => format!("{seconds}s"),
        60..3_600 => format!("{}m", seconds / 60),
        3_600..86_400 => format!("{}h", seconds / 3_600),
        _ => format!("{}d", seconds / 86_400),
    }
}

/// How long ago.
pub(crate) fn since(then: Timestamp, now: Timestamp) -> String {
    short(now.duration_since(then))
}

/// Reads a time limit: `90s`, `2h`, `1h30m`, `3 days`. In milliseconds.
///
/// # Errors
/// When it is no duration, or none that is longer than nothing.
pub(crate) fn parse_limit(text: &str) -> Result<i64, Problem> {
    let wrong = || Problem::new(Code::InvalidSetting, Message::NoDuration.with([text]));
    let span: jiff::Span = text.trim().parse().map_err(|_| wrong())?;
    let days_are_24_hours = jiff::SpanRelativeTo::days_are_24_hours();
    let duration = span.to_duration(days_are_24_hours).map_err(|_| wrong())?;
    i64::try_from(duration.as_millis()).ok().filter(|limit| *limit > 0).ok_or_else(wrong)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_read_as_people_write_them() {
        assert_eq!(parse_limit("90s").unwrap(), 90_000);
        assert_eq!(parse_limit("2h").unwrap(), 7_200_000);
        assert_eq!(parse_limit("1h30m").unwrap(), 5_400_000);
        assert_eq!(parse_limit("3 days").unwrap(), 259_200_000);
        assert_eq!(parse_limit("250ms").unwrap(), 250);
        for wrong in ["", "soon", "-5s", "0s", "5"] {
            assert!(parse_limit(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn ages_show_their_largest_unit() {
        assert_eq!(short(SignedDuration::from_secs(59)), "59s");
        assert_eq!(short(SignedDuration::from_secs(3_599)), "59m");
        assert_eq!(short(SignedDuration::from_hours(49)), "2d");
        assert_eq!(short(SignedDuration::from_secs(-5)), "0s");
    }
}
