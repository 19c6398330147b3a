//! Defaults of a form's fields: the asker's suggestions, and what a person has entered before.

use super::choice_encoding::{ChoiceEncoding, option_value};
use super::fields::{checkbox_name, confirm_label, field_name, has_own_words, own_answer_name};
use sayso_core::{Answer, Pick, Question, QuestionInput};
use serde_json::{Map, Value, json};

/// Sets the defaults of fields that exist, if they are of the field's type.
pub(super) fn set(fields: &mut Map<String, Value>, defaults: Map<String, Value>) {
    for (name, default) in defaults {
        if let Some(Value::Object(field)) = fields.get_mut(&name)
            && fits(field, &default)
        {
            field.insert("default".to_owned(), default);
        }
    }
}

/// Returns true if a value is of the type of a field, and one of its values if it has some.
fn fits(field: &Map<String, Value>, value: &Value) -> bool {
    match field.get("type").and_then(Value::as_str) {
        Some("string") => value.is_string() && offers(field, value),
        Some("boolean") => value.is_boolean(),
        Some("integer") => value.is_i64() || value.is_u64(),
        Some("number") => value.is_number(),
        Some("array") => value.is_array(),
        _ => false,
    }
}

/// Returns true if a field offers this value, or offers none.
fn offers(field: &Map<String, Value>, value: &Value) -> bool {
    if let Some(Value::Array(values)) = field.get("enum") {
        return values.contains(value);
    }
    if let Some(Value::Array(values)) = field.get("oneOf") {
        return values.iter().any(|titled| titled.get("const") == Some(value));
    }
    true
}

/// Returns the values of a question's fields that give this answer.
pub(super) fn from_answer(
    question: &Question,
    at: usize,
    answer: &Answer,
    encoding: ChoiceEncoding,
) -> Map<String, Value> {
    let name = field_name(at);
    let value = match answer {
        Answer::Picks(picks) => return from_picks(question, at, picks, encoding),
        Answer::Text(text) => json!(text),
        Answer::Confirm(yes) => match question.input() {
            QuestionInput::Toggle(confirm) if has_own_words(confirm) => json!(confirm_label(confirm, *yes)),
            _ => json!(yes),
        },
        Answer::Rating(step) => json!(step),
        Answer::Number(number) => json!(number),
        Answer::Date(date) => json!(date),
        Answer::Time(time) => json!(time),
        Answer::Datetime(moment) => json!(moment),
    };
    Map::from_iter([(name, value)])
}

fn from_picks(
    question: &Question,
    at: usize,
    picks: &[Pick],
    encoding: ChoiceEncoding,
) -> Map<String, Value> {
    let name = field_name(at);
    let mut values = Map::new();
    let Some(choice) = question.choice() else { return values };
    let mut labels = Vec::new();
    for pick in picks {
        match pick {
            Pick::Other(text) => {
                values.insert(own_answer_name(at), json!(text));
            }
            Pick::Option(id) => {
                if encoding.checkboxes(question).is_some()
                    && let Some(nth) = choice.options.iter().position(|option| option.id == *id)
                {
                    values.insert(checkbox_name(&name, nth), json!(true));
                }
                labels.extend(option_value(&choice.options, id));
            }
        }
    }
    if choice.multi {
        values.insert(name, json!(labels));
    } else if let Some(label) = labels.first() {
        values.insert(name, json!(label));
    }
    values
}
