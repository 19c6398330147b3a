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
    for (name, value) in names.into_iter().filter_map(|name| Some((name, schema.get(name)?))) {
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
    let among = |names: &[&str]| names.iter().position(|known| *known == name);
    among(&FIRST).or_else(|| among(&LAST).map(|at| FIRST.len() + 1 + at)).unwrap_or(FIRST.len())
}

fn required(schema: &Map<String, Value>) -> Vec<&str> {
    let names = schema.get("required").and_then(Value::as_array);
    names.into_iter().flatten().filter_map(Value::as_str).collect()
}

impl Serialize for OrderedMembers<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(members, first) = self;
        let first_ones = first.iter().filter_map(|name| members.get_key_value(*name));
        let others = members.iter().filter(|(name, _)| !first.contains(&name.as_str()));
        serializer.collect_map(first_ones.chain(others).map(|(name, schema)| (name, OrderedSchema(schema))))
    }
}
