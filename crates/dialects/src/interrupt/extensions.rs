//! Extensions: members of an interrupt that the core does not model, stored with the questionnaire for the way back.

use super::spec::CUSTOM_VALUE;
use crate::interrupt::spec::NAME;
use sayso_core::{FormatExtensions, Question, QuestionId, Questionnaire, limits};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};

/// Members that only an interrupt has.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct InterruptExtensions {
    /// Members of `data`, without the action request that became the questionnaire's action.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub(super) data: Map<String, Value>,
    /// Members of that action request other than the tool and its arguments.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub(super) request: Map<String, Value>,
    /// Options of an approval, unchanged.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) options: Vec<Value>,
    /// Options for typed text, by the ids of their questions.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) custom: BTreeMap<QuestionId, CustomTextOptions>,
}

/// Options for typed text of one question.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct CustomTextOptions {
    /// Value of the option for typed text, unless it is the usual one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) value: Option<String>,
    /// Further options for typed text; a person is offered only one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) more: Vec<FurtherCustomOption>,
}

/// Further option for typed text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FurtherCustomOption {
    /// Number of options without typed text above it.
    pub(super) at: usize,
    pub(super) label: String,
    pub(super) value: String,
}

/// Greatest depth of a stored value: the canonical form nests it three levels deep.
const DEPTH_MAX: usize = limits::JSON_DEPTH - 3;

impl CustomTextOptions {
    /// Returns the value of the option for typed text.
    pub(super) fn value(&self) -> &str {
        self.value.as_deref().unwrap_or(CUSTOM_VALUE)
    }

    fn values(&self) -> impl Iterator<Item = &str> {
        std::iter::once(self.value()).chain(self.more.iter().map(|further| further.value.as_str()))
    }
}

impl InterruptExtensions {
    const NAME: &'static str = NAME;

    /// Reads the extensions of a questionnaire; empty if they are not in our format.
    pub(super) fn from_questionnaire(questionnaire: &Questionnaire) -> Self {
        match questionnaire.extensions.get(Self::NAME) {
            Some(value) => Self::deserialize(value).unwrap_or_default(),
            None => Self::default(),
        }
    }

    /// Returns the extensions in the format in which a questionnaire stores them.
    pub(super) fn to_beside(&self) -> FormatExtensions {
        if *self == Self::default() {
            return FormatExtensions::new();
        }
        let value = serde_json::to_value(self).unwrap_or_default();
        FormatExtensions::from([(Self::NAME.to_owned(), value)])
    }

    /// Returns the texts that a person may not type in these questions, trimmed: the values of options for typed text.
    pub(super) fn reserved_texts<'q>(
        &self,
        questions: impl IntoIterator<Item = &'q Question>,
    ) -> BTreeSet<String> {
        let mut texts = BTreeSet::new();
        for question in questions {
            if !question.choice().is_some_and(|choice| choice.other) {
                continue;
            }
            texts.insert(CUSTOM_VALUE.to_owned());
            if let Some(custom) = self.custom.get(&question.id) {
                texts.extend(custom.values().map(|value| value.trim().to_owned()));
            }
        }
        texts.remove("");
        texts
    }

    /// Removes the questions from the call's arguments, since the questionnaire holds them.
    pub(super) fn drop_questions(&mut self) {
        let request = self.data.get_mut("action_requests").and_then(|requests| requests.get_mut(0));
        let args = request.and_then(|request| request.get_mut("args")).and_then(Value::as_object_mut);
        args.and_then(|args| args.shift_remove("questions"));
    }

    /// Returns the member of an interrupt that is too deep to be stored, and the greatest depth.
    pub(super) fn too_deep_member(&self) -> Option<(&'static str, usize)> {
        if self.data.values().any(|value| depth(value) >= DEPTH_MAX) {
            return Some(("data", DEPTH_MAX));
        }
        if self.options.iter().any(|value| depth(value) >= DEPTH_MAX) {
            return Some(("options", DEPTH_MAX));
        }
        None
    }
}

/// Returns the number of arrays and objects nested in each other.
fn depth(value: &Value) -> usize {
    match value {
        Value::Array(items) => 1 + items.iter().map(depth).max().unwrap_or(0),
        Value::Object(members) => 1 + members.values().map(depth).max().unwrap_or(0),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => 0,
    }
}
