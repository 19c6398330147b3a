//! Short durations: parsing of limits, formatting of ages.

use jiff::Timestamp;
use sayso_core::i18n::own;
use sayso_core::{Message, Problem, ProblemCode, lifecycle};
use sayso_terminal::short_form;

/// Formats the time since then.
pub(crate) fn format_age(then: Timestamp, now: Timestamp) -> String {
    short_form::short_duration(now.duration_since(then))
}

/// Parses the time limit of an ask, in milliseconds.
///
/// # Errors
/// Fails if the text is no duration, or out of the bounds of a time limit.
pub(crate) fn parse_limit(text: &str) -> Result<i64, Problem> {
    let Some(limit) = parse_millis(text) else { return Err(duration_problem(text)) };
    match lifecycle::time_limit(limit) {
        Ok(_) => Ok(limit),
        // The limit isn't part of the request.
        Err(problem) => Err(Problem { code: ProblemCode::InvalidSetting, ..problem }),
    }
}

/// Parses a duration such as `90s`, `2h`, `1h30m` or `3 days`, in milliseconds.
///
/// # Errors
/// Fails if the text is no duration, or not positive.
pub(crate) fn parse_span(text: &str) -> Result<i64, Problem> {
    match parse_millis(text) {
        Some(span) if span > 0 => Ok(span),
        _ => Err(duration_problem(text)),
    }
}

/// Parses the time to wait as [`parse_span`] does, but accepts 0, in milliseconds.
///
/// # Errors
/// Fails if the text is no duration.
pub(crate) fn parse_wait(text: &str) -> Result<i64, Problem> {
    match parse_millis(text) {
        Some(span) if span >= 0 => Ok(span),
        _ => Err(duration_problem(text)),
    }
}

/// Parses the time limit of an ask in milliseconds, where a bare number is in seconds.
///
/// # Errors
/// Fails as [`parse_limit`] does.
pub(crate) fn parse_limit_in_seconds(text: &str) -> Result<i64, Problem> {
    let text = text.trim();
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if is_number { parse_limit(&format!("{text}s")) } else { parse_limit(text) }
}

fn parse_millis(text: &str) -> Option<i64> {
    let span: jiff::Span = text.trim().parse().ok()?;
    let duration = span.to_duration(jiff::SpanRelativeTo::days_are_24_hours()).ok()?;
    i64::try_from(duration.as_millis()).ok()
}

fn duration_problem(text: &str) -> Problem {
    Problem::new(ProblemCode::InvalidSetting, Message::NoDuration.with([own(text)]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_parsed() {
        assert_eq!(parse_limit("90s").unwrap(), 90_000);
        assert_eq!(parse_limit("2h").unwrap(), 7_200_000);
        assert_eq!(parse_limit("1h30m").unwrap(), 5_400_000);
        assert_eq!(parse_limit("3 days").unwrap(), 259_200_000);
        assert_eq!(parse_limit("250ms").unwrap(), 250);
        assert!(parse_span("401 days").is_ok());
        assert_eq!(parse_wait("0s").unwrap(), 0);
        assert!(parse_wait("-1s").is_err());
        for wrong in ["", "soon", "-5s", "0s", "5", "401 days"] {
            assert!(parse_limit(wrong).is_err(), "{wrong}");
        }
    }
    #[test]
    fn bare_numbers_are_seconds() {
        for (given, limit) in [("90s", 90_000), ("2h", 7_200_000), ("45", 45_000), (" 7 ", 7_000)] {
            assert_eq!(parse_limit_in_seconds(given).unwrap(), limit, "{given}");
        }
        for none in ["", " ", "0", "-5", "1.5", "soon", "0s", "401 days", "99999999999999999999"] {
            assert!(parse_limit_in_seconds(none).is_err(), "{none}");
        }
    }
}
