//! What an interrupt says that the core has no words for: it stands beside the questionnaire, for the way back.

use super::CUSTOM;
use crate::Dialect;
use sayso_core::{Beside, QuestionId, Questionnaire};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// What only an interrupt says.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Kept {
    /// The members of `data`, without the action request that became the questionnaire's action.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub(super) data: Map<String, Value>,
    /// The members of that action request beside the tool and its arguments.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub(super) request: Map<String, Value>,
    /// The options of an approval, as they stand there.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) options: Vec<Value>,
    /// What questions say of typed text, by their ids.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) custom: BTreeMap<QuestionId, Custom>,
}

/// What a question says of typed text.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Custom {
    /// The value of the option that stands for it, unless it is the usual one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) value: Option<String>,
    /// Further options for it: a person is offered one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) more: Vec<Further>,
}

/// A further option for typed text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Further {
    /// How many options without typed text stand above it.
    pub(super) at: usize,
    pub(super) label: String,
    pub(super) value: String,
}

impl Custom {
    /// The value of the option that stands for typed text.
    pub(super) fn value(&self) -> &str {
        self.value.as_deref().unwrap_or(CUSTOM)
    }
}

impl Kept {
    const NAME: &'static str = Dialect::Interrupt.name();

    /// What stands beside a questionnaire; nothing where that is not ours.
    pub(super) fn of(questionnaire: &Questionnaire) -> Self {
        let value = questionnaire.beside.get(Self::NAME);
        value.and_then(|value| Self::deserialize(value).ok()).unwrap_or_default()
    }

    /// The same, to stand beside a questionnaire.
    pub(super) fn beside(&self) -> Beside {
        if *self == Self::default() {
            return Beside::new();
        }
        let value = serde_json::to_value(self).unwrap_or_default();
        Beside::from([(Self::NAME.to_owned(), value)])
    }
}
