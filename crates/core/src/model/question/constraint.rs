//! Constraints on an answer, each with an optional message of the asker.

use crate::model::value::ComparisonValue;
use crate::model::value::number::Number;
use crate::pattern::LazyPattern;
use std::borrow::Cow;

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
}
