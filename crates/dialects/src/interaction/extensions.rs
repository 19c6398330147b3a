//! Extensions: what only this dialect can express, stored with a questionnaire.

use super::reader::parse_request::{self, PRESENTATIONS};
use super::wire::{FieldType, OnTimeout};
use crate::javascript;
use sayso_core::Questionnaire;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Number, Value};
use std::collections::{BTreeMap, HashSet};

/// Properties that only this dialect has.
#[derive(Debug, Default, PartialEq)]
pub(super) struct InteractionExtensions {
    /// Text in front of the form; the context begins with it.
    pub(super) prompt: Option<String>,
    pub(super) presentation: Option<String>,
    pub(super) timeout_ms: Option<Number>,
    pub(super) mode: Option<WaitMode>,
    pub(super) on_timeout: Option<OnTimeout>,
    pub(super) require_client: bool,
    pub(super) error_summary: Option<String>,
    pub(super) field_errors: Vec<(String, String)>,
    /// Set if the tool asked and validates the answers itself.
    pub(super) validated_by_tool: bool,
    /// Rarer one of two field types that are the same kind, by the question's id.
    pub(super) types: BTreeMap<String, FieldType>,
    /// Asker's names of sections, if they cannot be ids.
    pub(super) sections: BTreeMap<String, String>,
    /// Initial values that name no field or are no answer to it. In a further round, exactly the submitted values.
    pub(super) initial_values: Map<String, Value>,
    /// Original form as JSON text, if the questionnaire alone would be shown differently.
    pub(super) original_form: Option<String>,
}

/// Way of waiting other than the usual one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum WaitMode {
    /// Goes on and gets the answer later.
    Async,
}

/// Name of this dialect.
const NAME: &str = "interaction";

impl InteractionExtensions {
    /// Reads the extensions of a questionnaire. Anybody may have written them, so values that no request could have are
    /// dropped.
    pub(super) fn from_questionnaire(questionnaire: &Questionnaire) -> Self {
        let Some(Value::Object(kept)) = questionnaire.extensions.get(NAME) else { return Self::default() };
        let is_prompt = |prompt: &String| !prompt.is_empty() && javascript::trim(prompt) == prompt;
        let is_known = |presentation: &String| PRESENTATIONS.contains(&presentation.as_str());
        let field_errors: Vec<(String, String)> = read_member(kept, "fieldErrors");
        let names: HashSet<&str> = field_errors.iter().map(|(name, _)| name.as_str()).collect();
        let are_distinct = names.len() == field_errors.len();
        Self {
            prompt: read_member::<Option<_>>(kept, "prompt").filter(is_prompt),
            presentation: read_member::<Option<_>>(kept, "presentation").filter(is_known),
            timeout_ms: read_member::<Option<_>>(kept, "timeoutMs")
                .filter(|limit| parse_request::time_limit_error(limit).is_none()),
            mode: read_member(kept, "mode"),
            on_timeout: read_member(kept, "onTimeout"),
            require_client: read_member(kept, "requireClient"),
            error_summary: read_member(kept, "errorSummary"),
            field_errors: if are_distinct { field_errors } else { Vec::new() },
            validated_by_tool: read_member(kept, "byTool"),
            types: read_member(kept, "types"),
            sections: read_member(kept, "sections"),
            initial_values: read_member(kept, "initialValues"),
            original_form: read_member(kept, "inputSchema"),
        }
    }

    /// Returns whether this is a round that follows another.
    pub(super) fn is_further_round(&self) -> bool {
        self.error_summary.is_some() || !self.field_errors.is_empty()
    }

    /// Stores the extensions with a questionnaire, if there are any.
    pub(super) fn store_in(self, questionnaire: &mut Questionnaire) {
        let kept = self.into_members();
        if !kept.is_empty() {
            questionnaire.extensions.insert(NAME.to_owned(), Value::Object(kept));
        }
    }

    /// Returns the members under the names that [`Self::from_questionnaire`] reads. Values are moved rather than serialized, since most
    /// requests have few.
    fn into_members(self) -> Map<String, Value> {
        let mut kept = Map::new();
        let mut keep = |name: &str, value: Option<Value>| {
            if let Some(value) = value {
                kept.insert(name.to_owned(), value);
            }
        };
        keep("prompt", self.prompt.map(Value::String));
        keep("presentation", self.presentation.map(Value::String));
        keep("timeoutMs", self.timeout_ms.map(Value::Number));
        keep("mode", self.mode.map(serialize_name));
        keep("onTimeout", self.on_timeout.map(serialize_name));
        keep("requireClient", self.require_client.then_some(Value::Bool(true)));
        keep("errorSummary", self.error_summary.map(Value::String));
        let field_error = |(name, message)| Value::from(vec![Value::String(name), Value::String(message)]);
        keep("fieldErrors", collect_non_empty(self.field_errors, field_error));
        keep("byTool", self.validated_by_tool.then_some(Value::Bool(true)));
        keep("types", collect_non_empty(self.types, |(id, kind)| (id, Value::from(kind.name()))));
        keep("sections", collect_non_empty(self.sections, |(id, name)| (id, Value::String(name))));
        keep(
            "initialValues",
            (!self.initial_values.is_empty()).then_some(Value::Object(self.initial_values)),
        );
        keep("inputSchema", self.original_form.map(Value::String));
        kept
    }
}

/// Returns the name of an enum value.
fn serialize_name(name: impl Serialize) -> Value {
    serde_json::to_value(name).unwrap_or_default()
}

/// Returns a list or an object of these parts, or `None` if there are none.
fn collect_non_empty<T, U>(parts: impl IntoIterator<Item = T>, part: impl FnMut(T) -> U) -> Option<Value>
where
    Value: FromIterator<U>,
{
    let mut parts = parts.into_iter().map(part).peekable();
    parts.peek().is_some().then(|| parts.collect())
}

fn read_member<T: DeserializeOwned + Default>(kept: &Map<String, Value>, name: &str) -> T {
    kept.get(name).and_then(|value| T::deserialize(value).ok()).unwrap_or_default()
}
