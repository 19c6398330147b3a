//! A day.

use super::KindName;
use super::behavior::{KindAliases, KindBehavior, ReadResult};
use super::input::{LineFormat, QuestionInput};
use crate::i18n::{LocalizedText, Message};
use crate::model::answer::Answer;
use crate::model::question::kind::QuestionKind;
use crate::model::value::datetime;
use crate::model::value::{ComparisonValue, OrderedValue};
use jiff::civil::{Date, Weekday};
use jiff::{Span, Zoned};

/// A day.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct DateQuestion;

impl From<DateQuestion> for QuestionKind {
    fn from(_: DateQuestion) -> Self {
        Self::Date
    }
}

impl KindBehavior for DateQuestion {
    fn kind_name(&self) -> KindName {
        KindName::Date
    }

    fn aliases(&self) -> &'static [KindAliases] {
        &[]
    }

    fn input(&self) -> QuestionInput<'_> {
        QuestionInput::Line(LineFormat::Date)
    }

    fn expected_answer(&self) -> LocalizedText {
        Message::WantsDate.into()
    }

    fn answer_words(&self) -> LocalizedText {
        Message::ADate.into()
    }

    fn line_hint(&self) -> Message {
        Message::HintDate
    }

    fn typing_help(&self) -> Option<Message> {
        Some(Message::DateHow)
    }

    fn parse_typed(&self, text: &str, now: Option<&Zoned>) -> Option<Answer> {
        let date = match datetime::parse_date(text) {
            Some(date) => date,
            None => parse_words(text, now?)?,
        };
        Some(Answer::Date(date))
    }

    fn impossible_message(&self, text: &str) -> Option<Message> {
        let day = text.trim().split([' ', 'T']).next()?;
        if is_impossible(day) { Some(Message::NoSuchDay) } else { None }
    }

    fn accepts(&self, answer: &Answer) -> bool {
        matches!(answer, Answer::Date(_))
    }

    fn answer_members(&self) -> &'static [&'static str] {
        &["date", "text"]
    }

    fn read_text(&self, text: &str) -> ReadResult<Answer> {
        match datetime::parse_date(text) {
            Some(date) => Ok(Answer::Date(date)),
            None => Err(self.type_problem()),
        }
    }

    fn ordered_value(&self, value: &ComparisonValue) -> Option<OrderedValue> {
        match value {
            ComparisonValue::Text(text) => datetime::parse_date(text).map(OrderedValue::Date),
            ComparisonValue::Bool(_) | ComparisonValue::Number(_) => None,
        }
    }

    fn ordered_example(&self) -> Option<&'static str> {
        Some(r#""2026-03-01""#)
    }

    fn is_date_or_time(&self) -> bool {
        true
    }
}

/// Parses a day as people type it, relative to now.
pub fn parse_words(text: &str, now: &Zoned) -> Option<Date> {
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

/// Parses an offset from now as count and unit: `+3d`, `in 3 days`, `3天后`.
pub(super) fn parse_offset(text: &str) -> Option<(i64, &str)> {
    let offset = text.strip_prefix('+').or(text.strip_prefix("in ")).or(text.strip_suffix('后'))?.trim();
    let digits = offset.find(|c: char| !c.is_ascii_digit())?;
    let (count, unit) = offset.split_at_checked(digits)?;
    Some((count.parse().ok()?, unit.trim()))
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
    for (name, chinese_name, day) in DAYS {
        let is_prefix = text.len() >= 3 && name.starts_with(text);
        if is_prefix || text == chinese_name {
            return Some(day);
        }
    }
    None
}

/// Returns true if a text is written like a day that does not exist.
pub(super) fn is_impossible(text: &str) -> bool {
    has_parts(text, '-', &[4, 2, 2]) && datetime::parse_date(text).is_none()
}

/// Returns true if a text is numbers of these lengths with a sign between them.
pub(super) fn has_parts(text: &str, sign: char, lengths: &[usize]) -> bool {
    let mut lengths = lengths.iter();
    for part in text.split(sign) {
        let is_number = part.bytes().all(|byte| byte.is_ascii_digit());
        if !is_number || lengths.next() != Some(&part.len()) {
            return false;
        }
    }
    lengths.next().is_none()
}
