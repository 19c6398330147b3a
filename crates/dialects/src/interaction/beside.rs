//! What only this dialect has words for, as it is kept with a questionnaire.

use super::wire::{FieldType, OnTimeout};
use sayso_core::Questionnaire;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// What only this dialect has words for.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Beside {
    /// What stands in front of the form: it is the beginning of the context.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) prompt: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) presentation: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) on_timeout: Option<OnTimeout>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) require_client: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) error_summary: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) field_errors: Vec<(String, String)>,
    /// Of two types that are one kind, the rarer one, by the question's id.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) types: BTreeMap<String, FieldType>,
    /// What the asker calls sections whose names cannot be ids.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) sections: BTreeMap<String, String>,
    /// Initial values that name no field or are no answer to it.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub(super) initial_values: Map<String, Value>,
}

/// The name of this dialect.
const NAME: &str = "interaction";

impl Beside {
    /// What a questionnaire keeps; what was not written by this dialect is nothing.
    pub(super) fn of(questionnaire: &Questionnaire) -> Self {
        let kept = questionnaire.beside.get(NAME);
        kept.and_then(|kept| Self::deserialize(kept).ok()).unwrap_or_default()
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
