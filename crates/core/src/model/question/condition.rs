//! Conditions on the answers to earlier questions, which decide if a question is asked.
//!
//! A comparison with nothing is false, whichever way it compares: a question that is not asked, not answered or passed
//! over has no value. Only `answered: false` asks for that.

use crate::model::document_path::DocumentPath;
use crate::model::id::QuestionId;
use crate::model::value::ComparisonValue;

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

    /// Returns the values that it compares with.
    pub(crate) fn values(&self) -> &[ComparisonValue] {
        match self {
            Self::Is(value) | Self::AtLeast(value) | Self::AtMost(value) => std::slice::from_ref(value),
            Self::AnyOf(values) | Self::AllOf(values) | Self::NoneOf(values) => values,
            Self::Answered(_) | Self::HasOther(_) => &[],
        }
    }
}
