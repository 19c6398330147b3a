//! Extensions: data stored with a questionnaire that came in this dialect, so that it can be written back unchanged.

use crate::Dialect;
use sayso_core::{QuestionId, Questionnaire};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// Data that the core does not model. If there is none, nothing is stored.
#[derive(Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct QuestionnaireExtensions {
    /// Values of each `showIf` that never holds, by the ids of their questions.
    never: BTreeMap<String, String>,
}

impl QuestionnaireExtensions {
    /// Reads the extensions of a questionnaire; empty if they are not in the reader's format.
    pub(super) fn from_questionnaire(questionnaire: &Questionnaire) -> Self {
        let value = questionnaire.extensions.get(Dialect::Questionnaire.name());
        value.and_then(|value| Self::deserialize(value).ok()).unwrap_or_default()
    }

    /// Returns the value of this question's `showIf`, which never holds.
    pub(super) fn never_value(&self, question: &QuestionId) -> Option<&str> {
        self.never.get(question.as_str()).map(String::as_str)
    }

    /// Stores the value of this question's `showIf`, which never holds.
    pub(super) fn store_never(&mut self, question: &QuestionId, value: String) {
        self.never.insert(question.as_str().to_owned(), value);
    }

    /// Returns the extensions in the format in which a questionnaire stores them.
    pub(super) fn to_json(&self) -> Option<Value> {
        (!self.never.is_empty()).then(|| serde_json::to_value(self).unwrap_or_default())
    }
}
