//! Constraints as JSON: `{"min_length":3,"message":"…"}`. One entry may make several demands, with one message.

use crate::i18n::Message;
use crate::model::document_path::DocumentPath;
use crate::model::question::constraint::{Constraint, Requirement};
use crate::model::value::ComparisonValue;
use crate::model::value::number::Number;
use crate::pattern::LazyPattern;
use crate::pattern::budget;
use crate::problem::{Problem, ProblemCode};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// Rule for an answer, and the message if it is not met.
#[derive(Default, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Constraint")]
pub(super) struct ConstraintEntry {
    /// Message for a required question that has no answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    required: Option<bool>,
    /// Message for an answer that is not of the question's kind, or names no option.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    fits: Option<bool>,
    /// At least as many options are picked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    min_picks: Option<u32>,
    /// At most as many options are picked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    max_picks: Option<u32>,
    /// The text has at least as many characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    min_length: Option<u32>,
    /// The text has at most as many characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    max_length: Option<u32>,
    /// A JavaScript regular expression without flags that matches somewhere in the text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = budget::PATTERN_CHARS))]
    pattern: Option<String>,
    /// At least this number, or not before this date or time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    min: Option<ComparisonValue>,
    /// At most this number, or not after this date or time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    max: Option<ComparisonValue>,
    /// A multiple of this number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    multiple_of: Option<Number>,
    /// Message if it is not met; by default a message of Sayso's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    message: Option<String>,
}

impl ConstraintEntry {
    pub(super) fn from_constraint(constraint: &Constraint) -> Self {
        let mut entry = Self { message: constraint.message.as_deref().map(str::to_owned), ..Self::default() };
        for demand in constraint.requirements() {
            match demand {
                Requirement::Answered => entry.required = Some(true),
                Requirement::MatchesKind => entry.fits = Some(true),
                Requirement::MinPicks(count) => entry.min_picks = Some(*count),
                Requirement::MaxPicks(count) => entry.max_picks = Some(*count),
                Requirement::MinLength(length) => entry.min_length = Some(*length),
                Requirement::MaxLength(length) => entry.max_length = Some(*length),
                Requirement::Pattern(pattern) => entry.pattern = Some(pattern.source().to_owned()),
                Requirement::Min(value) => entry.min = Some(value.clone()),
                Requirement::Max(value) => entry.max = Some(value.clone()),
                Requirement::MultipleOf(step) => entry.multiple_of = Some(*step),
            }
        }
        entry
    }

    /// Builds the constraint, its demands in a fixed order. An entry without a demand is reported.
    pub(super) fn into_constraint(
        self,
        place: &dyn Fn() -> DocumentPath,
        problems: &mut Vec<Problem>,
    ) -> Constraint {
        let answered = if self.required == Some(true) { Some(Requirement::Answered) } else { None };
        let matches_kind = if self.fits == Some(true) { Some(Requirement::MatchesKind) } else { None };
        let demands = [
            answered,
            matches_kind,
            self.min_picks.map(Requirement::MinPicks),
            self.max_picks.map(Requirement::MaxPicks),
            self.min_length.map(Requirement::MinLength),
            self.max_length.map(Requirement::MaxLength),
            self.pattern.map(LazyPattern::new).map(Requirement::Pattern),
            self.min.map(Requirement::Min),
            self.max.map(Requirement::Max),
            self.multiple_of.map(Requirement::MultipleOf),
        ];
        let message = self.message.map(Cow::Owned);
        if let Some(constraint) = Constraint::from_requirements(demands.into_iter().flatten(), message) {
            return constraint;
        }
        problems.push(Problem::new(ProblemCode::BadConstraint, Message::ConstraintEmpty).at(place()));
        Constraint::new(Requirement::Answered, None)
    }
}
