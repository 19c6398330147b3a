//! Evaluation of conditions, and their problems.

mod text_equality;

use crate::i18n::{Message, foreign, own};
use crate::kinds::behavior::ComparedQuestion;
use crate::model::answer::{Answer, Pick};
use crate::model::question::Question;
use crate::model::question::condition::AnswerCheck;
use crate::model::validation_rules::Rules;
use crate::model::value::ComparisonValue;
use crate::problem::{Problem, ProblemCode};
use std::cmp::Ordering;
use std::collections::HashSet;

impl AnswerCheck {
    /// Returns true if the check holds for an answer; `None` is no answer.
    pub(crate) fn holds(
        &self,
        question: &Question,
        rules: &Rules,
        answer: Option<ComparedAnswer<'_>>,
    ) -> bool {
        let Some(compared) = answer else { return *self == Self::Answered(false) };
        let is_value = |value: &ComparisonValue| compared.equals(question, rules, value);
        match self {
            Self::Answered(is_answered) => *is_answered,
            Self::Is(value) => is_value(value),
            Self::AnyOf(values) => values.iter().any(is_value),
            Self::AllOf(values) => values.iter().all(is_value),
            Self::NoneOf(values) => !values.iter().any(is_value),
            Self::HasOther(has_other) => has_other_pick(compared.answer) == *has_other,
            Self::AtLeast(value) => {
                value.compare_answer(&question.kind, compared.answer).is_some_and(Ordering::is_ge)
            }
            Self::AtMost(value) => {
                value.compare_answer(&question.kind, compared.answer).is_some_and(Ordering::is_le)
            }
        }
    }

    /// Returns the problem of the check on answers to this question; `has_option` looks up the ids of its options.
    pub(crate) fn problem(
        &self,
        question: &Question,
        rules: &Rules,
        has_option: &dyn Fn(&str) -> bool,
    ) -> Option<Problem> {
        let kind = &question.kind;
        let is_suitable = match (self, kind.choice()) {
            (Self::HasOther(_), Some(choice)) if !choice.other => {
                let message = Message::OwnAnswerNeedsOther.with([&question.id]);
                return Some(Problem::new(ProblemCode::BadCondition, message));
            }
            (Self::Answered(_) | Self::Is(_) | Self::AnyOf(_) | Self::NoneOf(_), _) => true,
            (Self::AllOf(_), Some(choice)) => choice.multi,
            (Self::HasOther(_), choice) => choice.is_some(),
            (Self::AllOf(_), None) => false,
            (Self::AtLeast(_) | Self::AtMost(_), _) => kind.has_order(),
        };
        if !is_suitable {
            let message =
                Message::CheckDoesNotSuit.with([own(self.name()), foreign(&question.id), own(kind.name())]);
            return Some(Problem::new(ProblemCode::BadCondition, message));
        }
        let compared = ComparedQuestion { id: &question.id, rules, has_option };
        self.values().iter().find_map(|value| kind.behavior().comparison_problem(&compared, value))
    }
}

/// Returns the name of a pick in conditions.
fn pick_name<'p>(rules: &Rules, pick: &'p Pick) -> Option<&'p str> {
    match pick {
        Pick::Option(option) => Some(option.as_str()),
        Pick::Other(text) if rules.own_answers_match => Some(rules.trimmed(text)),
        Pick::Other(_) => None,
    }
}

/// An answer as conditions compare it.
#[derive(Clone, Copy)]
pub(crate) struct ComparedAnswer<'a> {
    pub(crate) answer: &'a Answer,
    /// Names of its picks, if they are several.
    pub(crate) pick_names: Option<&'a HashSet<String>>,
}

/// Returns the names of several picks as a set, since thousands of tests may check thousands of picks.
pub(crate) fn pick_names(rules: &Rules, answer: &Answer) -> Option<HashSet<String>> {
    match answer {
        Answer::Picks(picks) if picks.len() > 1 => {
            Some(picks.iter().filter_map(|pick| pick_name(rules, pick)).map(str::to_owned).collect())
        }
        _ => None,
    }
}

impl ComparedAnswer<'_> {
    /// Returns true if the answer, or one of several picks, equals this value.
    fn equals(&self, question: &Question, rules: &Rules, value: &ComparisonValue) -> bool {
        match (self.answer, value) {
            (Answer::Picks(picks), ComparisonValue::Text(id)) => match self.pick_names {
                Some(names) => names.contains(&**id),
                None => picks.iter().any(|pick| pick_name(rules, pick) == Some(&**id)),
            },
            (Answer::Text(text), ComparisonValue::Text(value)) => {
                text_equality::are_equal(text.trim(), value.trim())
            }
            (Answer::Confirm(is_yes), ComparisonValue::Bool(value)) => is_yes == value,
            (answer, _) => value.compare_answer(&question.kind, answer).is_some_and(Ordering::is_eq),
        }
    }
}

fn has_other_pick(answer: &Answer) -> bool {
    matches!(answer, Answer::Picks(picks) if picks.iter().any(|pick| matches!(pick, Pick::Other(_))))
}
