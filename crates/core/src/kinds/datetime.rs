//! A day with a time of day.

use super::behavior::{KindAliases, KindBehavior};
use super::input::{LineFormat, QuestionInput};
use super::time;
use super::{Answer, KindName, QuestionKind};
use crate::i18n::{LocalizedText, Message};
use crate::model::value::datetime::DatetimeValue;
use crate::model::value::{ComparisonValue, OrderedValue};
use crate::wire::answers::ReadResult;
use crate::wire::questionnaire::question::QuestionEntry;

/// A day with a time of day.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct DatetimeQuestion;

impl From<DatetimeQuestion> for QuestionKind {
    fn from(_: DatetimeQuestion) -> Self {
        Self::Datetime
    }
}

impl KindBehavior for DatetimeQuestion {
    fn name(&self) -> &'static str {
        "datetime"
    }

    fn aliases(&self) -> &'static [KindAliases] {
        &[KindAliases { flag: None, names: &["timestamp"] }]
    }

    fn input(&self) -> QuestionInput<'_> {
        QuestionInput::Line(LineFormat::Datetime)
    }

    fn write<'q>(&'q self, entry: &mut QuestionEntry<'q>) {
        entry.kind = Some(KindName::Datetime);
    }

    fn expected_answer(&self) -> LocalizedText {
        Message::WantsDatetime.into()
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
