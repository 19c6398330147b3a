//! A date with a time: local to the person who answers, or at an offset that they gave.

use jiff::civil::{Date, DateTime, Time};
use jiff::fmt::temporal::Pieces;
use jiff::tz::Offset;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::borrow::Cow;
use std::cmp::Ordering;
use std::fmt;

/// A date with a time in ISO 8601: `2026-03-01T14:00`, with or without an offset.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DatetimeValue {
    /// The civil date and time.
    pub datetime: DateTime,
    /// The offset from UTC, if one was given.
    pub offset: Option<Offset>,
}

impl DatetimeValue {
    /// Parses `2026-03-01T14:00`, with a space for the `T`, with or without seconds, and with or without `Z` or an
    /// offset such as `+02:00`.
    pub fn parse(text: &str) -> Option<Self> {
        let pieces = Pieces::parse(text.trim()).ok()?;
        let offset = pieces.to_numeric_offset();
        if let Some(offset) = offset
            && offset.seconds() % 60 != 0
        {
            // All offsets in use today are whole minutes.
            return None;
        }
        if has_leap_second(text) || pieces.time_zone_annotation().is_some() {
            return None;
        }
        Some(Self { datetime: pieces.date().to_datetime(pieces.time()?), offset })
    }

    /// Compares two by instant if both have an offset, else by civil date and time.
    pub fn compare(self, other: Self) -> Ordering {
        match (self.to_timestamp(), other.to_timestamp()) {
            (Some(this), Some(other)) => this.cmp(&other),
            _ => self.datetime.cmp(&other.datetime),
        }
    }

    fn to_timestamp(self) -> Option<jiff::Timestamp> {
        self.offset?.to_timestamp(self.datetime).ok()
    }
}

impl fmt::Display for DatetimeValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.datetime)?;
        match self.offset {
            None => Ok(()),
            Some(Offset::UTC) => f.write_str("Z"),
            Some(offset) => {
                let minutes = offset.seconds().abs() / 60;
                let sign = if offset.is_negative() { '-' } else { '+' };
                write!(f, "{sign}{:02}:{:02}", minutes / 60, minutes % 60)
            }
        }
    }
}

impl JsonSchema for DatetimeValue {
    fn schema_name() -> Cow<'static, str> {
        "DateTime".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "A date with a time, `2026-03-01T14:00:00`, with or without an offset.",
            "type": "string",
        })
    }
}

impl Serialize for DatetimeValue {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for DatetimeValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse(&text).ok_or_else(|| D::Error::custom("no date with a time, like 2026-03-01T14:00"))
    }
}

/// Returns true if a text has the second 60, which jiff reads as 59: it would not be kept as written.
fn has_leap_second(text: &str) -> bool {
    let text = text.trim();
    let clock = match text.split_once(['T', 't', ' ']) {
        Some((_, clock)) => clock,
        None => text,
    };
    let mut digits = String::new();
    for c in clock.chars() {
        match c {
            '0'..='9' => digits.push(c),
            ':' => {}
            _ => break,
        }
    }
    digits.get(4..6) == Some("60")
}

/// Parses a date, `2026-03-01`.
pub fn parse_date(text: &str) -> Option<Date> {
    let text = text.trim();
    // jiff also parses the date in front of a time, and other forms of ISO 8601.
    if text.len() == 10 { text.parse().ok() } else { None }
}

/// Parses a time of day, `14:00` or `14:00:30`.
pub fn parse_time(text: &str) -> Option<Time> {
    let text = text.trim();
    let is_time = text.len() >= 4 && text.bytes().all(|byte| byte.is_ascii_digit() || b":.".contains(&byte));
    let text = if text.find(':') == Some(1) { format!("0{text}") } else { text.to_owned() };
    if !is_time || !text.contains(':') || has_leap_second(&text) {
        return None;
    }
    text.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn only_iso_dates_are_parsed() {
        let moment = |text: &str| DatetimeValue::parse(text).map(|moment| moment.to_string());
        assert_eq!(moment("2026-03-01 14:00").as_deref(), Some("2026-03-01T14:00:00"));
        assert_eq!(moment("2026-03-01T14:00Z").as_deref(), Some("2026-03-01T14:00:00Z"));
        assert_eq!(moment("2026-03-01T14:00:30+05:30").as_deref(), Some("2026-03-01T14:00:30+05:30"));
        assert_eq!(moment("2026-03-01 14:00-02:00").as_deref(), Some("2026-03-01T14:00:00-02:00"));
        for text in [
            "",
            "2026-03-01",
            "14:00",
            "2026-02-30T14:00",
            "2026-03-01T25:00",
            "tomorrow",
            "2026-03-01T14:00+",
            "2026-03-01T14:00+99:00",
            "2026-03-01T14:00[UTC]",
            "2026-12-31T23:59:60Z",
            "2026-12-31 23:59:60",
            "20261231T235960Z",
        ] {
            assert_eq!(moment(text), None, "{text}");
        }
        assert_eq!(parse_date(" 2026-03-01 ").map(|date| date.to_string()).as_deref(), Some("2026-03-01"));
        for text in ["2026-3-1", "20260301", "2026-03-01T10:00", "01/03/2026", "", "2026-13-01"] {
            assert_eq!(parse_date(text), None, "{text}");
        }
        assert_eq!(parse_time("9:05").map(|time| time.to_string()).as_deref(), Some("09:05:00"));
        assert_eq!(parse_time("23:59:59").map(|time| time.to_string()).as_deref(), Some("23:59:59"));
        for text in ["24:00", "9", "0900", "9am", "12:60", "", "::::", "1:2:3", "23:59:60"] {
            assert_eq!(parse_time(text), None, "{text}");
        }
    }

    #[test]
    fn offset_datetimes_compare_by_instant() {
        let moment = |text: &str| DatetimeValue::parse(text).unwrap();
        let compare = |a: &str, b: &str| moment(a).compare(moment(b));
        assert_eq!(compare("2026-03-01T14:00+02:00", "2026-03-01T12:00Z"), Ordering::Equal);
        assert_eq!(compare("2026-03-01T14:00+02:00", "2026-03-01T13:00"), Ordering::Greater);
    }

    proptest! {
        #[test]
        fn any_text_parses_or_round_trips(text in "[0-9TZ :+.-]{0,32}|.{0,20}") {
            let _ = (parse_date(&text), parse_time(&text));
            if let Some(moment) = DatetimeValue::parse(&text) {
                prop_assert_eq!(DatetimeValue::parse(&moment.to_string()), Some(moment));
            }
        }
    }
}
