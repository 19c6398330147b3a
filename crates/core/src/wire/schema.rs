//! Our own format as JSON Schema 2020-12, made from the types that read it.

use super::{outcome, questionnaire};
use schemars::Schema;
use schemars::generate::SchemaSettings;
use schemars::transform::RecursiveTransform;
use serde_json::Value;

/// The schema of a request.
pub fn request() -> Schema {
    settings().into_generator().into_root_schema_for::<questionnaire::Document<'static>>()
}

/// The schema of what an asker gets.
pub fn outcome() -> Schema {
    // What is written, and not what would be read.
    settings().for_serialize().into_generator().into_root_schema_for::<outcome::Document<'static>>()
}

/// How our types become schemas, for documents that have more of them.
pub fn settings() -> SchemaSettings {
    SchemaSettings::draft2020_12().with_transform(RecursiveTransform(without_null))
}

/// A member that may be left out is left out, and not null; and what a number is in Rust is nobody's business.
fn without_null(schema: &mut Schema) {
    let is_null = |value: &Value| *value == "null" || value.get("type").is_some_and(|kind| kind == "null");
    schema.remove("format");
    if let Some(Value::Array(kinds)) = schema.get_mut("type") {
        kinds.retain(|kind| !is_null(kind));
        if let [only] = kinds.as_slice() {
            let only = only.clone();
            schema.insert("type".to_owned(), only);
        }
    }
    if let Some(Value::Array(shapes)) = schema.get_mut("anyOf") {
        shapes.retain(|shape| !is_null(shape));
        if let [Value::Object(only)] = shapes.as_slice() {
            let only = only.clone();
            schema.remove("anyOf");
            only.into_iter().for_each(|(name, value)| drop(schema.insert(name, value)));
        }
    }
}
