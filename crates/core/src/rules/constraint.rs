//! Requirements of a constraint: the kinds that they apply to, their problems, and the messages of those that fail.

use crate::i18n::{LocalizedText, Message, foreign};
use crate::kinds::input::{LineFormat, QuestionInput};
use crate::model::question::constraint::Requirement;
use crate::model::question::kind::QuestionKind;
use crate::model::value::ComparisonValue;
use crate::model::value::number::Number;
use crate::problem::{Problem, ProblemCode};

impl Requirement {
    /// Returns true if answers of this kind can fail it.
    pub fn applies_to(&self, kind: &QuestionKind) -> bool {
        match self {
            Self::Answered | Self::MatchesKind => true,
            Self::MinPicks(_) | Self::MaxPicks(_) => kind.choice().is_some(),
            Self::MinLength(_) | Self::MaxLength(_) | Self::Pattern(_) => {
                matches!(kind.input(), QuestionInput::Line(LineFormat::Text { .. }))
            }
            Self::Min(_) | Self::Max(_) => kind.has_order(),
            Self::MultipleOf(_) => matches!(kind.input(), QuestionInput::Line(LineFormat::Number { .. })),
        }
    }

    /// Returns the problem of the requirement on answers of this kind.
    pub fn problem(&self, kind: &QuestionKind) -> Option<Problem> {
        if !self.applies_to(kind) {
            let message = Message::ConstraintDoesNotSuit.with([self.name(), kind.name()]);
            return Some(Problem::new(ProblemCode::BadConstraint, message));
        }
        match self {
            Self::Pattern(pattern) => pattern.compiled().err().map(Problem::from),
            Self::Min(value) | Self::Max(value) => kind.behavior().ordered_value_problem(value),
            Self::MultipleOf(step) => (!step.is_positive())
                .then(|| Problem::new(ProblemCode::BadConstraint, Message::StepNotPositive.with([step]))),
            Self::Answered
            | Self::MatchesKind
            | Self::MinPicks(_)
            | Self::MaxPicks(_)
            | Self::MinLength(_)
            | Self::MaxLength(_) => None,
        }
    }

    /// Returns the default message for an answer that fails it.
    pub fn default_message(&self) -> LocalizedText {
        match self {
            Self::Answered => Message::NeedsAnswer.into(),
            Self::MatchesKind => Message::DoesNotFit.into(),
            Self::MinPicks(1) => Message::MinPicksOne.into(),
            Self::MinPicks(count) => Message::MinPicks.with([*count]),
            Self::MaxPicks(count) => Message::MaxPicks.with([*count]),
            Self::MinLength(length) => Message::MinLength.with([*length]),
            Self::MaxLength(length) => Message::MaxLength.with([*length]),
            Self::Pattern(pattern) => Message::PatternUnmet.with([foreign(pattern.source())]),
            Self::Min(value @ ComparisonValue::Text(text)) if Number::parse(text).is_none() => {
                Message::NotBefore.with([value])
            }
            Self::Max(value @ ComparisonValue::Text(text)) if Number::parse(text).is_none() => {
                Message::NotAfter.with([value])
            }
            Self::Min(value) => Message::AtLeast.with([value]),
            Self::Max(value) => Message::AtMost.with([value]),
            Self::MultipleOf(step) => Message::MultipleOf.with([step]),
        }
    }
}
