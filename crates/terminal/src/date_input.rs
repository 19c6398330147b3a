//! Parser for dates and times as people type them: "tomorrow", "fri 14:00", "+3d".

use jiff::civil::{Date, Time, Weekday};
use jiff::{Span, Zoned};
use sayso_core::{DatetimeValue, model::value::datetime};
use sayso_core::{Message, QuestionKind};

/// Parses a day, relative to now.
pub(crate) fn parse_date(text: &str, now: &Zoned) -> Option<Date> {
    let text = text.trim().to_lowercase();
    let today = now.date();
    match text.as_str() {
        "today" | "tonight" | "今天" | "今晚" => return Some(today),
        "tomorrow" | "明天" => return today.tomorrow().ok(),
        "yesterday" | "昨天" => return today.yesterday().ok(),
        "后天" => return today.checked_add(Span::new().days(2)).ok(),
        _ => {}
    }
    if let Some((count, unit)) = parse_offset(&text) {
        let span = match unit {
            "d" | "day" | "days" | "天" => Span::new().try_days(count),
            "w" | "week" | "weeks" | "周" => Span::new().try_weeks(count),
            "m" | "month" | "months" | "个月" => Span::new().try_months(count),
            "y" | "year" | "years" | "年" => Span::new().try_years(count),
            _ => return None,
        };
        return today.checked_add(span.ok()?).ok();
    }
    if let Some(weekday) = parse_weekday(&text) {
        return today.nth_weekday(1, weekday).ok();
    }
    datetime::parse_date(&text)
}

/// Parses a time of day.
pub(crate) fn parse_time(text: &str) -> Option<Time> {
    let text = text.trim().to_lowercase();
    match text.as_str() {
        "noon" | "中午" => return Some(Time::constant(12, 0, 0, 0)),
        "midnight" | "午夜" => return Some(Time::midnight()),
        _ => {}
    }
    let (clock, afternoon) = match (text.strip_suffix("am"), text.strip_suffix("pm")) {
        (Some(clock), _) => (clock.trim(), Some(false)),
        (_, Some(clock)) => (clock.trim(), Some(true)),
        _ => (text.as_str(), None),
    };
    let Some(afternoon) = afternoon else { return datetime::parse_time(clock) };
    let (hour, minute) = clock.split_once([':', '.']).unwrap_or((clock, "0"));
    let (hour, minute): (i8, i8) = (hour.parse().ok()?, minute.parse().ok()?);
    if !(1..=12).contains(&hour) {
        return None;
    }
    Time::new(hour % 12 + if afternoon { 12 } else { 0 }, minute, 0, 0).ok()
}

/// Parses an offset from now as count and unit: `+3d`, `in 3 days`, `3天后`.
fn parse_offset(text: &str) -> Option<(i64, &str)> {
    let prefixed = text.strip_prefix('+').or_else(|| text.strip_prefix("in "));
    let ahead = prefixed.or_else(|| text.strip_suffix('后'))?.trim();
    let digits = ahead.find(|c: char| !c.is_ascii_digit())?;
    let (count, unit) = ahead.split_at_checked(digits)?;
    Some((count.parse().ok()?, unit.trim()))
}

/// Parses a day with a time, on the local clock. The moment has the local UTC offset, so that it is the same for a
/// reader elsewhere.
pub(crate) fn parse_datetime(text: &str, now: &Zoned) -> Option<DatetimeValue> {
    let text = text.trim().to_lowercase();
    let span = match parse_offset(&text) {
        _ if matches!(text.as_str(), "now" | "现在") => Some(Span::new()),
        Some((count, "h" | "hour" | "hours" | "小时")) => Span::new().try_hours(count).ok(),
        Some((count, "m" | "min" | "minute" | "minutes" | "分钟")) => Span::new().try_minutes(count).ok(),
        _ => None,
    };
    if let Some(span) = span {
        let then = now.checked_add(span).ok()?;
        return Some(to_datetime_value(&then.with().second(0).subsec_nanosecond(0).build().ok()?));
    }
    // "9 am" is a time of two words.
    let read = |(place, _)| {
        let (day, clock) = text.split_at_checked(place)?;
        let at = parse_date(day, now)?.to_datetime(parse_time(clock)?);
        Some(to_datetime_value(&at.to_zoned(now.time_zone().clone()).ok()?))
    };
    text.rmatch_indices(' ').take(2).find_map(read)
}

/// Returns a moment as ISO 8601 can express it: with an offset of whole minutes.
fn to_datetime_value(then: &Zoned) -> DatetimeValue {
    let offset = Some(then.offset()).filter(|offset| offset.seconds() % 60 == 0);
    DatetimeValue { datetime: then.datetime(), offset }
}

/// Returns the message for a well-formed date or time that does not exist.
pub(crate) fn impossible_message(kind: &QuestionKind, text: &str) -> Option<Message> {
    let mut words = text.trim().split([' ', 'T']);
    let (first, second) = (words.next()?, words.next());
    let (day, clock) = match kind {
        QuestionKind::Date => (Some(first), None),
        QuestionKind::Time => (None, Some(first)),
        QuestionKind::Datetime => (Some(first), second),
        _ => return None,
    };
    let parts = |text: &str, sign: char, lengths: &[usize]| {
        let parts: Vec<_> = text.split(sign).collect();
        parts.iter().map(|part| part.len()).eq(lengths.iter().copied())
            && parts.iter().all(|part| part.bytes().all(|byte| byte.is_ascii_digit()))
    };
    if day.is_some_and(|day| parts(day, '-', &[4, 2, 2]) && datetime::parse_date(day).is_none()) {
        return Some(Message::NoSuchDay);
    }
    clock
        .filter(|clock| parts(clock, ':', &[2, 2]) && datetime::parse_time(clock).is_none())
        .map(|_| Message::NoSuchTime)
}

/// Parses a weekday by its name or a prefix.
fn parse_weekday(text: &str) -> Option<Weekday> {
    const DAYS: [(&str, &str, Weekday); 7] = [
        ("monday", "周一", Weekday::Monday),
        ("tuesday", "周二", Weekday::Tuesday),
        ("wednesday", "周三", Weekday::Wednesday),
        ("thursday", "周四", Weekday::Thursday),
        ("friday", "周五", Weekday::Friday),
        ("saturday", "周六", Weekday::Saturday),
        ("sunday", "周日", Weekday::Sunday),
    ];
    let text = text.strip_prefix("next ").unwrap_or(text);
    let fits = |(name, chinese, _): &&(&str, &str, Weekday)| {
        (text.len() >= 3 && name.starts_with(text)) || text == *chinese
    };
    DAYS.iter().find(fits).map(|(.., day)| *day)
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::DateTime;

    fn now() -> Zoned {
        let now: DateTime = "2026-11-22T11:30:45".parse().unwrap();
        now.to_zoned(jiff::tz::TimeZone::UTC).unwrap()
    }

    #[test]
    fn relative_days_are_parsed() {
        let cases = [
            ("today", "2026-11-22"),
            ("Tomorrow", "2026-11-23"),
            ("fri", "2026-11-27"),
            ("sunday", "2026-11-29"),
            ("+3d", "2026-11-25"),
            ("+2 w", "2026-12-06"),
            ("+1m", "2026-12-22"),
            ("明天", "2026-11-23"),
            ("3天后", "2026-11-25"),
            ("in 3 days", "2026-11-25"),
            ("2027-01-01", "2027-01-01"),
        ];
        for (text, wanted) in cases {
            assert_eq!(
                parse_date(text, &now()).map(|day| day.to_string()).as_deref(),
                Some(wanted),
                "{text}"
            );
        }
        for text in ["", "soon", "+d", "fr", "+99999999999y", "31.12."] {
            assert_eq!(parse_date(text, &now()), None, "{text}");
        }
    }

    #[test]
    fn times_and_datetimes_are_parsed() {
        for (text, wanted) in
            [("9am", "09:00:00"), ("12:30 pm", "12:30:00"), ("12am", "00:00:00"), ("noon", "12:00:00")]
        {
            assert_eq!(parse_time(text).map(|time| time.to_string()).as_deref(), Some(wanted), "{text}");
        }
        assert_eq!(parse_time("13pm"), None);
        for (text, wanted) in [
            ("fri 14:00", "2026-11-27T14:00:00Z"),
            ("tomorrow 9am", "2026-11-23T09:00:00Z"),
            ("tomorrow 9 am", "2026-11-23T09:00:00Z"),
            ("Tonight 22:00", "2026-11-22T22:00:00Z"),
            ("in 3 days 9am", "2026-11-25T09:00:00Z"),
            ("明天 14:00", "2026-11-23T14:00:00Z"),
            ("now", "2026-11-22T11:30:00Z"),
            ("+2h", "2026-11-22T13:30:00Z"),
            ("in 2 hours", "2026-11-22T13:30:00Z"),
            ("2小时后", "2026-11-22T13:30:00Z"),
            ("+45m", "2026-11-22T12:15:00Z"),
        ] {
            assert_eq!(
                parse_datetime(text, &now()).map(|at| at.to_string()).as_deref(),
                Some(wanted),
                "{text}"
            );
        }
        for text in ["tomorrow", "in 3 days", "+3d", "now 9am", "+99999999999h"] {
            assert_eq!(parse_datetime(text, &now()), None, "{text}");
        }
    }

    #[test]
    fn words_use_the_callers_clock() {
        let zone = jiff::tz::TimeZone::get("Europe/Berlin").unwrap();
        // The night in which clocks are set back.
        let now = "2026-10-24T23:30:00".parse::<DateTime>().unwrap().to_zoned(zone).unwrap();
        for (text, wanted) in [
            ("+3h", "2026-10-25T02:30:00+02:00"),
            ("+4h", "2026-10-25T02:30:00+01:00"),
            ("tonight 23:45", "2026-10-24T23:45:00+02:00"),
            ("tomorrow 9am", "2026-10-25T09:00:00+01:00"),
        ] {
            assert_eq!(
                parse_datetime(text, &now).map(|at| at.to_string()).as_deref(),
                Some(wanted),
                "{text}"
            );
        }
    }
}
