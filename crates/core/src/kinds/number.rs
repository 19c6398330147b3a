//! A number to be typed.

use super::KindName;
use super::behavior::{KindAliases, KindBehavior, ReadResult};
use super::input::{LineFormat, QuestionInput};
use super::members::KindMembers;
use crate::i18n::{LocalizedText, Message};
use crate::model::answer::Answer;
use crate::model::document_path::DocumentPath;
use crate::model::id::{IdSet, OptionId};
use crate::model::question::kind::NumberQuestion;
use crate::model::value::number::Number;
use crate::model::value::{ComparisonValue, OrderedValue};
use crate::problem::{Problem, ProblemCode};
use jiff::Zoned;

impl NumberQuestion {
    pub(super) const fn take_from(members: &KindMembers<'_>) -> Self {
        Self { step: members.step }
    }
}

impl KindBehavior for NumberQuestion {
    fn kind_name(&self) -> KindName {
        KindName::Number
    }

    fn aliases(&self) -> &'static [KindAliases] {
        &[KindAliases { flag: None, names: &["integer", "float", "decimal", "int"] }]
    }

    fn input(&self) -> QuestionInput<'_> {
        QuestionInput::Line(LineFormat::Number { step: self.step })
    }

    fn write<'q>(&'q self, members: &mut KindMembers<'q>) {
        members.step = self.step;
    }

    fn problems<'q>(&'q self, _: &mut IdSet<&'q OptionId>) -> Vec<Problem> {
        match self.step {
            Some(step) if !step.is_positive() => {
                let problem = Problem::new(ProblemCode::InvalidValue, Message::StepNotPositive.with([step]));
                vec![problem.at(DocumentPath::root().join("step"))]
            }
            _ => Vec::new(),
        }
    }

    fn expected_answer(&self) -> LocalizedText {
        Message::WantsNumber.into()
    }

    fn answer_words(&self) -> LocalizedText {
        Message::ANumber.into()
    }

    fn line_hint(&self) -> Message {
        Message::HintNumber
    }

    fn parse_typed(&self, text: &str, _: Option<&Zoned>) -> Option<Answer> {
        Number::parse(text.trim()).map(Answer::Number)
    }

    fn accepts(&self, answer: &Answer) -> bool {
        matches!(answer, Answer::Number(_))
    }

    fn answer_members(&self) -> &'static [&'static str] {
        &["number"]
    }

    fn read_number(&self, value: Number) -> ReadResult<Answer> {
        Ok(Answer::Number(value))
    }

    fn read_text(&self, text: &str) -> ReadResult<Answer> {
        Number::parse(text).map(Answer::Number).ok_or_else(|| self.type_problem())
    }

    fn ordered_value(&self, value: &ComparisonValue) -> Option<OrderedValue> {
        match value {
            ComparisonValue::Number(number) => Some(OrderedValue::Number(*number)),
            ComparisonValue::Text(digits) => Number::parse(digits).map(OrderedValue::Number),
            ComparisonValue::Bool(_) => None,
        }
    }

    fn ordered_example(&self) -> Option<&'static str> {
        Some(r#"4, "0.25""#)
    }
}
