//! A day with a time of day.

use super::behavior::{KindAliases, KindBehavior, ReadResult};
use super::date::parse_offset;
use super::input::{LineFormat, QuestionInput};
use super::{KindName, date, time};
use crate::i18n::{LocalizedText, Message};
use crate::model::answer::Answer;
use crate::model::question::kind::QuestionKind;
use crate::model::value::datetime::DatetimeValue;
use crate::model::value::{ComparisonValue, OrderedValue};
use jiff::{Span, Zoned};

/// A day with a time of day.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct DatetimeQuestion;

impl From<DatetimeQuestion> for QuestionKind {
    fn from(_: DatetimeQuestion) -> Self {
        Self::Datetime
    }
}

impl KindBehavior for DatetimeQuestion {
    fn kind_name(&self) -> KindName {
        KindName::Datetime
    }

    fn aliases(&self) -> &'static [KindAliases] {
        &[KindAliases { flag: None, names: &["timestamp"] }]
    }

    fn input(&self) -> QuestionInput<'_> {
        QuestionInput::Line(LineFormat::Datetime)
    }

    fn expected_answer(&self) -> LocalizedText {
        Message::WantsDatetime.into()
    }

    fn answer_words(&self) -> LocalizedText {
        Message::ADatetime.into()
    }

    fn line_hint(&self) -> Message {
        Message::HintDatetime
    }

    fn typing_help(&self) -> Option<Message> {
        Some(Message::DatetimeHow)
    }

    fn parse_typed(&self, text: &str, now: Option<&Zoned>) -> Option<Answer> {
        let moment = DatetimeValue::parse(text).or_else(|| parse_words(text, now?));
        moment.map(Answer::Datetime)
    }

    fn impossible_message(&self, text: &str) -> Option<Message> {
        let mut words = text.trim().split([' ', 'T']);
        if words.next().is_some_and(date::is_impossible) {
            return Some(Message::NoSuchDay);
        }
        words.next().is_some_and(time::is_impossible).then_some(Message::NoSuchTime)
    }

    fn accepts(&self, answer: &Answer) -> bool {
        matches!(answer, Answer::Datetime(_))
    }

    fn answer_members(&self) -> &'static [&'static str] {
        &["datetime", "text"]
    }

    fn read_text(&self, text: &str) -> ReadResult<Answer> {
        DatetimeValue::parse(text).map(Answer::Datetime).ok_or_else(|| self.type_problem())
    }

    fn ordered_value(&self, value: &ComparisonValue) -> Option<OrderedValue> {
        match value {
            ComparisonValue::Text(text) => DatetimeValue::parse(text).map(OrderedValue::Moment),
            ComparisonValue::Bool(_) | ComparisonValue::Number(_) => None,
        }
    }

    fn ordered_example(&self) -> Option<&'static str> {
        Some(r#""2026-03-01T14:30", "2026-03-01T14:30+02:00""#)
    }

    fn is_date_or_time(&self) -> bool {
        true
    }
}

/// Formats a moment, without seconds if they are zero.
pub(super) fn format(moment: DatetimeValue) -> String {
    let day = moment.datetime.date();
    let clock = time::format(moment.datetime.time());
    let whole = moment.to_string();
    let offset = whole.get(moment.datetime.to_string().len()..).unwrap_or_default();
    format!("{day} {clock}{offset}")
}

/// Parses a day with a time, on the local clock. The moment has the local UTC offset, so that it is the same for a
/// reader elsewhere.
fn parse_words(text: &str, now: &Zoned) -> Option<DatetimeValue> {
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
        let at = date::parse_words(day, now)?.to_datetime(time::parse_words(clock)?);
        Some(to_datetime_value(&at.to_zoned(now.time_zone().clone()).ok()?))
    };
    text.rmatch_indices(' ').take(2).find_map(read)
}

/// Returns a moment as ISO 8601 can express it: with an offset of whole minutes.
fn to_datetime_value(then: &Zoned) -> DatetimeValue {
    let offset = Some(then.offset()).filter(|offset| offset.seconds() % 60 == 0);
    DatetimeValue { datetime: then.datetime(), offset }
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
                date::parse_words(text, &now()).map(|day| day.to_string()).as_deref(),
                Some(wanted),
                "{text}"
            );
        }
        for text in ["", "soon", "+d", "fr", "+99999999999y", "31.12."] {
            assert_eq!(date::parse_words(text, &now()), None, "{text}");
        }
    }

    #[test]
    fn times_and_datetimes_are_parsed() {
        for (text, wanted) in
            [("9am", "09:00:00"), ("12:30 pm", "12:30:00"), ("12am", "00:00:00"), ("noon", "12:00:00")]
        {
            assert_eq!(
                time::parse_words(text).map(|time| time.to_string()).as_deref(),
                Some(wanted),
                "{text}"
            );
        }
        assert_eq!(time::parse_words("13pm"), None);
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
            assert_eq!(parse_words(text, &now()).map(|at| at.to_string()).as_deref(), Some(wanted), "{text}");
        }
        for text in ["tomorrow", "in 3 days", "+3d", "now 9am", "+99999999999h"] {
            assert_eq!(parse_words(text, &now()), None, "{text}");
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
            assert_eq!(parse_words(text, &now).map(|at| at.to_string()).as_deref(), Some(wanted), "{text}");
        }
    }
}
