//! A text to be typed.

use super::behavior::{ComparedQuestion, KindAliases, KindBehavior};
use super::input::{LineFormat, QuestionInput};
use super::{Answer, KindName, QuestionKind};
use crate::i18n::{LocalizedText, Message};
use crate::limits;
use crate::model::constraint::Requirement;
use crate::model::validation_rules::Rules;
use crate::model::value::ComparisonValue;
use crate::problem::{Problem, ProblemCode};
use crate::wire::answers::ReadResult;
use crate::wire::questionnaire::question::QuestionEntry;
use crate::wire::questionnaire::unmeetable_demands::leaves_no_answer;
use jiff::Zoned;

/// A text to be typed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TextQuestion {
    /// More than a line is expected.
    pub long: bool,
}

impl TextQuestion {
    pub(super) const fn take_from(entry: &QuestionEntry<'_>) -> Self {
        Self { long: entry.long }
    }
}

impl From<TextQuestion> for QuestionKind {
    fn from(text: TextQuestion) -> Self {
        Self::Text(text)
    }
}

impl KindBehavior for TextQuestion {
    fn name(&self) -> &'static str {
        "text"
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

    fn write<'q>(&'q self, entry: &mut QuestionEntry<'q>) {
        entry.kind = Some(KindName::Text);
        entry.long = self.long;
    }

    fn unmeetable_problem(&self, rules: &Rules, requirement: &Requirement) -> Option<Problem> {
        match requirement {
            Requirement::MaxLength(0) if !rules.blank_text => Some(leaves_no_answer(requirement)),
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
