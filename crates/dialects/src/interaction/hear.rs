//! Parsing of a value in a response: into no answer, an answer, or an error message.

use super::fixed;
use super::wire::FieldType;
use crate::javascript;
use sayso_core::limits;
use sayso_core::{Answer, Choice, Demand, Kind, Moment, Pick, Question, Rules, moment};
use serde_json::Value;
use std::collections::HashMap;

/// Result of parsing a value.
pub(super) enum Heard {
    /// Nothing was entered.
    Nothing,
    /// Valid answer.
    Said(Answer),
    /// Value that cannot answer this question, with the message for the person.
    Wrong(String),
}

/// Parses a value in a response to a question. Strings are checked before types: a blank string counts as empty for
/// every field.
pub(super) fn hear(question: &Question, rules: &Rules, value: &Value) -> Heard {
    match value {
        Value::Null => return Heard::Nothing,
        Value::String(text) if javascript::trim(text).is_empty() => return Heard::Nothing,
        _ => {}
    }
    match (&question.kind, value) {
        (Kind::Text(_), Value::String(text)) => Heard::Said(Answer::Text(text.clone())),
        (Kind::Number(_), Value::Number(number)) => said(question, fixed::number(number).map(Answer::Number)),
        (Kind::Confirm(_), Value::Bool(confirmed)) => Heard::Said(Answer::Confirm(*confirmed)),
        (Kind::Rating(_), value) => said(question, step(value).map(Answer::Rating)),
        (Kind::Choice(choice), value) => choose(question, choice, value),
        (kind, Value::String(text)) if kind.is_date_or_time() => said(question, date(kind, rules, text)),
        // As in the spec: for a number or a confirmation, a value that is neither of its type nor text counts as empty.
        (Kind::Number(_) | Kind::Confirm(_), value) if !value.is_string() => Heard::Nothing,
        _ => Heard::Wrong(misfit(question)),
    }
}

fn said(question: &Question, answer: Option<Answer>) -> Heard {
    answer.map_or_else(|| Heard::Wrong(misfit(question)), Heard::Said)
}

/// Parses an initial value into the answer that the field is pre-filled with, if it is one.
pub(super) fn prefill(question: &Question, rules: &Rules, value: &Value) -> Option<Answer> {
    match (hear(question, rules, value), value) {
        // No choice has more options than this, so more picks cannot be valid.
        (Heard::Said(Answer::Picks(picks)), _) if picks.len() > limits::OPTIONS => None,
        (Heard::Said(answer), _) => Some(answer),
        (Heard::Nothing, Value::String(text)) if matches!(question.kind, Kind::Text(_)) => {
            Some(Answer::Text(text.clone()))
        }
        (Heard::Nothing | Heard::Wrong(_), _) => None,
    }
}

fn step(value: &Value) -> Option<i32> {
    let whole = match value {
        Value::Number(number) => fixed::number(number)?.whole()?,
        Value::String(text) => text.parse().ok()?,
        _ => return None,
    };
    i32::try_from(whole).ok()
}

fn choose(question: &Question, choice: &Choice, value: &Value) -> Heard {
    match (choice.multi, value) {
        (false, Value::String(text)) => {
            let mut picks = choice.options.iter().filter(|option| option.sent() == text);
            let picked = picks.next().map(|option| Pick::Option(option.id.clone()));
            let picked = picked.or_else(|| choice.other.then(|| Pick::Other(text.clone())));
            said(question, picked.map(|pick| Answer::Picks(pick.into())))
        }
        (true, Value::Array(values)) if values.is_empty() => Heard::Nothing,
        (true, Value::Array(values)) => {
            said(question, several(choice, values).map(|picks| Answer::Picks(picks.into())))
        }
        (true, Value::String(_)) => Heard::Wrong(fixed::ONE_OR_MORE.to_owned()),
        (true, _) => Heard::Nothing,
        (false, _) => Heard::Wrong(misfit(question)),
    }
}

fn several(choice: &Choice, values: &[Value]) -> Option<Vec<Pick>> {
    let by_value: HashMap<&str, &sayso_core::Opt> =
        choice.options.iter().rev().map(|option| (option.sent(), option)).collect();
    let pick = |value: &Value| {
        let text = javascript::text(value);
        let option = by_value.get(text.as_ref()).map(|option| Pick::Option(option.id.clone()));
        option.or_else(|| choice.other.then(|| Pick::Other(text.into_owned())))
    };
    values.iter().map(pick).collect()
}

/// Parses a date or a time. With loose rules, text that is not exactly ISO 8601 stays text.
fn date(kind: &Kind, rules: &Rules, text: &str) -> Option<Answer> {
    let read = match kind {
        Kind::Date => moment::date(text).map(Answer::Date),
        Kind::Time => moment::time(text).map(Answer::Time),
        _ => Moment::parse(text).map(Answer::Datetime),
    };
    if !rules.loose_dates {
        return read;
    }
    let exact = read.filter(|answer| iso(answer).as_deref() == Some(text));
    Some(exact.unwrap_or_else(|| Answer::Text(text.to_owned())))
}

/// Formats a date or a time in ISO 8601, without seconds that were not given: the format that browser controls send.
pub(super) fn iso(answer: &Answer) -> Option<String> {
    let short = |clock: String| match clock.strip_suffix(":00") {
        Some(short) if short.len() >= "00:00".len() => short.to_owned(),
        _ => clock,
    };
    Some(match answer {
        Answer::Date(date) => date.to_string(),
        Answer::Time(time) => short(time.to_string()),
        Answer::Datetime(moment) => {
            let (whole, at) = (moment.to_string(), moment.at.to_string());
            let offset = whole.get(at.len()..).unwrap_or_default();
            format!("{}T{}{offset}", moment.at.date(), short(moment.at.time().to_string()))
        }
        _ => return None,
    })
}

/// Returns the message for a value that is no answer: the asker's own if it has one.
fn misfit(question: &Question) -> String {
    let fits =
        |constraint: &&sayso_core::Constraint| constraint.demands().any(|demand| *demand == Demand::Fits);
    let own = question.constraints.iter().find(fits).and_then(|constraint| constraint.message.as_deref());
    own.unwrap_or_else(|| fixed::misfit(field_type(&question.kind))).to_owned()
}

/// Returns the field type of a question kind; the more usual one of two.
pub(super) const fn field_type(kind: &Kind) -> FieldType {
    match kind {
        Kind::Choice(choice) if choice.multi => FieldType::Multiselect,
        Kind::Choice(_) | Kind::Rating(_) => FieldType::Select,
        Kind::Text(entry) if entry.long => FieldType::Textarea,
        Kind::Text(_) => FieldType::Text,
        Kind::Confirm(_) => FieldType::Boolean,
        Kind::Number(_) => FieldType::Number,
        Kind::Date => FieldType::Date,
        Kind::Time => FieldType::Time,
        Kind::Datetime => FieldType::Datetime,
    }
}
