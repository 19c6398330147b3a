//! A text to be typed.

use super::KindName;
use super::behavior::{ComparedQuestion, KindAliases, KindBehavior, ReadResult, leaves_no_answer_problem};
use super::input::{LineFormat, QuestionInput};
use super::members::KindMembers;
use crate::i18n::{LocalizedText, Message};
use crate::limits;
use crate::model::answer::Answer;
use crate::model::question::constraint::Requirement;
use crate::model::question::kind::TextQuestion;
use crate::model::validation_rules::Rules;
use crate::model::value::ComparisonValue;
use crate::problem::{Problem, ProblemCode};
use jiff::Zoned;

impl TextQuestion {
    pub(super) const fn take_from(members: &KindMembers<'_>) -> Self {
        Self { long: members.long }
    }
}

impl KindBehavior for TextQuestion {
    fn kind_name(&self) -> KindName {
        KindName::Text
    }

    fn aliases(&self) -> &'static [KindAliases] {
        &[
            KindAliases { flag: None, names: &["string", "input", "shorttext", "freetext", "open"] },
            KindAliases { flag: Some("long"), names: &["long", "textarea", "longtext", "multiline"] },
        ]
    }

    fn input(&self) -> QuestionInput<'_> {
        QuestionInput::Line(LineFormat::Text { long: self.long })
    }

    fn write<'q>(&'q self, members: &mut KindMembers<'q>) {
        members.long = self.long;
    }

    fn unmeetable_problem(&self, rules: &Rules, requirement: &Requirement) -> Option<Problem> {
        match requirement {
            Requirement::MaxLength(0) if !rules.blank_text => Some(leaves_no_answer_problem(requirement)),
            Requirement::MinLength(least) if *least as usize > limits::TEXT_ANSWER_BYTES => {
                Some(Problem::new(ProblemCode::BadConstraint, Message::LengthBeyond.with([*least])))
            }
            _ => None,
        }
    }

    fn expected_answer(&self) -> LocalizedText {
        Message::WantsText.into()
    }

    fn answer_words(&self) -> LocalizedText {
        if self.long { Message::LongText.into() } else { Message::OneLineText.into() }
    }

    fn line_hint(&self) -> Message {
        Message::HintText
    }

    fn parse_typed(&self, text: &str, _: Option<&Zoned>) -> Option<Answer> {
        Some(Answer::Text(text.to_owned()))
    }

    fn accepts(&self, answer: &Answer) -> bool {
        matches!(answer, Answer::Text(_))
    }

    fn answer_members(&self) -> &'static [&'static str] {
        &["text"]
    }

    fn read_text(&self, text: &str) -> ReadResult<Answer> {
        Ok(Answer::Text(text.to_owned()))
    }

    fn comparison_problem(
        &self,
        compared: &ComparedQuestion<'_>,
        value: &ComparisonValue,
    ) -> Option<Problem> {
        match value {
            ComparisonValue::Text(_) => None,
            ComparisonValue::Bool(_) | ComparisonValue::Number(_) => {
                Some(compared.wrong_value(Message::ConditionWantsText, value))
            }
        }
    }
}

/// Returns the problem of a text that is too long for an answer.
pub(crate) fn length_problem(text: &str) -> Option<Problem> {
    (text.len() > limits::TEXT_ANSWER_BYTES).then(|| {
        Problem::new(
            ProblemCode::TooLarge,
            Message::TextTooLong.with([text.len(), limits::TEXT_ANSWER_BYTES]),
        )
    })
}
