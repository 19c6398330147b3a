//! Defaults of a form's fields: the asker's suggestions, and what a person has entered before.

use super::choice_encoding::{ChoiceEncoding, checkbox_name, option_value};
use super::form::{confirm_label, field_name, has_own_words, own_answer_name};
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
    let list = |name: &str| field.get(name).and_then(Value::as_array);
    let is_offered = list("enum").is_none_or(|values| values.contains(value))
        && list("oneOf").is_none_or(|values| values.iter().any(|titled| titled.get("const") == Some(value)));
    match field.get("type").and_then(Value::as_str) {
        Some("string") => value.is_string() && is_offered,
        Some("boolean") => value.is_boolean(),
        Some("integer") => value.is_i64() || value.is_u64(),
        Some("number") => value.is_number(),
        Some("array") => value.is_array(),
        _ => false,
    }
}

/// Returns the values of a question's fields that give this answer.
pub(super) fn of_answer(
    question: &Question,
    at: usize,
    answer: &Answer,
    wording: ChoiceEncoding,
) -> Map<String, Value> {
    let name = field_name(at);
    let value = match answer {
        Answer::Picks(picks) => return of_picks(question, at, picks, wording),
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

fn of_picks(question: &Question, at: usize, picks: &[Pick], wording: ChoiceEncoding) -> Map<String, Value> {
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
                if wording.checkboxes(question).is_some() {
                    let nth = choice.options.iter().position(|option| option.id == *id);
                    values.extend(nth.map(|nth| (checkbox_name(&name, nth), json!(true))));
                }
                labels.extend(option_value(&choice.options, id));
            }
        }
    }
    let list = if choice.multi { Some(json!(labels)) } else { labels.first().map(|label| json!(label)) };
    values.extend(list.map(|list| (name, list)));
    values
}
