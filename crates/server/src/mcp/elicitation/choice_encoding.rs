//! Choices in an elicitation form, in the schema that its host supports. Up to protocol 2025-06-18, a form has one
//! pick among names and no lists: multiple picks become a checkbox for each option.

use super::fields::checkbox_name;
use sayso_core::{
    ChoiceOption, ChoiceQuestion, Lang, OptionId, Question, ShownValues, display, i18n::answer_words,
};
use serde_json::{Map, Value, json};

/// Encoding of choices that a host supports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ChoiceEncoding {
    /// `enum` with `enumNames`, without lists.
    EnumNames,
    /// `oneOf` with titles, and lists.
    OneOfTitles,
}

impl ChoiceEncoding {
    /// Returns the schema of one pick among these, each a value and a title.
    pub(crate) fn single_pick(self, picks: Vec<(String, String)>) -> Value {
        match self {
            Self::OneOfTitles => json!({ "type": "string", "oneOf": titled_values(picks) }),
            Self::EnumNames => {
                let (values, names): (Vec<_>, Vec<_>) = picks.into_iter().unzip();
                json!({ "type": "string", "enum": values, "enumNames": names })
            }
        }
    }

    /// Returns the options of a question with multiple picks, if they become checkboxes.
    pub(crate) fn checkboxes(self, question: &Question) -> Option<&[ChoiceOption]> {
        if self == Self::EnumNames { multiple_options(question) } else { None }
    }
}

/// Returns the schema of a list of picks.
pub(crate) fn list_schema(picks: Vec<(String, String)>) -> Value {
    json!({ "type": "array", "items": { "anyOf": titled_values(picks) } })
}

fn titled_values(picks: Vec<(String, String)>) -> Vec<Value> {
    picks.into_iter().map(|(value, title)| json!({ "const": value, "title": title })).collect()
}

fn multiple_options(question: &Question) -> Option<&[ChoiceOption]> {
    match question.choice() {
        Some(ChoiceQuestion { multi: true, options, .. }) => Some(options),
        _ => None,
    }
}

/// Returns the values of options in a form: their labels, because a client that knows no titles shows values. A label
/// that repeats is numbered.
fn option_values(options: &[ChoiceOption]) -> Vec<String> {
    let mut values: Vec<String> = Vec::with_capacity(options.len());
    for option in options {
        let label = display::escape_line(&option.label).into_owned();
        let mut value = label.clone();
        let mut number = 2;
        while values.contains(&value) {
            value = format!("{label} ({number})");
            number += 1;
        }
        values.push(value);
    }
    values
}

/// Returns the value of an option.
pub(super) fn option_value(options: &[ChoiceOption], id: &OptionId) -> Option<String> {
    let at = options.iter().position(|option| option.id == *id)?;
    option_values(options).into_iter().nth(at)
}

/// Returns the id of the option with this value in a form.
pub(super) fn option_of_value(options: &[ChoiceOption], value: &Value) -> Option<OptionId> {
    let values = option_values(options);
    let at = values.iter().position(|known| value.as_str() == Some(known))?;
    Some(options.get(at)?.id.clone())
}

/// Returns the options, each with its value and title.
pub(crate) fn option_titles(options: &[ChoiceOption], shown: &ShownValues<'_>) -> Vec<(String, String)> {
    let mut titles = Vec::new();
    for (option, value) in options.iter().zip(option_values(options)) {
        let label = display::escape_line(&option.label);
        let mut title = answer_words::label_with_value(&label, shown.get(&option.id), Lang::En).into_owned();
        if let Some(description) = &option.description {
            title.push_str(": ");
            title.push_str(&display::escape_line(description));
        }
        titles.push((value, title));
    }
    titles
}

/// Returns the ticked options of a question with checkboxes.
pub(crate) fn ticked_options(question: &Question, field: &str, content: &Map<String, Value>) -> Vec<Value> {
    let mut ticks = Vec::new();
    for (at, option) in multiple_options(question).unwrap_or_default().iter().enumerate() {
        match content.get(&checkbox_name(field, at)) {
            None | Some(Value::Null | Value::Bool(false)) => {}
            Some(Value::Bool(true)) => ticks.push(json!(option.id)),
            Some(Value::String(text)) if text == "true" => ticks.push(json!(option.id)),
            Some(Value::String(text)) if text.is_empty() || text == "false" => {}
            // Neither a tick nor an option: it is passed on, so that it is reported.
            Some(other) => ticks.push(other.clone()),
        }
    }
    ticks
}
