//! Choices in a form, in the words that its host knows. Up to 2025-06-18 a form knows one pick among names and no list:
//! several picks are a box for each option there.

use sayso_core::{Choice, Kind, Lang, Opt, Question, display, words};
use serde_json::{Map, Value, json};

/// What a form of this host may say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wording {
    /// `enum` with `enumNames`, and nothing of which there are several.
    Names,
    /// `oneOf` with titles, and lists.
    Titles,
}

impl Wording {
    /// One pick among these: what stands for each, and what a person reads.
    pub(super) fn one_of(self, picks: impl Iterator<Item = (String, String)>) -> Value {
        match self {
            Self::Titles => json!({ "type": "string", "oneOf": titled(picks) }),
            Self::Names => {
                let (values, names): (Vec<_>, Vec<_>) = picks.unzip();
                json!({ "type": "string", "enum": values, "enumNames": names })
            }
        }
    }

    /// The options of a question whose several picks are boxes here.
    pub(super) fn boxes(self, question: &Question) -> Option<&[Opt]> {
        several(question).filter(|_| self == Self::Names)
    }
}

/// Several picks as a list.
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

/// The options, each with what a person reads of it.
pub(super) fn picks(options: &[Opt]) -> impl Iterator<Item = (String, String)> {
    let line = |text: &str| display::line(text).into_owned();
    options.iter().map(move |option| {
        let label = line(&words::labelled(&option.label, option.sent_beside(), Lang::En));
        let words = option.description.as_deref().map(|about| format!("{label}: {}", line(about)));
        (option.id.to_string(), words.unwrap_or(label))
    })
}

/// The name of the box of an option. Some hosts show fields in the order of their names.
pub(super) fn name(question: &str, at: usize) -> String {
    format!("{question}_{:02}", at + 1)
}

/// What was ticked, where the question has boxes.
pub(super) fn ticked(question: &Question, field: &str, content: &Map<String, Value>) -> Vec<Value> {
    let boxes = several(question).into_iter().flatten().enumerate();
    let ticked = boxes.filter_map(|(at, option)| match content.get(&name(field, at))? {
        Value::Null | Value::Bool(false) => None,
        Value::Bool(true) => Some(json!(option.id)),
        Value::String(text) if text == "true" => Some(json!(option.id)),
        Value::String(text) if text.is_empty() || text == "false" => None,
        // It is no tick and no option either, which is said.
        other => Some(other.clone()),
    });
    ticked.collect()
}
