//! JSON Schema without references. The large definitions are inlined at their first use only; later uses, and
//! recursive ones, become a description.

use serde_json::{Map, Value, json};

/// Definitions that are inlined once. Others are small enough to be inlined each time.
const INLINED_ONCE: &[(&str, &str)] = &[
    ("Question", "A question, with the members that a question in `questions` has."),
    ("Condition", "A condition, with the members that `show_if` of a question has."),
    ("Constraint", "A constraint, with the members that `constraints` of a question have."),
];

/// Returns a short form of a definition with many uses: each model that might ask reads the whole schema.
fn short_definition(name: &str) -> Option<Value> {
    let of = |types: &[&str]| {
        let types: Vec<_> = types.iter().map(|name| json!({ "type": name })).collect();
        Some(json!({ "anyOf": types }))
    };
    match name {
        "Value" => of(&["boolean", "number", "string"]),
        "Number" => of(&["number", "string"]),
        _ => None,
    }
}

/// Returns the properties of a schema, with references inlined.
pub(crate) fn inlined_properties(schema: &Value) -> Map<String, Value> {
    let empty = Map::new();
    let definitions = schema.get("$defs").and_then(Value::as_object).unwrap_or(&empty);
    let mut writer = RefInliner { definitions, inlined_names: Vec::new() };
    let properties = schema.get("properties").cloned().unwrap_or_default();
    match writer.inline(properties) {
        Value::Object(properties) => properties,
        _ => Map::new(),
    }
}

struct RefInliner<'s> {
    definitions: &'s Map<String, Value>,
    inlined_names: Vec<String>,
}

impl RefInliner<'_> {
    fn inline(&mut self, value: Value) -> Value {
        match value {
            Value::Array(list) => list.into_iter().map(|entry| self.inline(entry)).collect(),
            Value::Object(mut object) => {
                // Few hosts and models support patterns of names; the schema of the values is kept.
                if let Some(Value::Object(patterns)) = object.shift_remove("patternProperties") {
                    let named = patterns.into_iter().next().map(|(_, schema)| schema);
                    object.insert("additionalProperties".to_owned(), named.unwrap_or(json!(true)));
                }
                let Some(Value::String(reference)) = object.shift_remove("$ref") else {
                    return object.into_iter().map(|(name, value)| (name, self.inline(value))).collect();
                };
                let Value::Object(mut meant) = self.inline_definition(&reference) else { return json!({}) };
                // A description next to a reference is more specific than that of the definition.
                meant.extend(object);
                Value::Object(meant)
            }
            other => other,
        }
    }

    fn inline_definition(&mut self, reference: &str) -> Value {
        let name = reference.rsplit('/').next().unwrap_or_default();
        if let Some((_, words)) = INLINED_ONCE.iter().find(|(once, _)| *once == name) {
            if self.inlined_names.iter().any(|written| written == name) {
                return json!({ "type": "object", "description": words });
            }
            self.inlined_names.push(name.to_owned());
        }
        short_definition(name).unwrap_or_else(|| {
            let definition = self.definitions.get(name).cloned().unwrap_or_default();
            self.inline(definition)
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::mcp::schema;
    use serde_json::Value;

    #[test]
    fn ask_schema_has_no_references() {
        let schema = Value::Object(schema::ask_input().as_ref().clone());
        let text = schema.to_string();
        for unknown in ["$ref", "$defs", "patternProperties"] {
            assert!(!text.contains(unknown), "{unknown} in {text}");
        }
        let question = &schema["properties"]["questions"]["items"]["properties"];
        assert_eq!(question["kind"]["oneOf"].as_array().map(Vec::len), Some(8), "{question}");
        for name in ["options", "multi", "other", "children", "constraints", "show_if", "prefill"] {
            assert!(question.get(name).is_some(), "{name}");
        }
        for name in ["title", "context", "action", "sections", "key", "timeout", "max_wait_s", "received"] {
            assert!(schema["properties"].get(name).is_some(), "{name}");
        }
    }
}
