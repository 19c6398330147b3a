//! JSON Schema 2020-12 of our own format, generated from the types that read it.

use super::{outcome, questionnaire};
use schemars::Schema;
use schemars::generate::SchemaSettings;
use schemars::transform::RecursiveTransform;
use serde_json::Value;

/// Returns the schema of a request.
pub fn request() -> Schema {
    settings().into_generator().into_root_schema_for::<questionnaire::CanonicalQuestionnaire<'static>>()
}

/// Returns the schema of an outcome.
pub fn outcome() -> Schema {
    // Describes the written form, not the accepted one.
    settings().for_serialize().into_generator().into_root_schema_for::<outcome::OutcomeDocument<'static>>()
}

/// Returns the generator settings, for documents with further types.
pub fn settings() -> SchemaSettings {
    SchemaSettings::draft2020_12().with_transform(RecursiveTransform(without_null))
}

/// Removes `null` from optional members, and Rust number formats.
fn without_null(schema: &mut Schema) {
    schema.remove("format");
    if let Some(Value::Array(kinds)) = schema.get_mut("type") {
        kinds.retain(|kind| kind != "null");
        if let [only] = kinds.as_slice() {
            let only = only.clone();
            schema.insert("type".to_owned(), only);
        }
    }
    if let Some(Value::Array(shapes)) = schema.get_mut("anyOf") {
        shapes.retain(|shape| shape.get("type").is_none_or(|kind| kind != "null"));
        if let [Value::Object(only)] = shapes.as_slice() {
            let only = only.clone();
            schema.remove("anyOf");
            for (name, value) in only {
                schema.insert(name, value);
            }
        }
    }
}
