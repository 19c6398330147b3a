//! Choices in an elicitation form, in the schema that its host supports. Up to protocol 2025-06-18, a form has one
//! pick among names and no lists: multiple picks become a checkbox for each option.

use sayso_core::{Choice, Kind, Lang, Opt, Question, display, words};
use serde_json::{Map, Value, json};

/// Encoding of choices that a host supports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wording {
    /// `enum` with `enumNames`, without lists.
    Names,
    /// `oneOf` with titles, and lists.
    Titles,
}

impl Wording {
    /// Returns the schema of one pick among these, each a value and a title.
    pub(super) fn one_of(self, picks: impl Iterator<Item = (String, String)>) -> Value {
        match self {
            Self::Titles => json!({ "type": "string", "oneOf": titled(picks) }),
            Self::Names => {
                let (values, names): (Vec<_>, Vec<_>) = picks.unzip();
                json!({ "type": "string", "enum": values, "enumNames": names })
            }
        }
    }

    /// Returns the options of a question with multiple picks, if they become checkboxes.
    pub(super) fn boxes(self, question: &Question) -> Option<&[Opt]> {
        several(question).filter(|_| self == Self::Names)
    }
}

/// Returns the schema of a list of picks.
pub(super) fn list_of(picks: impl Iterator<Item = (String, String)>) -> Value {
    json!({ "type": "array", "items": { "anyOf": titled(picks) } })
}

fn titled(picks: impl Iterator<Item = (String, String)>) -> Vec<Value> {
    picks.map(|(value, title)| json!({ "const": value, "title": title })).collect()
}

fn several(question: &Question) -> Option<&[Opt]> {
    match &question.kind {
        Kind::Choice(Choice { multi: true, options, .. }) => Some(options),
        _ => None,
    }
}

/// Returns the options, each with its value and title.
pub(super) fn picks(options: &[Opt]) -> impl Iterator<Item = (String, String)> {
    let line = |text: &str| display::line(text).into_owned();
    options.iter().map(move |option| {
        let label = line(&words::labelled(&option.label, option.sent_beside(), Lang::En));
        let words = option.description.as_deref().map(|about| format!("{label}: {}", line(about)));
        (option.id.to_string(), words.unwrap_or(label))
    })
}

/// Returns the field name of an option's checkbox. Some hosts sort fields by name.
pub(super) fn name(question: &str, at: usize) -> String {
    format!("{question}_{:02}", at + 1)
}

/// Returns the ticked options of a question with checkboxes.
pub(super) fn ticked(question: &Question, field: &str, content: &Map<String, Value>) -> Vec<Value> {
    let boxes = several(question).into_iter().flatten().enumerate();
    let ticked = boxes.filter_map(|(at, option)| match content.get(&name(field, at))? {
        Value::Null | Value::Bool(false) => None,
        Value::Bool(true) => Some(json!(option.id)),
        Value::String(text) if text == "true" => Some(json!(option.id)),
        Value::String(text) if text.is_empty() || text == "false" => None,
        // Neither a tick nor an option: it is passed on, so that it is reported.
        other => Some(other.clone()),
    });
    ticked.collect()
}
