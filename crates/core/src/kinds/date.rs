//! A day.

use super::behavior::{KindAliases, KindBehavior};
use super::input::{LineFormat, QuestionInput};
use super::{Answer, KindName, QuestionKind};
use crate::i18n::{LocalizedText, Message};
use crate::model::value::datetime;
use crate::model::value::{ComparisonValue, OrderedValue};
use crate::wire::answers::ReadResult;
use crate::wire::questionnaire::question::QuestionEntry;

/// A day.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct DateQuestion;

impl From<DateQuestion> for QuestionKind {
    fn from(_: DateQuestion) -> Self {
        Self::Date
    }
}

impl KindBehavior for DateQuestion {
    fn name(&self) -> &'static str {
        "date"
    }

    fn aliases(&self) -> &'static [KindAliases] {
        &[]
    }

    fn input(&self) -> QuestionInput<'_> {
        QuestionInput::Line(LineFormat::Date)
    }

    fn write<'q>(&'q self, entry: &mut QuestionEntry<'q>) {
        entry.kind = Some(KindName::Date);
    }

    fn expected_answer(&self) -> LocalizedText {
        Message::WantsDate.into()
    }

    fn accepts(&self, answer: &Answer) -> bool {
        matches!(answer, Answer::Date(_))
    }

    fn answer_members(&self) -> &'static [&'static str] {
        &["date", "text"]
    }

    fn read_text(&self, text: &str) -> ReadResult<Answer> {
        datetime::parse_date(text).map(Answer::Date).ok_or_else(|| self.type_problem())
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
