//! Printer of schemas in a readable order: type and description before the details, and required members before the
//! others.

use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Map, Value};

/// Keywords in order that come first, and those that come last.
const FIRST: [&str; 13] = [
    "openapi",
    "name",
    "$schema",
    "$ref",
    "title",
    "info",
    "summary",
    "description",
    "type",
    "const",
    "enum",
    "items",
    "properties",
];
const LAST: [&str; 2] = ["components", "$defs"];

/// Prints a schema on several lines.
pub(super) fn write(schema: &Value) -> String {
    serde_json::to_string_pretty(&OrderedSchema(schema)).unwrap_or_default()
}

struct OrderedSchema<'v>(&'v Value);

/// Members of data: in the order of their names, or of another list.
struct OrderedMembers<'v>(&'v Map<String, Value>, Vec<&'v str>);

impl Serialize for OrderedSchema<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Value::Array(items) => serializer.collect_seq(items.iter().map(OrderedSchema)),
            Value::Object(members) => serialize_keywords(members, serializer),
            other => other.serialize(serializer),
        }
    }
}

fn serialize_keywords<S: Serializer>(schema: &Map<String, Value>, serializer: S) -> Result<S::Ok, S::Error> {
    let mut names: Vec<&String> = schema.keys().collect();
    names.sort_by_key(|name| rank(name));
    let mut map = serializer.serialize_map(Some(names.len()))?;
    for name in names {
        let Some(value) = schema.get(name) else { continue };
        match (name.as_str(), value) {
            ("properties", Value::Object(members)) => {
                map.serialize_entry(name, &OrderedMembers(members, required(schema)))?;
            }
            ("$defs" | "patternProperties" | "schemas", Value::Object(members)) => {
                map.serialize_entry(name, &OrderedMembers(members, Vec::new()))?;
            }
            // Data, not schemas.
            ("default" | "examples" | "example" | "const" | "enum" | "value", value) => {
                map.serialize_entry(name, value)?;
            }
            (_, value) => map.serialize_entry(name, &OrderedSchema(value))?,
        }
    }
    map.end()
}

fn rank(name: &str) -> usize {
    if let Some(rank) = FIRST.iter().position(|keyword| *keyword == name) {
        return rank;
    }
    match LAST.iter().position(|keyword| *keyword == name) {
        Some(rank) => FIRST.len() + 1 + rank,
        None => FIRST.len(),
    }
}

fn required(schema: &Map<String, Value>) -> Vec<&str> {
    let names = schema.get("required").and_then(Value::as_array);
    names.into_iter().flatten().filter_map(Value::as_str).collect()
}

impl Serialize for OrderedMembers<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(members, first_names) = self;
        let mut map = serializer.serialize_map(Some(members.len()))?;
        for name in first_names {
            if let Some(schema) = members.get(*name) {
                map.serialize_entry(name, &OrderedSchema(schema))?;
            }
        }
        for (name, schema) in *members {
            if !first_names.contains(&name.as_str()) {
                map.serialize_entry(name, &OrderedSchema(schema))?;
            }
        }
        map.end()
    }
}
