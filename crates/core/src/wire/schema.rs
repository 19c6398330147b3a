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

/// Every member that a request may have somewhere.
pub(super) const MEMBERS: &[&str] = &[
    "sayso",
    "as_is",
    "title",
    "context",
    "action",
    "questions",
    "sections",
    "submit",
    "cancel",
    "completed",
    "rules",
    "beside",
    "id",
    "key",
    "value",
    "kind",
    "label",
    "prompt",
    "detail",
    "required",
    "unchecked",
    "options",
    "multi",
    "other",
    "other_label",
    "other_at",
    "long",
    "yes",
    "no",
    "min",
    "max",
    "emoji",
    "annotations",
    "step",
    "placeholder",
    "prefill",
    "constraints",
    "show_if",
    "children",
    "description",
    "preview",
    "recommended",
    "optional",
    "answers",
    "summary",
    "min_picks",
    "max_picks",
    "min_length",
    "max_length",
    "pattern",
    "multiple_of",
    "message",
    "question",
    "is",
    "any_of",
    "all_of",
    "none_of",
    "at_least",
    "at_most",
    "answered",
    "own_answer",
    "all",
    "any",
    "not",
    "length_unit",
    "trim_text",
    "repeated_picks",
    "other_alone",
    "empty_other",
    "own_answers_match",
    "must_be_true",
    "loose_dates",
    "empty_picks",
    "loose_single",
    "some_answer",
    "blank_text",
    "unjudged",
    "reserved",
    "fits",
    "tool",
    "act",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_members_are_those_of_the_schema() {
        let schema = serde_json::to_value(request()).unwrap();
        let defs = schema["$defs"].as_object().unwrap();
        let shapes = ["Question", "Section", "Completed", "Constraint", "Condition", "Rules", "Action"]
            .map(|name| &defs[name]);
        let mut named: Vec<_> = shapes
            .into_iter()
            // An option that is not its label alone.
            .chain([&schema, &defs["Option"]["anyOf"][1]])
            .flat_map(|shape| shape["properties"].as_object().unwrap().keys().map(String::as_str))
            .collect();
        let mut members = MEMBERS.to_vec();
        named.sort_unstable();
        named.dedup();
        members.sort_unstable();
        assert_eq!(members, named);
    }
}
