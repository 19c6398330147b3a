//! A time of day.

use super::behavior::{KindAliases, KindBehavior};
use super::input::{LineFormat, QuestionInput};
use super::{Answer, KindName, QuestionKind};
use crate::i18n::{LocalizedText, Message};
use crate::model::value::datetime;
use crate::model::value::{ComparisonValue, OrderedValue};
use crate::wire::answers::ReadResult;
use crate::wire::questionnaire::question::QuestionEntry;
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
    fn name(&self) -> &'static str {
        "time"
    }

    fn aliases(&self) -> &'static [KindAliases] {
        &[]
    }

    fn input(&self) -> QuestionInput<'_> {
        QuestionInput::Line(LineFormat::Time)
    }

    fn write<'q>(&'q self, entry: &mut QuestionEntry<'q>) {
        entry.kind = Some(KindName::Time);
    }

    fn expected_answer(&self) -> LocalizedText {
        Message::WantsTime.into()
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
