//! Constraints on an answer, each with an optional message of the asker.

use crate::i18n::{LocalizedText, Message, foreign};
use crate::kinds::QuestionKind;
use crate::kinds::input::{LineFormat, QuestionInput};
use crate::model::value::ComparisonValue;
use crate::model::value::number::Number;
use crate::problem::{Problem, ProblemCode};
use std::borrow::Cow;

pub use crate::pattern::LazyPattern;

/// Requirements on an answer. The first one that fails is reported.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Constraint {
    first: Requirement,
    others: Vec<Requirement>,
    /// The asker's message if a requirement fails; a message of the catalogue without it.
    pub message: Option<Cow<'static, str>>,
}

impl Constraint {
    /// Returns a constraint with a single requirement.
    pub const fn new(demand: Requirement, message: Option<Cow<'static, str>>) -> Self {
        Self { first: demand, others: Vec::new(), message }
    }

    /// Returns a constraint with several requirements, in the order checked; `None` if there are none.
    pub fn from_requirements(
        demands: impl IntoIterator<Item = Requirement>,
        message: Option<Cow<'static, str>>,
    ) -> Option<Self> {
        let mut demands = demands.into_iter();
        Some(Self { first: demands.next()?, others: demands.collect(), message })
    }

    /// Returns the requirements in the order checked. There is at least one.
    pub fn requirements(&self) -> impl Iterator<Item = &Requirement> + Clone {
        std::iter::once(&self.first).chain(&self.others)
    }
}

/// A requirement on an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Requirement {
    /// An answer exists. It makes no question required: it only carries the message for one that is.
    Answered,
    /// The answer has the question's kind, and its options exist. It only carries the message for one that fails
    /// this.
    MatchesKind,
    /// Minimum number of picks.
    MinPicks(u32),
    /// Maximum number of picks.
    MaxPicks(u32),
    /// Minimum length of a text, in the unit of the rules.
    MinLength(u32),
    /// Maximum length of a text, in the unit of the rules.
    MaxLength(u32),
    /// A text in which the pattern matches somewhere.
    Pattern(LazyPattern),
    /// Minimum of a number, or the earliest date or time.
    Min(ComparisonValue),
    /// Maximum of a number, or the latest date or time.
    Max(ComparisonValue),
    /// A multiple of this number.
    MultipleOf(Number),
}

impl Requirement {
    /// Returns its name in the wire format.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Answered => "required",
            Self::MatchesKind => "fits",
            Self::MinPicks(_) => "min_picks",
            Self::MaxPicks(_) => "max_picks",
            Self::MinLength(_) => "min_length",
            Self::MaxLength(_) => "max_length",
            Self::Pattern(_) => "pattern",
            Self::Min(_) => "min",
            Self::Max(_) => "max",
            Self::MultipleOf(_) => "multiple_of",
        }
    }

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
            Self::Pattern(pattern) => pattern.compiled().err().cloned(),
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
