//! Constraints as JSON: `{"min_length":3,"message":"…"}`. One entry may make several demands, with one message.

use crate::constraint::{Constraint, Demand, LazyPattern};
use crate::message::Message;
use crate::number::Number;
use crate::problem::{Code, Path, Problem};
use crate::value::Value;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// What an answer must be like, and what is said when it is not.
#[derive(Default, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Constraint")]
pub(super) struct Entry {
    /// The words are for a required question that has no answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    required: Option<bool>,
    /// The words are for an answer that is not of the question's kind, or picks what is no option.
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
    #[schemars(length(max = 1000))]
    pattern: Option<String>,
    /// At least this number, or not before this date or time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    min: Option<Value>,
    /// At most this number, or not after this date or time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    max: Option<Value>,
    /// A multiple of this number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    multiple_of: Option<Number>,
    /// What is said when it is not met; words of Sayso's own without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    message: Option<String>,
}

impl Entry {
    pub(super) fn of(constraint: &Constraint) -> Self {
        let mut entry = Self { message: constraint.message.as_deref().map(str::to_owned), ..Self::default() };
        for demand in constraint.demands() {
            match demand {
                Demand::Answered => entry.required = Some(true),
                Demand::Fits => entry.fits = Some(true),
                Demand::MinPicks(count) => entry.min_picks = Some(*count),
                Demand::MaxPicks(count) => entry.max_picks = Some(*count),
                Demand::MinLength(length) => entry.min_length = Some(*length),
                Demand::MaxLength(length) => entry.max_length = Some(*length),
                Demand::Pattern(pattern) => entry.pattern = Some(pattern.source().to_owned()),
                Demand::Min(value) => entry.min = Some(value.clone()),
                Demand::Max(value) => entry.max = Some(value.clone()),
                Demand::MultipleOf(step) => entry.multiple_of = Some(*step),
            }
        }
        entry
    }

    /// Builds the constraint, its demands in a fixed order. An entry without a demand is reported.
    pub(super) fn constraint(self, place: &dyn Fn() -> Path, problems: &mut Vec<Problem>) -> Constraint {
        let demands = [
            self.required.filter(|required| *required).map(|_| Demand::Answered),
            self.fits.filter(|fits| *fits).map(|_| Demand::Fits),
            self.min_picks.map(Demand::MinPicks),
            self.max_picks.map(Demand::MaxPicks),
            self.min_length.map(Demand::MinLength),
            self.max_length.map(Demand::MaxLength),
            self.pattern.map(|source| Demand::Pattern(LazyPattern::new(source))),
            self.min.map(Demand::Min),
            self.max.map(Demand::Max),
            self.multiple_of.map(Demand::MultipleOf),
        ];
        let message = self.message.map(Cow::Owned);
        Constraint::of(demands.into_iter().flatten(), message).unwrap_or_else(|| {
            problems.push(Problem::new(Code::BadConstraint, Message::ConstraintEmpty).at(place()));
            Constraint::new(Demand::Answered, None)
        })
    }
}
