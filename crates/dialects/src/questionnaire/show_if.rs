//! `showIf`: the answer to the parent on which a question depends (the spec's `BaseQuestion.showIf`).

use super::spec::confirm_label;
use sayso_core::{
    AnswerCheck, ChoiceQuestion, ComparisonValue, Condition, ConditionTest, LineFormat, Question,
    QuestionInput,
};

/// Parses a value into the condition of a question that follows up this parent; `None` if no answer to it can match.
pub(super) fn parse_condition(parent: &Question, value: &str) -> Option<Condition> {
    let check = parse_check(parent.input(), value)?;
    Some(Condition::Test(ConditionTest { question: parent.id.clone(), check }))
}

fn parse_check(input: QuestionInput<'_>, value: &str) -> Option<AnswerCheck> {
    match input {
        QuestionInput::Options(choice) => choice_check(choice, value),
        QuestionInput::Line(LineFormat::Text { .. }) => {
            // An answer is never blank.
            if value.trim().is_empty() {
                return None;
            }
            Some(AnswerCheck::Is(ComparisonValue::Text(value.into())))
        }
        QuestionInput::Toggle(confirm) => {
            let is_yes = value == "true" || value == confirm_label(confirm, true);
            let is_no = value == "false" || value == confirm_label(confirm, false);
            match (is_yes, is_no) {
                (true, true) => Some(AnswerCheck::Answered(true)),
                (true, false) => Some(AnswerCheck::Is(ComparisonValue::Bool(true))),
                (false, true) => Some(AnswerCheck::Is(ComparisonValue::Bool(false))),
                (false, false) => None,
            }
        }
        QuestionInput::Scale(rating) => {
            let step: i32 = value.parse().ok()?;
            let is_step = (rating.min..=rating.max).contains(&step) && step.to_string() == value;
            if is_step {
                Some(AnswerCheck::Is(ComparisonValue::Number(i64::from(step).into())))
            } else {
                None
            }
        }
        // The spec has no other types.
        QuestionInput::Line(_) => None,
    }
}

/// Returns the check for the options with this value, and for the own answer with this text.
fn choice_check(choice: &ChoiceQuestion, value: &str) -> Option<AnswerCheck> {
    let mut values = Vec::new();
    for option in &choice.options {
        if option.sent_value() == value {
            values.push(ComparisonValue::Text(option.id.as_str().into()));
        }
    }
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
