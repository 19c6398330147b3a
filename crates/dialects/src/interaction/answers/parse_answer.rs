//! Parsing of a value in a response: into no answer, an answer, or an error message.

use crate::interaction::messages;
use crate::interaction::wire::{FieldType, exact_number};
use crate::javascript;
use sayso_core::limits;
use sayso_core::{
    Answer, ChoiceOption, ChoiceQuestion, LineFormat, Pick, Question, QuestionInput, Requirement, Rules,
};
use serde_json::Value;
use std::collections::HashMap;

/// Result of parsing a value.
pub(crate) enum ParsedAnswer {
    /// Nothing was entered.
    Empty,
    /// Valid answer.
    Valid(Answer),
    /// Value that cannot answer this question, with the message for the person.
    Invalid(String),
}

/// Parses a value in a response to a question. Strings are checked before types: a blank string counts as empty for
/// every field.
pub(crate) fn parse_answer(question: &Question, rules: &Rules, value: &Value) -> ParsedAnswer {
    match value {
        Value::Null => return ParsedAnswer::Empty,
        Value::String(text) if javascript::trim(text).is_empty() => return ParsedAnswer::Empty,
        _ => {}
    }
    match question.input() {
        QuestionInput::Options(choice) => parse_choice(question, choice, value),
        QuestionInput::Toggle(_) => match value {
            Value::Bool(confirmed) => ParsedAnswer::Valid(Answer::Confirm(*confirmed)),
            value => empty_unless_text(question, value),
        },
        QuestionInput::Scale(_) => valid_or_mismatch(question, parse_rating_step(value).map(Answer::Rating)),
        QuestionInput::Line(format) => parse_typed_value(question, format, rules, value),
    }
}

fn parse_typed_value(question: &Question, format: LineFormat, rules: &Rules, value: &Value) -> ParsedAnswer {
    match (format, value) {
        (LineFormat::Text { .. }, Value::String(text)) => ParsedAnswer::Valid(Answer::Text(text.clone())),
        (LineFormat::Number { .. }, Value::Number(number)) => {
            valid_or_mismatch(question, exact_number(number).map(Answer::Number))
        }
        (LineFormat::Date | LineFormat::Time | LineFormat::Datetime, Value::String(text)) => {
            valid_or_mismatch(question, parse_date_or_time(question, rules, text))
        }
        (LineFormat::Number { .. }, value) => empty_unless_text(question, value),
        (LineFormat::Text { .. } | LineFormat::Date | LineFormat::Time | LineFormat::Datetime, _) => {
            ParsedAnswer::Invalid(mismatch_message(question))
        }
    }
}

/// Handles a value of another type as in the spec: for a number or a confirmation it counts as empty, unless it is text.
fn empty_unless_text(question: &Question, value: &Value) -> ParsedAnswer {
    if value.is_string() { ParsedAnswer::Invalid(mismatch_message(question)) } else { ParsedAnswer::Empty }
}

fn valid_or_mismatch(question: &Question, answer: Option<Answer>) -> ParsedAnswer {
    match answer {
        Some(answer) => ParsedAnswer::Valid(answer),
        None => ParsedAnswer::Invalid(mismatch_message(question)),
    }
}

/// Parses an initial value into the answer that the field is pre-filled with, if it is one.
pub(crate) fn parse_prefill(question: &Question, rules: &Rules, value: &Value) -> Option<Answer> {
    match (parse_answer(question, rules, value), value) {
        // No choice has more options than this, so more picks cannot be valid.
        (ParsedAnswer::Valid(Answer::Picks(picks)), _) if picks.len() > limits::OPTIONS => None,
        (ParsedAnswer::Valid(answer), _) => Some(answer),
        (ParsedAnswer::Empty, Value::String(text)) if question.is_text() => Some(Answer::Text(text.clone())),
        (ParsedAnswer::Empty | ParsedAnswer::Invalid(_), _) => None,
    }
}

fn parse_rating_step(value: &Value) -> Option<i32> {
    let whole = match value {
        Value::Number(number) => exact_number(number)?.to_integer()?,
        Value::String(text) => text.parse().ok()?,
        _ => return None,
    };
    i32::try_from(whole).ok()
}

fn parse_choice(question: &Question, choice: &ChoiceQuestion, value: &Value) -> ParsedAnswer {
    match (choice.multi, value) {
        (false, Value::String(text)) => {
            let option = choice.options.iter().find(|option| option.sent_value() == text);
            let pick = pick_or_own_answer(choice, option, text);
            valid_or_mismatch(question, pick.map(|pick| Answer::Picks(pick.into())))
        }
        (true, Value::Array(values)) if values.is_empty() => ParsedAnswer::Empty,
        (true, Value::Array(values)) => {
            let picks = parse_picks(choice, values);
            valid_or_mismatch(question, picks.map(|picks| Answer::Picks(picks.into())))
        }
        (true, Value::String(_)) => ParsedAnswer::Invalid(messages::ONE_OR_MORE.to_owned()),
        (true, _) => ParsedAnswer::Empty,
        (false, _) => ParsedAnswer::Invalid(mismatch_message(question)),
    }
}

fn parse_picks(choice: &ChoiceQuestion, values: &[Value]) -> Option<Vec<Pick>> {
    // Of options with the same value, the first one is picked.
    let by_value: HashMap<&str, &ChoiceOption> =
        choice.options.iter().rev().map(|option| (option.sent_value(), option)).collect();
    let mut picks = Vec::with_capacity(values.len());
    for value in values {
        let text = javascript::value_to_string(value);
        picks.push(pick_or_own_answer(choice, by_value.get(text.as_ref()).copied(), &text)?);
    }
    Some(picks)
}

/// Returns the pick of an option, or the text as an own answer if the choice allows one.
fn pick_or_own_answer(choice: &ChoiceQuestion, option: Option<&ChoiceOption>, text: &str) -> Option<Pick> {
    match option {
        Some(option) => Some(Pick::Option(option.id.clone())),
        None if choice.other => Some(Pick::Other(text.to_owned())),
        None => None,
    }
}

/// Parses a date or a time. With loose rules, text that is not exactly ISO 8601 stays text.
fn parse_date_or_time(question: &Question, rules: &Rules, text: &str) -> Option<Answer> {
    let answer = question.kind.parse_text(text);
    if !rules.loose_dates {
        return answer;
    }
    if let Some(answer) = answer
        && format_iso(&answer).as_deref() == Some(text)
    {
        return Some(answer);
    }
    Some(Answer::Text(text.to_owned()))
}

/// Formats a date or a time in ISO 8601, without seconds that were not given: the format that browser controls send.
pub(crate) fn format_iso(answer: &Answer) -> Option<String> {
    Some(match answer {
        Answer::Date(date) => date.to_string(),
        Answer::Time(time) => without_zero_seconds(&time.to_string()).to_owned(),
        Answer::Datetime(moment) => {
            let whole_text = moment.to_string();
            let local_text = moment.datetime.to_string();
            let offset = whole_text.get(local_text.len()..).unwrap_or_default();
            let time = moment.datetime.time().to_string();
            format!("{}T{}{offset}", moment.datetime.date(), without_zero_seconds(&time))
        }
        _ => return None,
    })
}

fn without_zero_seconds(time: &str) -> &str {
    match time.strip_suffix(":00") {
        Some(hours_and_minutes) if hours_and_minutes.len() >= "00:00".len() => hours_and_minutes,
        _ => time,
    }
}

/// Returns the message for a value that is no answer: the asker's own if it has one.
fn mismatch_message(question: &Question) -> String {
    // Only the first such constraint counts, with or without a message.
    let constraint = question
        .constraints
        .iter()
        .find(|constraint| constraint.requirements().any(|demand| *demand == Requirement::MatchesKind));
    let own_message = constraint.and_then(|constraint| constraint.message.as_deref());
    own_message.unwrap_or_else(|| messages::type_mismatch(field_type(question))).to_owned()
}

/// Returns the field type of a question; the more usual one of two.
pub(crate) fn field_type(question: &Question) -> FieldType {
    match question.input() {
        QuestionInput::Options(choice) if choice.multi => FieldType::Multiselect,
        QuestionInput::Options(_) | QuestionInput::Scale(_) => FieldType::Select,
        QuestionInput::Toggle(_) => FieldType::Boolean,
        QuestionInput::Line(format) => match format {
            LineFormat::Text { long: true } => FieldType::Textarea,
            LineFormat::Text { long: false } => FieldType::Text,
            LineFormat::Number { .. } => FieldType::Number,
            LineFormat::Date => FieldType::Date,
            LineFormat::Time => FieldType::Time,
            LineFormat::Datetime => FieldType::Datetime,
        },
    }
}
