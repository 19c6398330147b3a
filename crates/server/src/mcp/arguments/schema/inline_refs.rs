//! JSON Schema without references: many hosts and models support none.

use serde_json::{Map, Value, json};

/// Returns the properties of a schema, with references inlined. None of its definitions may contain itself.
pub(crate) fn inlined_properties(schema: &Value) -> Map<String, Value> {
    let properties = schema.get("properties").cloned().unwrap_or_default();
    match inlined(properties, schema) {
        Value::Object(properties) => properties,
        _ => Map::new(),
    }
}

fn inlined(value: Value, document: &Value) -> Value {
    match value {
        Value::Array(list) => list.into_iter().map(|entry| inlined(entry, document)).collect(),
        Value::Object(mut object) => {
            let Some(Value::String(reference)) = object.shift_remove("$ref") else {
                return object.into_iter().map(|(name, value)| (name, inlined(value, document))).collect();
            };
            let definition = document.pointer(reference.trim_start_matches('#')).cloned().unwrap_or_default();
            let Value::Object(mut definition) = inlined(definition, document) else { return json!({}) };
            // A description next to a reference is more specific than that of the definition.
            definition.extend(object);
            Value::Object(definition)
        }
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use crate::mcp::arguments::schema;
    use crate::mcp::tools::ToolSet;
    use sayso_core::wire::hints::schema_node::SchemaNode;
    use sayso_dialects::auq::{AuqCompat, AuqLimits};

    #[test]
    fn listed_schemas_have_no_references() {
        for tool in ToolSet::All.tools(AuqCompat::V3_4) {
            let entry = tool.list_entry(&AuqLimits::from_compat(AuqCompat::V3_4));
            let text = serde_json::to_string(&*entry.input_schema).unwrap();
            for unknown in ["$ref", "$defs", "patternProperties"] {
                assert!(!text.contains(unknown), "{unknown} in {text}");
            }
        }
    }

    #[test]
    fn ask_accepts_all_members() {
        let schema = schema::ask_input();
        let root = SchemaNode::root(schema);
        for name in ["title", "context", "action", "sections", "key", "timeout", "max_wait_s", "received"] {
            assert!(root.property(name).is_some(), "{name}");
        }
        let [question] = root.property("questions").unwrap().items().unwrap().forms()[..] else {
            panic!("forms")
        };
        let kinds = question.property("kind").unwrap().forms();
        assert_eq!(kinds.iter().map(|kind| kind.words().len()).sum::<usize>(), 8, "{kinds:?}");
        for name in ["options", "multi", "other", "children", "constraints", "show_if", "prefill"] {
            assert!(question.property(name).is_some(), "{name}");
        }
    }
}
