//! A time of day.

use super::KindName;
use super::behavior::{KindAliases, KindBehavior, ReadResult};
use super::date::has_parts;
use super::input::{LineFormat, QuestionInput};
use crate::i18n::{LocalizedText, Message};
use crate::model::answer::Answer;
use crate::model::question::kind::QuestionKind;
use crate::model::value::datetime;
use crate::model::value::{ComparisonValue, OrderedValue};
use jiff::Zoned;
use jiff::civil::Time;

/// A time of day.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TimeQuestion;

impl From<TimeQuestion> for QuestionKind {
    fn from(_: TimeQuestion) -> Self {
        Self::Time
    }
}

impl KindBehavior for TimeQuestion {
    fn kind_name(&self) -> KindName {
        KindName::Time
    }

    fn aliases(&self) -> &'static [KindAliases] {
        &[]
    }

    fn input(&self) -> QuestionInput<'_> {
        QuestionInput::Line(LineFormat::Time)
    }

    fn expected_answer(&self) -> LocalizedText {
        Message::WantsTime.into()
    }

    fn answer_words(&self) -> LocalizedText {
        Message::ATime.into()
    }

    fn line_hint(&self) -> Message {
        Message::HintTime
    }

    fn typing_help(&self) -> Option<Message> {
        Some(Message::TimeHow)
    }

    fn parse_typed(&self, text: &str, _: Option<&Zoned>) -> Option<Answer> {
        datetime::parse_time(text).or_else(|| parse_words(text)).map(Answer::Time)
    }

    fn impossible_message(&self, text: &str) -> Option<Message> {
        let clock = text.trim().split([' ', 'T']).next()?;
        is_impossible(clock).then_some(Message::NoSuchTime)
    }

    fn accepts(&self, answer: &Answer) -> bool {
        matches!(answer, Answer::Time(_))
    }

    fn answer_members(&self) -> &'static [&'static str] {
        &["time", "text"]
    }

    fn read_text(&self, text: &str) -> ReadResult<Answer> {
        datetime::parse_time(text).map(Answer::Time).ok_or_else(|| self.type_problem())
    }

    fn ordered_value(&self, value: &ComparisonValue) -> Option<OrderedValue> {
        match value {
            ComparisonValue::Text(text) => datetime::parse_time(text).map(OrderedValue::Time),
            ComparisonValue::Bool(_) | ComparisonValue::Number(_) => None,
        }
    }

    fn ordered_example(&self) -> Option<&'static str> {
        Some(r#""14:30""#)
    }

    fn is_date_or_time(&self) -> bool {
        true
    }
}

/// Formats a time, without seconds if they are zero.
pub(super) fn format(time: Time) -> String {
    let digits = time.to_string();
    digits.strip_suffix(":00").map_or(digits.clone(), str::to_owned)
}

/// Parses a time of day as people type it.
pub(super) fn parse_words(text: &str) -> Option<Time> {
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

/// Returns true if a text is written like a time that does not exist.
pub(super) fn is_impossible(text: &str) -> bool {
    has_parts(text, ':', &[2, 2]) && datetime::parse_time(text).is_none()
}
