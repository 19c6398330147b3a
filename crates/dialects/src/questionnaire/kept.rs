//! What stands beside a questionnaire that came in this dialect, so that it can be written back as it was.

use crate::Dialect;
use sayso_core::{QuestionId, Questionnaire};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// What the core has no words for. Where there is nothing of the kind, nothing stands there.
#[derive(Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Kept {
    /// By the ids of their questions, the values of those `showIf` that never hold.
    never: BTreeMap<String, String>,
}

impl Kept {
    /// What stands beside a questionnaire; nothing where it is not what the reader puts there.
    pub(super) fn of(questionnaire: &Questionnaire) -> Self {
        let value = questionnaire.beside.get(Dialect::Questionnaire.name());
        value.and_then(|value| Self::deserialize(value).ok()).unwrap_or_default()
    }

    /// The value of the `showIf` of this question, which never holds.
    pub(super) fn value(&self, question: &QuestionId) -> Option<&str> {
        self.never.get(question.as_str()).map(String::as_str)
    }

    /// Keeps the value of the `showIf` of this question, which never holds.
    pub(super) fn keep(&mut self, question: &QuestionId, value: String) {
        self.never.insert(question.as_str().to_owned(), value);
    }

    /// As it stands beside a questionnaire.
    pub(super) fn as_json(&self) -> Option<Value> {
        (!self.never.is_empty()).then(|| serde_json::to_value(self).unwrap_or_default())
    }
}
