//! Evaluation of conditions, and their problems.

mod text_equality;

use crate::i18n::{Message, foreign, own};
use crate::kinds::Answer;
use crate::kinds::behavior::ComparedQuestion;
use crate::model::answer::Pick;
use crate::model::condition::AnswerCheck;
use crate::model::question::Question;
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
        given: Option<ComparedAnswer<'_>>,
    ) -> bool {
        let Some(given) = given else { return *self == Self::Answered(false) };
        let is = |value: &ComparisonValue| given.equals(question, rules, value);
        match self {
            Self::Answered(answered) => *answered,
            Self::Is(value) => is(value),
            Self::AnyOf(values) => values.iter().any(is),
            Self::AllOf(values) => values.iter().all(is),
            Self::NoneOf(values) => !values.iter().any(is),
            Self::HasOther(wanted) => has_other_pick(given.answer) == *wanted,
            Self::AtLeast(value) => {
                value.compare_answer(&question.kind, given.answer).is_some_and(Ordering::is_ge)
            }
            Self::AtMost(value) => {
                value.compare_answer(&question.kind, given.answer).is_some_and(Ordering::is_le)
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
        let suits = match self {
            Self::Answered(_) | Self::Is(_) | Self::AnyOf(_) | Self::NoneOf(_) => true,
            Self::AllOf(_) => kind.choice().is_some_and(|choice| choice.multi),
            Self::HasOther(_) => kind.choice().is_some_and(|choice| choice.other),
            Self::AtLeast(_) | Self::AtMost(_) => kind.has_order(),
        };
        if matches!(self, Self::HasOther(_)) && kind.choice().is_some() && !suits {
            let message = Message::OwnAnswerNeedsOther.with([&question.id]);
            return Some(Problem::new(ProblemCode::BadCondition, message));
        }
        if !suits {
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
        Pick::Other(text) => rules.own_answers_match.then(|| rules.trimmed(text)),
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
            (Answer::Text(text), ComparisonValue::Text(wanted)) => {
                text_equality::are_equal(text.trim(), wanted.trim())
            }
            (Answer::Confirm(confirmed), ComparisonValue::Bool(wanted)) => confirmed == wanted,
            (answer, _) => value.compare_answer(&question.kind, answer).is_some_and(Ordering::is_eq),
        }
    }
}

fn has_other_pick(answer: &Answer) -> bool {
    matches!(answer, Answer::Picks(picks) if picks.iter().any(|pick| matches!(pick, Pick::Other(_))))
}
