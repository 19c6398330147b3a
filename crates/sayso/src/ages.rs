//! Spans of time in a few characters: how long ago, how long to wait.

use jiff::Timestamp;
use sayso_core::{Code, Message, Problem, lifecycle};
use sayso_terminal::short;

/// How long ago.
pub(crate) fn since(then: Timestamp, now: Timestamp) -> String {
    short::span(now.duration_since(then))
}

/// Reads the time limit of an ask, in milliseconds.
///
/// # Errors
/// When it is no duration, or none that an ask may take.
pub(crate) fn parse_limit(text: &str) -> Result<i64, Problem> {
    let limit = millis(text).ok_or_else(|| no_duration(text))?;
    // Told as the settings' fault, which it is here: the request has no say in it.
    lifecycle::time_limit(limit)
        .map(|_| limit)
        .map_err(|problem| Problem { code: Code::InvalidSetting, ..problem })
}

/// Reads a span of time: `90s`, `2h`, `1h30m`, `3 days`. In milliseconds.
///
/// # Errors
/// When it is no duration, or none that is longer than nothing.
pub(crate) fn parse_span(text: &str) -> Result<i64, Problem> {
    millis(text).filter(|span| *span > 0).ok_or_else(|| no_duration(text))
}

/// Reads how long somebody waits: as [`parse_span`], or not at all. In milliseconds.
///
/// # Errors
/// When it is no duration.
pub(crate) fn parse_patience(text: &str) -> Result<i64, Problem> {
    millis(text).filter(|span| *span >= 0).ok_or_else(|| no_duration(text))
}

/// Reads the time limit of an ask where a bare number is seconds, in milliseconds. What is no limit sets none.
pub(crate) fn lenient_limit(text: &str) -> Option<i64> {
    let text = text.trim();
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if is_number { parse_limit(&format!("{text}s")) } else { parse_limit(text) }.ok()
}

fn millis(text: &str) -> Option<i64> {
    let span: jiff::Span = text.trim().parse().ok()?;
    let duration = span.to_duration(jiff::SpanRelativeTo::days_are_24_hours()).ok()?;
    i64::try_from(duration.as_millis()).ok()
}

fn no_duration(text: &str) -> Problem {
    Problem::new(Code::InvalidSetting, Message::NoDuration.with([text]))
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
        assert!(parse_span("401 days").is_ok());
        assert_eq!(parse_patience("0s").unwrap(), 0);
        assert!(parse_patience("-1s").is_err());
        for wrong in ["", "soon", "-5s", "0s", "5", "401 days"] {
            assert!(parse_limit(wrong).is_err(), "{wrong}");
        }
    }
    #[test]
    fn bare_numbers_are_seconds() {
        for (given, limit) in [("90s", 90_000), ("2h", 7_200_000), ("45", 45_000), (" 7 ", 7_000)] {
            assert_eq!(lenient_limit(given), Some(limit), "{given}");
        }
        for none in ["", " ", "0", "-5", "1.5", "soon", "0s", "401 days", "99999999999999999999"] {
            assert_eq!(lenient_limit(none), None, "{none}");
        }
    }
}
