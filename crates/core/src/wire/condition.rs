//! Conditions as JSON: `{"question":"lang","is":"rust"}`, `{"all":[…]}`, `{"not":{…}}`. A follow-up question that leaves
//! `question` out means its parent.

use super::words::Words;
use crate::condition::{Check, Condition, Test};
use crate::id::QuestionId;
use crate::message::Message;
use crate::problem::{Code, Path, Problem};
use crate::value::Value;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// When something is asked: one check of the answer to an earlier question, or all, any or not of other conditions.
#[derive(Default, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Condition")]
pub(super) struct Entry<'q> {
    /// The id of an earlier question; without it, the parent's.
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    question: Option<Words<'q>>,
    /// The answer is this: an option's id, a text, true or false, a number, or a date or time in its ISO form. Of
    /// several picks, one is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    is: Option<Value>,
    /// The answer is one of these.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    any_of: Option<Vec<Value>>,
    /// All of these are picked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    all_of: Option<Vec<Value>>,
    /// There is an answer, and it is none of these.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    none_of: Option<Vec<Value>>,
    /// The answer is this or more, or this or later.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    at_least: Option<Value>,
    /// The answer is this or less, or this or earlier.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    at_most: Option<Value>,
    /// There is an answer (true), or there is none (false).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    answered: Option<bool>,
    /// The answer is one typed beside the options (true), or is not (false).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    own_answer: Option<bool>,
    /// All of these hold.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    all: Option<Vec<Entry<'q>>>,
    /// At least one of these holds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    any: Option<Vec<Entry<'q>>>,
    /// This does not hold.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    not: Option<Box<Entry<'q>>>,
}

impl<'q> Entry<'q> {
    pub(super) fn of(condition: &'q Condition) -> Self {
        let entries = |parts: &'q [Condition]| Some(parts.iter().map(Self::of).collect());
        match condition {
            Condition::All(parts) => Self { all: entries(parts), ..Self::default() },
            Condition::Any(parts) => Self { any: entries(parts), ..Self::default() },
            Condition::Not(part) => Self { not: Some(Box::new(Self::of(part))), ..Self::default() },
            Condition::Test(test) => {
                let entry = Self { question: Some(test.question.as_str().into()), ..Self::default() };
                match &test.check {
                    Check::Answered(answered) => Self { answered: Some(*answered), ..entry },
                    Check::Is(value) => Self { is: Some(value.clone()), ..entry },
                    Check::AnyOf(values) => Self { any_of: Some(values.clone()), ..entry },
                    Check::AllOf(values) => Self { all_of: Some(values.clone()), ..entry },
                    Check::NoneOf(values) => Self { none_of: Some(values.clone()), ..entry },
                    Check::OwnAnswer(own) => Self { own_answer: Some(*own), ..entry },
                    Check::AtLeast(value) => Self { at_least: Some(value.clone()), ..entry },
                    Check::AtMost(value) => Self { at_most: Some(value.clone()), ..entry },
                }
            }
        }
    }

    /// Builds the condition. An invalid entry is reported and never holds.
    pub(super) fn condition(
        self,
        parent: Option<&QuestionId>,
        place: &dyn Fn() -> Path,
        problems: &mut Vec<Problem>,
    ) -> Condition {
        let checks = [
            self.is.map(Check::Is),
            self.any_of.map(Check::AnyOf),
            self.all_of.map(Check::AllOf),
            self.none_of.map(Check::NoneOf),
            self.at_least.map(Check::AtLeast),
            self.at_most.map(Check::AtMost),
            self.answered.map(Check::Answered),
            self.own_answer.map(Check::OwnAnswer),
        ];
        let mut checks = checks.into_iter().flatten();
        let mut parts = |name: &str, parts: Vec<Self>| -> Vec<Condition> {
            let part = |(index, part): (usize, Self)| {
                part.condition(parent, &|| place().then(name).then(index), problems)
            };
            parts.into_iter().enumerate().map(part).collect()
        };
        let names_one = self.question.is_some();
        match (checks.next(), checks.next(), self.all, self.any, self.not) {
            (Some(check), None, None, None, None) => {
                let named = self.question.filter(|id| parent.is_none_or(|parent| parent.as_str() != &**id));
                if let Some(question) = named.map(QuestionId::new).or_else(|| parent.cloned()) {
                    return Condition::Test(Test { question, check });
                }
                problems.push(Problem::new(Code::Required, Message::ConditionNamesNoQuestion).at(place()));
                Condition::never()
            }
            (None, None, Some(all), None, None) if !names_one => Condition::All(parts("all", all)),
            (None, None, None, Some(any), None) if !names_one => Condition::Any(parts("any", any)),
            (None, None, None, None, Some(not)) if !names_one => {
                Condition::Not(Box::new(not.condition(parent, &|| place().then("not"), problems)))
            }
            _ => {
                problems.push(Problem::new(Code::BadCondition, Message::ConditionShape).at(place()));
                Condition::never()
            }
        }
    }
}
