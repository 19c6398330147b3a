//! Fields of events and spans, as recorded.

use serde_json::Value;
use std::fmt;
use tracing::field::{Field, Visit};

/// Name of the field with the message of an event.
pub(super) const MESSAGE: &str = "message";

/// Fields of an event or a span, in their order.
#[derive(Debug, Default, Clone)]
pub(super) struct FieldList(Vec<(&'static str, Value)>);

impl FieldList {
    /// Adds the fields of a span that the list does not have.
    pub(super) fn add_missing(&mut self, others: &Self) {
        for (name, value) in &others.0 {
            if self.get(name).is_none() {
                self.0.push((name, value.clone()));
            }
        }
    }

    /// Returns a field.
    pub(super) fn get(&self, name: &str) -> Option<&Value> {
        let (_, value) = self.0.iter().find(|(known, _)| *known == name)?;
        Some(value)
    }

    /// Returns a field that is text.
    pub(super) fn text(&self, name: &str) -> &str {
        self.get(name).and_then(Value::as_str).unwrap_or_default()
    }

    /// Returns the fields other than the message.
    pub(super) fn details(&self) -> impl Iterator<Item = (&'static str, &Value)> {
        self.0.iter().filter(|(name, _)| *name != MESSAGE).map(|(name, value)| (*name, value))
    }

    fn push(&mut self, field: &Field, value: impl Into<Value>) {
        self.0.push((field.name(), value.into()));
    }
}

impl Visit for FieldList {
    fn record_i64(&mut self, field: &Field, value: i64) {
        self.push(field, value);
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.push(field, value);
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.push(field, value);
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.push(field, value);
    }

    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.push(field, format!("{value:?}"));
    }
}
