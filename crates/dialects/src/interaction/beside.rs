//! Extensions: what only this dialect can express, stored with a questionnaire.

use super::understand::{self, PRESENTATIONS};
use super::wire::{FieldType, OnTimeout};
use crate::javascript;
use sayso_core::Questionnaire;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Number, Value};
use std::collections::{BTreeMap, HashSet};

/// Properties that only this dialect has.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Beside {
    /// Text in front of the form; the context begins with it.
    pub(super) prompt: Option<String>,
    pub(super) presentation: Option<String>,
    pub(super) timeout_ms: Option<Number>,
    pub(super) mode: Option<Mode>,
    pub(super) on_timeout: Option<OnTimeout>,
    pub(super) require_client: bool,
    pub(super) error_summary: Option<String>,
    pub(super) field_errors: Vec<(String, String)>,
    /// Set if the tool asked and validates the answers itself.
    pub(super) by_tool: bool,
    /// Rarer one of two field types that are the same kind, by the question's id.
    pub(super) types: BTreeMap<String, FieldType>,
    /// Asker's names of sections, if they cannot be ids.
    pub(super) sections: BTreeMap<String, String>,
    /// Initial values that name no field or are no answer to it. In a further round, exactly the submitted values.
    pub(super) initial_values: Map<String, Value>,
    /// Original form, if the questionnaire alone would be written differently.
    pub(super) as_asked: Option<Value>,
}

/// Way of waiting other than the usual one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Mode {
    /// Goes on and gets the answer later.
    Async,
}

/// Name of this dialect.
pub(super) const NAME: &str = "interaction";

impl Beside {
    /// Reads the extensions of a questionnaire. Anybody may have written them, so values that no request could have are
    /// dropped.
    pub(super) fn of(questionnaire: &Questionnaire) -> Self {
        let Some(Value::Object(kept)) = questionnaire.beside.get(NAME) else { return Self::default() };
        let is_prompt = |prompt: &String| !prompt.is_empty() && javascript::trim(prompt) == prompt;
        let is_known = |presentation: &String| PRESENTATIONS.contains(&presentation.as_str());
        let field_errors: Vec<(String, String)> = member(kept, "fieldErrors");
        let names: HashSet<&str> = field_errors.iter().map(|(name, _)| name.as_str()).collect();
        let are_distinct = names.len() == field_errors.len();
        Self {
            prompt: member::<Option<_>>(kept, "prompt").filter(is_prompt),
            presentation: member::<Option<_>>(kept, "presentation").filter(is_known),
            timeout_ms: member::<Option<_>>(kept, "timeoutMs")
                .filter(|limit| understand::wrong_time_limit(limit).is_none()),
            mode: member(kept, "mode"),
            on_timeout: member(kept, "onTimeout"),
            require_client: member(kept, "requireClient"),
            error_summary: member(kept, "errorSummary"),
            field_errors: if are_distinct { field_errors } else { Vec::new() },
            by_tool: member(kept, "byTool"),
            types: member(kept, "types"),
            sections: member(kept, "sections"),
            initial_values: member(kept, "initialValues"),
            as_asked: kept.get("inputSchema").filter(|schema| schema.is_object()).cloned(),
        }
    }

    /// Returns whether this is a round that follows another.
    pub(super) fn is_further_round(&self) -> bool {
        self.error_summary.is_some() || !self.field_errors.is_empty()
    }

    /// Stores the extensions with a questionnaire, if there are any.
    pub(super) fn keep(self, questionnaire: &mut Questionnaire) {
        let kept = self.members();
        if !kept.is_empty() {
            questionnaire.beside.insert(NAME.to_owned(), Value::Object(kept));
        }
    }

    /// Returns the members under the names that [`Self::of`] reads. Values are moved rather than serialized, since most
    /// requests have few.
    fn members(self) -> Map<String, Value> {
        let mut kept = Map::new();
        let mut keep = |name: &str, value: Option<Value>| {
            if let Some(value) = value {
                kept.insert(name.to_owned(), value);
            }
        };
        keep("prompt", self.prompt.map(Value::String));
        keep("presentation", self.presentation.map(Value::String));
        keep("timeoutMs", self.timeout_ms.map(Value::Number));
        keep("mode", self.mode.map(named));
        keep("onTimeout", self.on_timeout.map(named));
        keep("requireClient", self.require_client.then_some(Value::Bool(true)));
        keep("errorSummary", self.error_summary.map(Value::String));
        let field_error = |(name, message)| Value::from(vec![Value::String(name), Value::String(message)]);
        keep("fieldErrors", filled(self.field_errors, field_error));
        keep("byTool", self.by_tool.then_some(Value::Bool(true)));
        keep("types", filled(self.types, |(id, kind)| (id, Value::from(kind.name()))));
        keep("sections", filled(self.sections, |(id, name)| (id, Value::String(name))));
        keep(
            "initialValues",
            (!self.initial_values.is_empty()).then_some(Value::Object(self.initial_values)),
        );
        keep("inputSchema", self.as_asked);
        kept
    }
}

/// Returns the name of an enum value.
fn named(name: impl Serialize) -> Value {
    serde_json::to_value(name).unwrap_or_default()
}

/// Returns a list or an object of these parts, or `None` if there are none.
fn filled<T, U>(parts: impl IntoIterator<Item = T>, part: impl FnMut(T) -> U) -> Option<Value>
where
    Value: FromIterator<U>,
{
    let mut parts = parts.into_iter().map(part).peekable();
    parts.peek().is_some().then(|| parts.collect())
}

fn member<T: DeserializeOwned + Default>(kept: &Map<String, Value>, name: &str) -> T {
    kept.get(name).and_then(|value| T::deserialize(value).ok()).unwrap_or_default()
}

/// Returns whether one questionnaire's extensions are all contained in the other's.
pub(super) fn is_kept(asked: &Questionnaire, read: &Questionnaire) -> bool {
    asked
        .beside
        .get(NAME)
        .is_none_or(|asked| read.beside.get(NAME).is_some_and(|read| stands_in(asked, read)))
}

fn stands_in(value: &Value, whole: &Value) -> bool {
    match (value, whole) {
        (Value::Object(members), Value::Object(whole)) => {
            members.iter().all(|(name, value)| whole.get(name).is_some_and(|whole| stands_in(value, whole)))
        }
        (value, whole) => value == whole,
    }
}
