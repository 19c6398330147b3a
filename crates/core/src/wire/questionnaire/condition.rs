//! Conditions as JSON: `{"question":"lang","is":"rust"}`, `{"all":[…]}`, `{"not":{…}}`. A follow-up question that
//! leaves `question` out means its parent.

use super::text::WireText;
use crate::i18n::Message;
use crate::model::condition::{AnswerCheck, Condition, ConditionTest};
use crate::model::document_path::DocumentPath;
use crate::model::id::QuestionId;
use crate::model::value::ComparisonValue;
use crate::problem::{Problem, ProblemCode};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Condition under which something is asked: one check of the answer to an earlier question, or all, any or not of
/// other conditions.
#[derive(Default, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Condition")]
pub(super) struct ConditionEntry<'q> {
    /// The id of an earlier question; without it, the parent's.
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    question: Option<WireText<'q>>,
    /// The answer is this: an option's id, a text, true or false, a number, or a date or time in its ISO form. Of
    /// several picks, one is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    is: Option<ComparisonValue>,
    /// The answer is one of these.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    any_of: Option<Vec<ComparisonValue>>,
    /// All of these are picked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    all_of: Option<Vec<ComparisonValue>>,
    /// There is an answer, and it is none of these.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    none_of: Option<Vec<ComparisonValue>>,
    /// The answer is this or more, or this or later.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    at_least: Option<ComparisonValue>,
    /// The answer is this or less, or this or earlier.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    at_most: Option<ComparisonValue>,
    /// There is an answer (true), or there is none (false).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    answered: Option<bool>,
    /// The answer is the person's own, not an option (true), or is an option (false).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    own_answer: Option<bool>,
    /// All of these hold.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    all: Option<Vec<ConditionEntry<'q>>>,
    /// At least one of these holds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    any: Option<Vec<ConditionEntry<'q>>>,
    /// This does not hold.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    not: Option<Box<ConditionEntry<'q>>>,
}

impl<'q> ConditionEntry<'q> {
    pub(super) fn from_condition(condition: &'q Condition) -> Self {
        let entries = |parts: &'q [Condition]| Some(parts.iter().map(Self::from_condition).collect());
        match condition {
            Condition::All(parts) => Self { all: entries(parts), ..Self::default() },
            Condition::Any(parts) => Self { any: entries(parts), ..Self::default() },
            Condition::Not(part) => {
                Self { not: Some(Box::new(Self::from_condition(part))), ..Self::default() }
            }
            Condition::Test(test) => {
                let entry = Self { question: Some(test.question.as_str().into()), ..Self::default() };
                match &test.check {
                    AnswerCheck::Answered(answered) => Self { answered: Some(*answered), ..entry },
                    AnswerCheck::Is(value) => Self { is: Some(value.clone()), ..entry },
                    AnswerCheck::AnyOf(values) => Self { any_of: Some(values.clone()), ..entry },
                    AnswerCheck::AllOf(values) => Self { all_of: Some(values.clone()), ..entry },
                    AnswerCheck::NoneOf(values) => Self { none_of: Some(values.clone()), ..entry },
                    AnswerCheck::HasOther(own) => Self { own_answer: Some(*own), ..entry },
                    AnswerCheck::AtLeast(value) => Self { at_least: Some(value.clone()), ..entry },
                    AnswerCheck::AtMost(value) => Self { at_most: Some(value.clone()), ..entry },
                }
            }
        }
    }

    /// Builds the condition. An invalid entry is reported and never holds.
    pub(super) fn into_condition(
        self,
        parent: Option<&QuestionId>,
        place: &dyn Fn() -> DocumentPath,
        problems: &mut Vec<Problem>,
    ) -> Condition {
        let checks = [
            self.is.map(AnswerCheck::Is),
            self.any_of.map(AnswerCheck::AnyOf),
            self.all_of.map(AnswerCheck::AllOf),
            self.none_of.map(AnswerCheck::NoneOf),
            self.at_least.map(AnswerCheck::AtLeast),
            self.at_most.map(AnswerCheck::AtMost),
            self.answered.map(AnswerCheck::Answered),
            self.own_answer.map(AnswerCheck::HasOther),
        ];
        let mut checks = checks.into_iter().flatten();
        let mut parts = |name: &str, parts: Vec<Self>| -> Vec<Condition> {
            let part = |(index, part): (usize, Self)| {
                part.into_condition(parent, &|| place().join(name).join(index), problems)
            };
            parts.into_iter().enumerate().map(part).collect()
        };
        let names_one = self.question.is_some();
        match (checks.next(), checks.next(), self.all, self.any, self.not) {
            (Some(check), None, None, None, None) => {
                let named = self.question.filter(|id| parent.is_none_or(|parent| parent.as_str() != &**id));
                if let Some(question) = named.map(QuestionId::new).or_else(|| parent.cloned()) {
                    return Condition::Test(ConditionTest { question, check });
                }
                problems
                    .push(Problem::new(ProblemCode::Required, Message::ConditionNamesNoQuestion).at(place()));
                Condition::always_false()
            }
            (None, None, Some(all), None, None) if !names_one => Condition::All(parts("all", all)),
            (None, None, None, Some(any), None) if !names_one => Condition::Any(parts("any", any)),
            (None, None, None, None, Some(not)) if !names_one => {
                Condition::Not(Box::new(not.into_condition(parent, &|| place().join("not"), problems)))
            }
            _ => {
                problems.push(Problem::new(ProblemCode::BadCondition, Message::ConditionShape).at(place()));
                Condition::always_false()
            }
        }
    }
}
