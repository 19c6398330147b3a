//! What only this dialect has words for, as it is kept with a questionnaire.

use super::understand::{self, PRESENTATIONS};
use super::wire::{FieldType, OnTimeout};
use crate::javascript;
use sayso_core::Questionnaire;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Number, Value};
use std::collections::{BTreeMap, HashSet};

/// What only this dialect has words for.
#[derive(Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Beside {
    /// What stands in front of the form: it is the beginning of the context.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) prompt: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) presentation: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) timeout_ms: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) mode: Option<Mode>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) on_timeout: Option<OnTimeout>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) require_client: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) error_summary: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) field_errors: Vec<(String, String)>,
    /// The tool asked, and judges itself what is sent.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) by_tool: bool,
    /// Of two types that are one kind, the rarer one, by the question's id.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) types: BTreeMap<String, FieldType>,
    /// What the asker calls sections whose names cannot be ids.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) sections: BTreeMap<String, String>,
    /// Initial values that name no field or are no answer to it; in a round that follows, exactly what was submitted.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub(super) initial_values: Map<String, Value>,
}

/// How an asker waits that does not do it the usual way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Mode {
    /// It goes on, and hears of the answer later.
    Async,
}

/// The name of this dialect.
const NAME: &str = "interaction";

impl Beside {
    /// What a questionnaire keeps. Anybody may have written it: what no request could say is left out.
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
        }
    }

    /// Whether it is a round that follows another.
    pub(super) fn is_further_round(&self) -> bool {
        self.error_summary.is_some() || !self.field_errors.is_empty()
    }

    /// Keeps it with a questionnaire, if there is anything to keep.
    pub(super) fn keep(&self, questionnaire: &mut Questionnaire) {
        if *self == Self::default() {
            return;
        }
        if let Ok(kept) = serde_json::to_value(self) {
            questionnaire.beside.insert(NAME.to_owned(), kept);
        }
    }
}

fn member<T: DeserializeOwned + Default>(kept: &Map<String, Value>, name: &str) -> T {
    kept.get(name).and_then(|value| T::deserialize(value).ok()).unwrap_or_default()
}

/// Whether all that one questionnaire keeps stands in what another one does.
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
