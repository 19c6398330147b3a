//! Mutations of a valid document, to compare readers with the plain schemas.

use proptest::prelude::*;
use serde_json::Value;

/// Mutation at one place of a document.
#[derive(Debug, Clone)]
pub(crate) enum Change {
    Replace(Value),
    Remove,
    Repeat(usize),
}

/// Mutates a document at one of its places.
pub(crate) fn changed(document: &mut Value, place: &prop::sample::Index, change: Change) {
    let mut found = Vec::new();
    places(document, "", &mut found);
    let at = place.get(&found).clone();
    match change {
        Change::Replace(value) => *document.pointer_mut(&at).unwrap() = value,
        Change::Repeat(times) => {
            if let Some(array) = document.pointer_mut(&at).and_then(Value::as_array_mut) {
                let first = array.first().cloned().unwrap_or_default();
                array.resize(times, first);
            }
        }
        Change::Remove => {
            let Some((parent, name)) = at.rsplit_once('/') else { return };
            if let Some(members) = document.pointer_mut(parent).and_then(Value::as_object_mut) {
                members.remove(name);
            }
        }
    }
}

/// Collects the places of all values in a document.
fn places(value: &Value, at: &str, found: &mut Vec<String>) {
    found.push(at.to_owned());
    match value {
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(index, item)| places(item, &format!("{at}/{index}"), found));
        }
        Value::Object(members) => {
            members.iter().for_each(|(name, member)| places(member, &format!("{at}/{name}"), found));
        }
        _ => {}
    }
}

/// Returns JavaScript's name of a value's type, for the messages of the plain schemas.
pub(crate) fn type_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}
