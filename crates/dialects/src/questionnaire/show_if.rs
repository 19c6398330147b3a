//! `showIf`: the answer to the parent on which a question depends (the spec's `BaseQuestion.showIf`).

use super::label_of;
use sayso_core::{Check, Choice, Condition, Kind, Opt, Question, Test, Value};
use std::collections::HashSet;

/// Parses a value into the condition of a question that follows up this parent; `None` if no answer to it can match.
pub(super) fn condition(parent: &Question, value: &str) -> Option<Condition> {
    let check = check(&parent.kind, value)?;
    Some(Condition::Test(Test { question: parent.id.clone(), check }))
}

fn check(kind: &Kind, value: &str) -> Option<Check> {
    let text = || Value::Text(value.into());
    match kind {
        Kind::Choice(choice) => of_choice(choice, value),
        Kind::Text(_) => (!value.trim().is_empty()).then(|| Check::Is(text())),
        Kind::Confirm(confirm) => {
            let is = |confirmed: bool, word: &str| value == word || value == label_of(confirm, confirmed);
            match (is(true, "true"), is(false, "false")) {
                (true, true) => Some(Check::Answered(true)),
                (true, false) => Some(Check::Is(Value::Bool(true))),
                (false, true) => Some(Check::Is(Value::Bool(false))),
                (false, false) => None,
            }
        }
        Kind::Rating(rating) => {
            let step: i32 = value.parse().ok()?;
            let is_step = (rating.min..=rating.max).contains(&step) && step.to_string() == value;
            is_step.then(|| Check::Is(Value::Number(i64::from(step).into())))
        }
        Kind::Number(_) | Kind::Date | Kind::Time | Kind::Datetime => None,
    }
}

/// Returns the check for the options with this value, and for the own answer with this text.
fn of_choice(choice: &Choice, value: &str) -> Option<Check> {
    let options = choice.options.iter().filter(|option| option.sent() == value);
    let mut values: Vec<_> = options.map(|option| Value::Text(option.id.as_str().into())).collect();
    // An own answer is trimmed and not empty; if an option has the value as its id, that id stands for both.
    let can_be_typed = choice.other && !value.is_empty() && value.trim() == value;
    let own = Value::Text(value.into());
    if can_be_typed && !values.contains(&own) {
        values.push(own);
    }
    match values.len() {
        0 => None,
        1 => values.pop().map(Check::Is),
        _ => Some(Check::AnyOf(values)),
    }
}

/// Returns a value that no answer to this parent can have: a run of spaces, of a length that no option or label has. An
/// own answer is trimmed, so it never equals one.
pub(super) fn impossible(parent: &Question) -> String {
    let is_blank = |word: &&str| word.bytes().all(|byte| byte == b' ');
    let words: HashSet<&str> = match &parent.kind {
        Kind::Choice(choice) => choice.options.iter().map(Opt::sent).filter(is_blank).collect(),
        Kind::Confirm(confirm) => [true, false].map(|confirmed| label_of(confirm, confirmed)).into(),
        _ => HashSet::new(),
    };
    let mut value = String::new();
    while words.contains(value.as_str()) {
        value.push(' ');
    }
    value
}

/// Returns the value that parses to this condition of a question that follows up this parent, if there is one.
pub(super) fn value(parent: &Question, wanted: &Condition) -> Option<String> {
    let Condition::Test(Test { question, check }) = wanted else { return None };
    if *question != parent.id {
        return None;
    }
    let compared = match check {
        Check::Is(value) => Some(value),
        Check::AnyOf(values) => values.first(),
        _ => None,
    };
    let mut candidates: Vec<String> = Vec::new();
    match (&parent.kind, compared) {
        (Kind::Choice(choice), Some(Value::Text(id))) => {
            let option = choice.options.iter().find(|option| option.id.as_str() == &**id);
            candidates.extend(option.map(|option| option.sent().to_owned()));
            candidates.push(id.to_string());
        }
        (Kind::Confirm(confirm), _) => {
            candidates.extend(
                ["true", "false", label_of(confirm, true), label_of(confirm, false)].map(str::to_owned),
            );
        }
        (_, Some(value)) => candidates.push(value.to_string()),
        (_, None) => {}
    }
    candidates.into_iter().find(|candidate| condition(parent, candidate).as_ref() == Some(wanted))
}
