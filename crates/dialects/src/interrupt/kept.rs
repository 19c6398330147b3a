//! What an interrupt says that the core has no words for: it stands beside the questionnaire, for the way back.

use super::CUSTOM;
use crate::Dialect;
use sayso_core::{Beside, Kind, Question, QuestionId, Questionnaire, limits};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};

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

/// The depth of a value that is kept, as the canonical form may have it: it stands three levels deep there.
const DEPTH_MAX: usize = limits::JSON_DEPTH - 3;

impl Custom {
    /// The value of the option that stands for typed text.
    pub(super) fn value(&self) -> &str {
        self.value.as_deref().unwrap_or(CUSTOM)
    }

    fn values(&self) -> impl Iterator<Item = &str> {
        std::iter::once(self.value()).chain(self.more.iter().map(|further| further.value.as_str()))
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

    /// What typed text may not be in these questions, trimmed: the values that stand for typed text.
    pub(super) fn reserved<'q>(&self, asked: impl IntoIterator<Item = &'q Question>) -> BTreeSet<String> {
        let takes_text =
            |question: &&Question| matches!(&question.kind, Kind::Choice(choice) if choice.other);
        let mut reserved = BTreeSet::new();
        for question in asked.into_iter().filter(takes_text) {
            let own = self.custom.get(&question.id).into_iter().flat_map(Custom::values);
            let values = own.chain([CUSTOM]).map(str::trim);
            reserved.extend(values.filter(|value| !value.is_empty()).map(str::to_owned));
        }
        reserved
    }

    /// Takes the questions out of the call that has them: they are asked, and stand there once.
    pub(super) fn drop_questions(&mut self) {
        let request = self.data.get_mut("action_requests").and_then(|requests| requests.get_mut(0));
        let args = request.and_then(|request| request.get_mut("args")).and_then(Value::as_object_mut);
        args.and_then(|args| args.shift_remove("questions"));
    }

    /// The member of an interrupt that is too deep to stand beside a questionnaire, and how deep it may be.
    pub(super) fn too_deep(&self) -> Option<(&'static str, usize)> {
        let of = |values: &mut dyn Iterator<Item = &Value>| 1 + values.map(depth).max().unwrap_or(0);
        let members = [("data", of(&mut self.data.values())), ("options", of(&mut self.options.iter()))];
        members.into_iter().find(|(_, depth)| *depth > DEPTH_MAX).map(|(name, _)| (name, DEPTH_MAX))
    }
}

/// How many arrays and objects a value has in each other.
fn depth(value: &Value) -> usize {
    match value {
        Value::Array(items) => 1 + items.iter().map(depth).max().unwrap_or(0),
        Value::Object(members) => 1 + members.values().map(depth).max().unwrap_or(0),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => 0,
    }
}
