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
        let Some(Value::Object(members)) = questionnaire.extensions.get(NAME) else {
            return Self::default();
        };
        let mut extensions = Self {
            prompt: read_member(members, "prompt"),
            presentation: read_member(members, "presentation"),
            timeout_ms: read_member(members, "timeoutMs"),
            mode: read_member(members, "mode"),
            on_timeout: read_member(members, "onTimeout"),
            require_client: read_member(members, "requireClient"),
            error_summary: read_member(members, "errorSummary"),
            field_errors: read_member(members, "fieldErrors"),
            validated_by_tool: read_member(members, "byTool"),
            types: read_member(members, "types"),
            sections: read_member(members, "sections"),
            initial_values: read_member(members, "initialValues"),
            original_form: read_member(members, "inputSchema"),
        };
        extensions.drop_invalid();
        extensions
    }

    fn drop_invalid(&mut self) {
        self.prompt.take_if(|prompt| prompt.is_empty() || javascript::trim(prompt) != prompt);
        self.presentation.take_if(|presentation| !PRESENTATIONS.contains(&presentation.as_str()));
        self.timeout_ms.take_if(|limit| parse_request::time_limit_error(limit).is_some());
        let names: HashSet<&str> = self.field_errors.iter().map(|(name, _)| name.as_str()).collect();
        if names.len() < self.field_errors.len() {
            self.field_errors.clear();
        }
    }

    /// Returns whether this is a round that follows another.
    pub(super) fn is_further_round(&self) -> bool {
        self.error_summary.is_some() || !self.field_errors.is_empty()
    }

    /// Stores the extensions with a questionnaire, if there are any.
    pub(super) fn store_in(self, questionnaire: &mut Questionnaire) {
        let members = self.into_members();
        if !members.is_empty() {
            questionnaire.extensions.insert(NAME.to_owned(), Value::Object(members));
        }
    }

    /// Returns the members under the names that [`Self::from_questionnaire`] reads. Values are moved rather than serialized, since most
    /// requests have few.
    fn into_members(self) -> Map<String, Value> {
        let mut field_errors = Vec::with_capacity(self.field_errors.len());
        for (name, message) in self.field_errors {
            field_errors.push(Value::from(vec![name, message]));
        }
        let mut types = Map::new();
        for (id, kind) in self.types {
            types.insert(id, kind.name().into());
        }
        let mut sections = Map::new();
        for (id, name) in self.sections {
            sections.insert(id, name.into());
        }
        let all_members = [
            ("prompt", self.prompt.into()),
            ("presentation", self.presentation.into()),
            ("timeoutMs", self.timeout_ms.map_or(Value::Null, Value::Number)),
            ("mode", self.mode.map_or(Value::Null, serialize_name)),
            ("onTimeout", self.on_timeout.map_or(Value::Null, serialize_name)),
            ("requireClient", self.require_client.into()),
            ("errorSummary", self.error_summary.into()),
            ("fieldErrors", field_errors.into()),
            ("byTool", self.validated_by_tool.into()),
            ("types", types.into()),
            ("sections", sections.into()),
            ("initialValues", self.initial_values.into()),
            ("inputSchema", self.original_form.into()),
        ];
        let mut members = Map::new();
        for (name, value) in all_members {
            if !is_default(&value) {
                members.insert(name.to_owned(), value);
            }
        }
        members
    }
}

/// Returns whether a member has the value that a missing one has.
fn is_default(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => true,
        Value::Array(items) => items.is_empty(),
        Value::Object(members) => members.is_empty(),
        _ => false,
    }
}

/// Returns the name of an enum value.
fn serialize_name(name: impl Serialize) -> Value {
    serde_json::to_value(name).unwrap_or_default()
}

fn read_member<T: DeserializeOwned + Default>(members: &Map<String, Value>, name: &str) -> T {
    let Some(value) = members.get(name) else { return T::default() };
    T::deserialize(value).unwrap_or_default()
}
