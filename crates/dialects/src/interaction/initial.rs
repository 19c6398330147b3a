//! What stands in the fields at the beginning: taken from a request, and written in one.

use super::beside::Beside;
use super::hear;
use super::wire::QuestionnaireField;
use sayso_core::{Question, Rules};
use serde_json::{Map, Value};
use std::collections::HashMap;

/// What stands in the fields at the beginning, and once all have taken theirs, what is kept of it.
pub(super) struct Initial {
    pub(super) values: Map<String, Value>,
    pub(super) is_further_round: bool,
}

impl Initial {
    /// What stands in a field, as its answer. In a round that follows that is what was submitted, which is kept as it is;
    /// the field's default says nothing there.
    pub(super) fn of<T>(
        &mut self,
        name: &str,
        default: Option<Value>,
        hear: impl Fn(&Value) -> Option<T>,
    ) -> Option<T> {
        if self.is_further_round {
            return self.values.get(name).and_then(hear);
        }
        // A null is nothing, and everything is said with that.
        let value = self.values.remove(name).or(default).filter(|value| !value.is_null())?;
        let heard = hear(&value);
        if heard.is_none() {
            self.values.insert(name.to_owned(), value);
        }
        heard
    }
}

/// The initial values of a request whose fields have their answers as defaults: those that are no answers. In a round
/// that follows they are what was submitted, and the fields' answers stand there too.
pub(super) fn values(
    beside: &Beside,
    fields: &mut [(&Question, QuestionnaireField)],
    rules: &Rules,
) -> Option<Map<String, Value>> {
    let heard = |question: &Question, value: &Value| hear::prefill(question, rules, value);
    let mut values = beside.initial_values.clone();
    if beside.is_further_round() {
        for (question, field) in fields {
            let default = field.default_value.take();
            let submitted = values.get(field.id.as_str()).and_then(|value| heard(question, value));
            match default {
                _ if submitted == question.prefill => {}
                Some(default) => _ = values.insert(field.id.to_string(), default),
                None => _ = values.remove(field.id.as_str()),
            }
        }
        return Some(values);
    }
    if values.is_empty() {
        return None;
    }
    let named: HashMap<&str, &Question> =
        fields.iter().map(|(question, field)| (field.id.as_str(), *question)).collect();
    // A default, or none, would not stand there against an initial value that is an answer.
    values.retain(|name, value| {
        named
            .get(name.as_str())
            .is_none_or(|question| question.prefill.is_none() && heard(question, value).is_none())
    });
    (!values.is_empty()).then_some(values)
}
