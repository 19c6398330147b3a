//! `showIf`: the answer to the parent on which a question depends (the spec's `BaseQuestion.showIf`).

use super::confirm_label;
use sayso_core::{
    AnswerCheck, ChoiceOption, ChoiceQuestion, ComparisonValue, Condition, ConditionTest, Question,
    QuestionKind,
};
use std::collections::HashSet;

/// Parses a value into the condition of a question that follows up this parent; `None` if no answer to it can match.
pub(super) fn parse_condition(parent: &Question, value: &str) -> Option<Condition> {
    let check = parse_check(&parent.kind, value)?;
    Some(Condition::Test(ConditionTest { question: parent.id.clone(), check }))
}

fn parse_check(kind: &QuestionKind, value: &str) -> Option<AnswerCheck> {
    let text = || ComparisonValue::Text(value.into());
    match kind {
        QuestionKind::Choice(choice) => choice_check(choice, value),
        QuestionKind::Text(_) => (!value.trim().is_empty()).then(|| AnswerCheck::Is(text())),
        QuestionKind::Confirm(confirm) => {
            let is =
                |confirmed: bool, word: &str| value == word || value == confirm_label(confirm, confirmed);
            match (is(true, "true"), is(false, "false")) {
                (true, true) => Some(AnswerCheck::Answered(true)),
                (true, false) => Some(AnswerCheck::Is(ComparisonValue::Bool(true))),
                (false, true) => Some(AnswerCheck::Is(ComparisonValue::Bool(false))),
                (false, false) => None,
            }
        }
        QuestionKind::Rating(rating) => {
            let step: i32 = value.parse().ok()?;
            let is_step = (rating.min..=rating.max).contains(&step) && step.to_string() == value;
            is_step.then(|| AnswerCheck::Is(ComparisonValue::Number(i64::from(step).into())))
        }
        QuestionKind::Number(_) | QuestionKind::Date | QuestionKind::Time | QuestionKind::Datetime => None,
    }
}

/// Returns the check for the options with this value, and for the own answer with this text.
fn choice_check(choice: &ChoiceQuestion, value: &str) -> Option<AnswerCheck> {
    let options = choice.options.iter().filter(|option| option.sent_value() == value);
    let mut values: Vec<_> = options.map(|option| ComparisonValue::Text(option.id.as_str().into())).collect();
    // An own answer is trimmed and not empty; if an option has the value as its id, that id stands for both.
    let can_be_typed = choice.other && !value.is_empty() && value.trim() == value;
    let own = ComparisonValue::Text(value.into());
    if can_be_typed && !values.contains(&own) {
        values.push(own);
    }
    match values.len() {
        0 => None,
        1 => values.pop().map(AnswerCheck::Is),
        _ => Some(AnswerCheck::AnyOf(values)),
    }
}

/// Returns a value that no answer to this parent can have: a run of spaces, of a length that no option or label has. An
/// own answer is trimmed, so it never equals one.
pub(super) fn impossible_value(parent: &Question) -> String {
    let is_blank = |word: &&str| word.bytes().all(|byte| byte == b' ');
    let words: HashSet<&str> = match &parent.kind {
        QuestionKind::Choice(choice) => {
            choice.options.iter().map(ChoiceOption::sent_value).filter(is_blank).collect()
        }
        QuestionKind::Confirm(confirm) => {
            [true, false].map(|confirmed| confirm_label(confirm, confirmed)).into()
        }
        _ => HashSet::new(),
    };
    let mut value = String::new();
    while words.contains(value.as_str()) {
        value.push(' ');
    }
    value
}

/// Returns the value that parses to this condition of a question that follows up this parent, if there is one.
pub(super) fn condition_value(parent: &Question, wanted: &Condition) -> Option<String> {
    let Condition::Test(ConditionTest { question, check }) = wanted else { return None };
    if *question != parent.id {
        return None;
    }
    let compared = match check {
        AnswerCheck::Is(value) => Some(value),
        AnswerCheck::AnyOf(values) => values.first(),
        _ => None,
    };
    let mut candidates: Vec<String> = Vec::new();
    match (&parent.kind, compared) {
        (QuestionKind::Choice(choice), Some(ComparisonValue::Text(id))) => {
            let option = choice.options.iter().find(|option| option.id.as_str() == &**id);
            candidates.extend(option.map(|option| option.sent_value().to_owned()));
            candidates.push(id.to_string());
        }
        (QuestionKind::Confirm(confirm), _) => {
            candidates.extend(
                ["true", "false", confirm_label(confirm, true), confirm_label(confirm, false)]
                    .map(str::to_owned),
            );
        }
        (_, Some(value)) => candidates.push(value.to_string()),
        (_, None) => {}
    }
    candidates.into_iter().find(|candidate| parse_condition(parent, candidate).as_ref() == Some(wanted))
}
