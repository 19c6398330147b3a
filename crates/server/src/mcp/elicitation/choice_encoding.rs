//! Choices in an elicitation form, in the schema that its host supports. Up to protocol 2025-06-18, a form has one
//! pick among names and no lists: multiple picks become a checkbox for each option.

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
    pub(crate) fn single_pick(self, picks: impl Iterator<Item = (String, String)>) -> Value {
        match self {
            Self::OneOfTitles => json!({ "type": "string", "oneOf": titled_values(picks) }),
            Self::EnumNames => {
                let (values, names): (Vec<_>, Vec<_>) = picks.unzip();
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
pub(crate) fn list_schema(picks: impl Iterator<Item = (String, String)>) -> Value {
    json!({ "type": "array", "items": { "anyOf": titled_values(picks) } })
}

fn titled_values(picks: impl Iterator<Item = (String, String)>) -> Vec<Value> {
    picks.map(|(value, title)| json!({ "const": value, "title": title })).collect()
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
        let numbered = (2..).map(|number| format!("{label} ({number})"));
        let free = std::iter::once(label.clone()).chain(numbered).find(|value| !values.contains(value));
        values.push(free.unwrap_or(label));
    }
    values
}

/// Returns the value of an option.
pub(super) fn option_value(options: &[ChoiceOption], id: &OptionId) -> Option<String> {
    option_values(options)
        .into_iter()
        .zip(options)
        .find(|(_, option)| option.id == *id)
        .map(|(value, _)| value)
}

/// Returns the id of the option with this value in a form.
pub(super) fn option_of_value(options: &[ChoiceOption], value: &Value) -> Option<OptionId> {
    let at = option_values(options).iter().position(|known| value.as_str() == Some(known))?;
    options.get(at).map(|option| option.id.clone())
}

/// Returns the options, each with its value and title.
pub(crate) fn option_titles<'o>(
    options: &'o [ChoiceOption],
    shown: &ShownValues<'o>,
) -> impl Iterator<Item = (String, String)> {
    let line = |text: &str| display::escape_line(text).into_owned();
    options.iter().zip(option_values(options)).map(move |(option, value)| {
        let label = line(&option.label);
        let label = answer_words::label_with_value(&label, shown.get(&option.id), Lang::En).into_owned();
        let words = option.description.as_deref().map(|about| format!("{label}: {}", line(about)));
        (value, words.unwrap_or(label))
    })
}

/// Returns the field name of an option's checkbox. Some hosts sort fields by name.
pub(crate) fn checkbox_name(question: &str, at: usize) -> String {
    format!("{question}_{:02}", at + 1)
}

/// Returns the ticked options of a question with checkboxes.
pub(crate) fn ticked_options(question: &Question, field: &str, content: &Map<String, Value>) -> Vec<Value> {
    let boxes = multiple_options(question).into_iter().flatten().enumerate();
    let ticked = boxes.filter_map(|(at, option)| match content.get(&checkbox_name(field, at))? {
        Value::Null | Value::Bool(false) => None,
        Value::Bool(true) => Some(json!(option.id)),
        Value::String(text) if text == "true" => Some(json!(option.id)),
        Value::String(text) if text.is_empty() || text == "false" => None,
        // Neither a tick nor an option: it is passed on, so that it is reported.
        other => Some(other.clone()),
    });
    ticked.collect()
}
