//! Conditions on the answers to earlier questions, which decide if a question is asked.
//!
//! A comparison with nothing is false, whichever way it compares: a question that is not asked, not answered or passed
//! over has no value. Only `answered: false` asks for that.

mod text_equality;

use crate::i18n::{Message, foreign, own};
use crate::kinds::Answer;
use crate::kinds::behavior::ComparedQuestion;
use crate::model::answer::Pick;
use crate::model::document_path::DocumentPath;
use crate::model::id::QuestionId;
use crate::model::question::Question;
use crate::model::value::ComparisonValue;
use crate::problem::{Problem, ProblemCode};
use crate::rules::Rules;
use std::cmp::Ordering;
use std::collections::HashSet;

/// A condition on earlier answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Condition {
    /// All of these hold.
    All(Vec<Condition>),
    /// At least one of these holds.
    Any(Vec<Condition>),
    /// This does not hold.
    Not(Box<Condition>),
    /// A test of the answer to an earlier question.
    Test(ConditionTest),
}

/// A test of the answer to an earlier question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConditionTest {
    /// The question.
    pub question: QuestionId,
    /// The check of its answer.
    pub check: AnswerCheck,
}

/// A check of an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AnswerCheck {
    /// An answer exists, or none exists.
    Answered(bool),
    /// The answer equals this value, or one of several picks does.
    Is(ComparisonValue),
    /// The answer equals one of these values, or one of several picks does.
    AnyOf(Vec<ComparisonValue>),
    /// All of these are picked.
    AllOf(Vec<ComparisonValue>),
    /// An answer exists, and it is none of these.
    NoneOf(Vec<ComparisonValue>),
    /// An own answer exists, or an answer without one exists.
    HasOther(bool),
    /// The answer is at least this, or not before this.
    AtLeast(ComparisonValue),
    /// The answer is at most this, or not after this.
    AtMost(ComparisonValue),
}

impl Condition {
    /// Returns a condition that never holds.
    pub const fn always_false() -> Self {
        Self::Any(Vec::new())
    }

    /// Returns every test in it.
    pub fn tests(&self) -> Vec<&ConditionTest> {
        let mut tests = Vec::new();
        self.visit_tests(&mut 0, &mut |_, test| tests.push(test));
        tests
    }

    /// Calls `show` with every test in it and its number, counted from `number`.
    pub(crate) fn visit_tests<'c>(
        &'c self,
        number: &mut usize,
        show: &mut impl FnMut(usize, &'c ConditionTest),
    ) {
        match self {
            Self::All(parts) | Self::Any(parts) => {
                parts.iter().for_each(|part| part.visit_tests(number, show));
            }
            Self::Not(part) => part.visit_tests(number, show),
            Self::Test(test) => {
                show(*number, test);
                *number += 1;
            }
        }
    }

    /// Returns the number of tests and groups in it.
    pub(crate) fn node_count(&self) -> usize {
        match self {
            Self::All(parts) | Self::Any(parts) => 1 + parts.iter().map(Self::node_count).sum::<usize>(),
            Self::Not(part) => 1 + part.node_count(),
            Self::Test(_) => 1,
        }
    }

    /// Returns the number of values that its tests compare with.
    pub(crate) fn value_count(&self) -> usize {
        match self {
            Self::All(parts) | Self::Any(parts) => parts.iter().map(Self::value_count).sum(),
            Self::Not(part) => part.value_count(),
            Self::Test(test) => test.check.values().len(),
        }
    }

    /// Collects the path of every test in the canonical form.
    pub(crate) fn collect_test_paths(&self, place: &DocumentPath, places: &mut Vec<DocumentPath>) {
        let mut parts = |name: &str, parts: &[Self]| {
            let place = place.join(name);
            parts
                .iter()
                .enumerate()
                .for_each(|(index, part)| part.collect_test_paths(&place.join(index), places));
        };
        match self {
            Self::All(all) => parts("all", all),
            Self::Any(any) => parts("any", any),
            Self::Not(part) => part.collect_test_paths(&place.join("not"), places),
            Self::Test(_) => places.push(place.clone()),
        }
    }
}

impl AnswerCheck {
    /// Returns its name in the wire format.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Answered(_) => "answered",
            Self::Is(_) => "is",
            Self::AnyOf(_) => "any_of",
            Self::AllOf(_) => "all_of",
            Self::NoneOf(_) => "none_of",
            Self::HasOther(_) => "own_answer",
            Self::AtLeast(_) => "at_least",
            Self::AtMost(_) => "at_most",
        }
    }

    fn values(&self) -> &[ComparisonValue] {
        match self {
            Self::Is(value) | Self::AtLeast(value) | Self::AtMost(value) => std::slice::from_ref(value),
            Self::AnyOf(values) | Self::AllOf(values) | Self::NoneOf(values) => values,
            Self::Answered(_) | Self::HasOther(_) => &[],
        }
    }

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
