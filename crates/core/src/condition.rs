//! Conditions on the answers to earlier questions, which decide if a question is asked.
//!
//! A comparison with nothing is false, whichever way it compares: a question that is not asked, not answered or passed
//! over has no value. Only `answered: false` asks for that.

mod alike;

use crate::answer::{Answer, Pick};
use crate::constraint::point_problem;
use crate::id::QuestionId;
use crate::message::Message;
use crate::problem::{Code, Path, Problem};
use crate::question::{Choice, Kind, Question};
use crate::rules::Rules;
use crate::value::Value;
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
    Test(Test),
}

/// A test of the answer to an earlier question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Test {
    /// The question.
    pub question: QuestionId,
    /// The check of its answer.
    pub check: Check,
}

/// A check of an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Check {
    /// An answer exists, or none exists.
    Answered(bool),
    /// The answer equals this value, or one of several picks does.
    Is(Value),
    /// The answer equals one of these values, or one of several picks does.
    AnyOf(Vec<Value>),
    /// All of these are picked.
    AllOf(Vec<Value>),
    /// An answer exists, and it is none of these.
    NoneOf(Vec<Value>),
    /// An own answer exists, or an answer without one exists.
    OwnAnswer(bool),
    /// The answer is at least this, or not before this.
    AtLeast(Value),
    /// The answer is at most this, or not after this.
    AtMost(Value),
}

impl Condition {
    /// Returns a condition that never holds.
    pub const fn never() -> Self {
        Self::Any(Vec::new())
    }

    /// Returns every test in it.
    pub fn tests(&self) -> Vec<&Test> {
        let mut tests = Vec::new();
        self.each_test(&mut 0, &mut |_, test| tests.push(test));
        tests
    }

    /// Calls `show` with every test in it and its number, counted from `number`.
    pub(crate) fn each_test<'c>(&'c self, number: &mut usize, show: &mut impl FnMut(usize, &'c Test)) {
        match self {
            Self::All(parts) | Self::Any(parts) => {
                parts.iter().for_each(|part| part.each_test(number, show));
            }
            Self::Not(part) => part.each_test(number, show),
            Self::Test(test) => {
                show(*number, test);
                *number += 1;
            }
        }
    }

    /// Returns the number of tests and groups in it.
    pub(crate) fn nodes(&self) -> usize {
        match self {
            Self::All(parts) | Self::Any(parts) => 1 + parts.iter().map(Self::nodes).sum::<usize>(),
            Self::Not(part) => 1 + part.nodes(),
            Self::Test(_) => 1,
        }
    }

    /// Returns the number of values that its tests compare with.
    pub(crate) fn values(&self) -> usize {
        match self {
            Self::All(parts) | Self::Any(parts) => parts.iter().map(Self::values).sum(),
            Self::Not(part) => part.values(),
            Self::Test(test) => test.check.values().len(),
        }
    }

    /// Collects the path of every test in the canonical form.
    pub(crate) fn places_of_tests(&self, place: &Path, places: &mut Vec<Path>) {
        let mut parts = |name: &str, parts: &[Self]| {
            let place = place.then(name);
            parts
                .iter()
                .enumerate()
                .for_each(|(index, part)| part.places_of_tests(&place.then(index), places));
        };
        match self {
            Self::All(all) => parts("all", all),
            Self::Any(any) => parts("any", any),
            Self::Not(part) => part.places_of_tests(&place.then("not"), places),
            Self::Test(_) => places.push(place.clone()),
        }
    }
}

impl Check {
    /// Returns its name in the wire format.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Answered(_) => "answered",
            Self::Is(_) => "is",
            Self::AnyOf(_) => "any_of",
            Self::AllOf(_) => "all_of",
            Self::NoneOf(_) => "none_of",
            Self::OwnAnswer(_) => "own_answer",
            Self::AtLeast(_) => "at_least",
            Self::AtMost(_) => "at_most",
        }
    }

    fn values(&self) -> &[Value] {
        match self {
            Self::Is(value) | Self::AtLeast(value) | Self::AtMost(value) => std::slice::from_ref(value),
            Self::AnyOf(values) | Self::AllOf(values) | Self::NoneOf(values) => values,
            Self::Answered(_) | Self::OwnAnswer(_) => &[],
        }
    }

    /// Returns true if the check holds for an answer; `None` is no answer.
    pub(crate) fn holds(&self, question: &Question, rules: &Rules, given: Option<Given<'_>>) -> bool {
        let Some(given) = given else { return *self == Self::Answered(false) };
        let is = |value: &Value| given.is(question, rules, value);
        match self {
            Self::Answered(answered) => *answered,
            Self::Is(value) => is(value),
            Self::AnyOf(values) => values.iter().any(is),
            Self::AllOf(values) => values.iter().all(is),
            Self::NoneOf(values) => !values.iter().any(is),
            Self::OwnAnswer(wanted) => has_own(given.answer) == *wanted,
            Self::AtLeast(value) => value.order(&question.kind, given.answer).is_some_and(Ordering::is_ge),
            Self::AtMost(value) => value.order(&question.kind, given.answer).is_some_and(Ordering::is_le),
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
            Self::AllOf(_) => matches!(kind, Kind::Choice(choice) if choice.multi),
            Self::OwnAnswer(_) => matches!(kind, Kind::Choice(choice) if choice.other),
            Self::AtLeast(_) | Self::AtMost(_) => kind.has_order(),
        };
        if let (Self::OwnAnswer(_), Kind::Choice(_), false) = (self, kind, suits) {
            let message = Message::OwnAnswerNeedsOther.with([&question.id]);
            return Some(Problem::new(Code::BadCondition, message));
        }
        if !suits {
            let message = Message::CheckDoesNotSuit.with([self.name(), question.id.as_str(), kind.name()]);
            return Some(Problem::new(Code::BadCondition, message));
        }
        self.values().iter().find_map(|value| value_problem(question, rules, has_option, value))
    }
}

/// Returns the problem of a value that answers to this question are compared with.
fn value_problem(
    question: &Question,
    rules: &Rules,
    has_option: &dyn Fn(&str) -> bool,
    value: &Value,
) -> Option<Problem> {
    let wants = |message: Message| {
        Some(Problem::new(Code::BadCondition, message.with([question.id.as_str(), &value.to_string()])))
    };
    match (&question.kind, value) {
        (Kind::Choice(choice), Value::Text(id)) => {
            if has_option(id) || (choice.other && rules.own_answers_match) {
                return None;
            }
            let message = Message::ConditionNoOption.with([question.id.as_str(), id]);
            let problem = Problem::new(Code::NoSuchOption, message);
            Some(match nearest_option(choice, id) {
                Some(nearest) => problem.hint(Message::DidYouMean.with([nearest])),
                None => problem,
            })
        }
        (Kind::Choice(_), _) => wants(Message::ConditionWantsOption),
        (Kind::Text(_), Value::Text(_)) | (Kind::Confirm(_), Value::Bool(_)) => None,
        (Kind::Text(_), _) => wants(Message::ConditionWantsText),
        (Kind::Confirm(_), _) => wants(Message::ConditionWantsBool),
        (kind, value) => point_problem(kind, value),
    }
}

/// Returns the option that was most likely meant: the one with this label, or with an id that differs in a few
/// letters.
fn nearest_option<'c>(choice: &'c Choice, named: &str) -> Option<&'c str> {
    let with_label = choice.options.iter().find(|option| option.label.eq_ignore_ascii_case(named));
    let ids = || choice.options.iter().map(|option| option.id.as_str());
    with_label.map(|option| option.id.as_str()).or_else(|| crate::spelling::nearest(named, ids()))
}

/// Returns the name of a pick in conditions.
fn pick_name<'p>(rules: &Rules, pick: &'p Pick) -> Option<&'p str> {
    match pick {
        Pick::Option(option) => Some(option.as_str()),
        Pick::Other(text) => rules.own_answers_match.then(|| rules.clean(text)),
    }
}

/// An answer as conditions compare it.
#[derive(Clone, Copy)]
pub(crate) struct Given<'a> {
    pub(crate) answer: &'a Answer,
    /// Names of its picks, if they are many.
    pub(crate) names: Option<&'a HashSet<String>>,
}

/// Returns the names of many picks as a set, since thousands of tests may check thousands of picks; `None` for few.
pub(crate) fn names(rules: &Rules, answer: &Answer) -> Option<HashSet<String>> {
    const FEW: usize = 16;
    match answer {
        Answer::Picks(picks) if picks.len() > FEW => {
            Some(picks.iter().filter_map(|pick| pick_name(rules, pick)).map(str::to_owned).collect())
        }
        _ => None,
    }
}

impl Given<'_> {
    /// Returns true if the answer, or one of several picks, equals this value.
    fn is(&self, question: &Question, rules: &Rules, value: &Value) -> bool {
        match (self.answer, value) {
            (Answer::Picks(picks), Value::Text(id)) => match self.names {
                Some(names) => names.contains(&**id),
                None => picks.iter().any(|pick| pick_name(rules, pick) == Some(&**id)),
            },
            (Answer::Text(text), Value::Text(wanted)) => alike::texts(text.trim(), wanted.trim()),
            (Answer::Confirm(confirmed), Value::Bool(wanted)) => confirmed == wanted,
            (answer, _) => value.order(&question.kind, answer).is_some_and(Ordering::is_eq),
        }
    }
}

fn has_own(answer: &Answer) -> bool {
    matches!(answer, Answer::Picks(picks) if picks.iter().any(|pick| matches!(pick, Pick::Other(_))))
}
