//! Conditions as JSON: `{"question":"lang","is":"rust"}`, `{"all":[…]}`, `{"not":{…}}`. A follow-up question that
//! leaves `question` out means its parent.

use super::text::WireText;
use crate::i18n::Message;
use crate::model::document_path::DocumentPath;
use crate::model::id::QuestionId;
use crate::model::question::condition::{AnswerCheck, Condition, ConditionTest};
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
        match condition {
            Condition::All(parts) => Self { all: Some(Self::from_conditions(parts)), ..Self::default() },
            Condition::Any(parts) => Self { any: Some(Self::from_conditions(parts)), ..Self::default() },
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
        let names_question = self.question.is_some();
        match (checks.next(), checks.next(), self.all, self.any, self.not) {
            (Some(check), None, None, None, None) => match (self.question, parent) {
                (Some(question), _) => {
                    Condition::Test(ConditionTest { question: QuestionId::new(question), check })
                }
                (None, Some(parent)) => Condition::Test(ConditionTest { question: parent.clone(), check }),
                (None, None) => {
                    let message = Message::ConditionNamesNoQuestion;
                    problems.push(Problem::new(ProblemCode::Required, message).at(place()));
                    Condition::always_false()
                }
            },
            (None, None, Some(all), None, None) if !names_question => {
                Condition::All(into_conditions(all, parent, &|| place().join("all"), problems))
            }
            (None, None, None, Some(any), None) if !names_question => {
                Condition::Any(into_conditions(any, parent, &|| place().join("any"), problems))
            }
            (None, None, None, None, Some(not)) if !names_question => {
                Condition::Not(Box::new(not.into_condition(parent, &|| place().join("not"), problems)))
            }
            _ => {
                problems.push(Problem::new(ProblemCode::BadCondition, Message::ConditionShape).at(place()));
                Condition::always_false()
            }
        }
    }

    fn from_conditions(parts: &'q [Condition]) -> Vec<Self> {
        parts.iter().map(Self::from_condition).collect()
    }
}

/// Builds the parts of a condition from the list at this place.
fn into_conditions(
    parts: Vec<ConditionEntry<'_>>,
    parent: Option<&QuestionId>,
    place: &dyn Fn() -> DocumentPath,
    problems: &mut Vec<Problem>,
) -> Vec<Condition> {
    let mut conditions = Vec::with_capacity(parts.len());
    for (index, part) in parts.into_iter().enumerate() {
        conditions.push(part.into_condition(parent, &|| place().join(index), problems));
    }
    conditions
}
