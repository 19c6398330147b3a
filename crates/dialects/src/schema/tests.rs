//! Properties of all generated schemas. Generated JavaScript is compiled and run, with Node and the packages that
//! `cargo xtask setup` installs.

mod bodies;
mod keywords;
mod node;
mod opencode_plugin;
mod places;
mod requests;
mod sample;
mod types;
mod verdicts;

use super::write;
use crate::dialect::Dialect;
use crate::dialect::limits::DialectLimits;
use crate::schema::formats::{SchemaFormat, SchemaPart};
use serde_json::Value;

#[test]
fn committed_schemas_are_those_generated() {
    for dialect in Dialect::ALL {
        let published = dialect.usual_format().published();
        for (part, form) in
            SchemaPart::ALL.into_iter().flat_map(|part| SchemaFormat::ALL.map(|form| (part, form)))
        {
            let has =
                form != SchemaFormat::Tool && form != SchemaFormat::OpenApi || part == SchemaPart::Request;
            let has = has && (form != SchemaFormat::OpenApi || dialect == Dialect::Questionnaire);
            match write(dialect.name(), &published, part, form) {
                Some(Ok(text)) => {
                    assert!(has && !text.is_empty(), "{dialect:?} {part:?} {form:?}");
                    let shown = dialect.schema(part, form, &DialectLimits::default());
                    let is_current = shown.is_some_and(|shown| shown == text.trim_end());
                    assert!(is_current, "{dialect:?} {part:?} {form:?}: run `cargo xtask codegen`");
                }
                Some(Err(unsupported)) => panic!("{dialect:?} {part:?} {form:?}: {unsupported:?}"),
                None => assert!(!has, "{dialect:?} {part:?} {form:?}"),
            }
        }
    }
}

#[test]
fn request_members_have_descriptions() {
    for dialect in Dialect::ALL {
        let published = dialect.usual_format().published();
        let definitions = published.request["$defs"].as_object().into_iter().flatten();
        for (name, schema) in
            definitions.map(|(name, schema)| (name.as_str(), schema)).chain([("", &published.request)])
        {
            for (member, schema) in schema["properties"].as_object().into_iter().flatten() {
                let meant = schema["$ref"]
                    .as_str()
                    .and_then(|place| published.request.pointer(place.trim_start_matches('#')));
                let is_described = [Some(schema), meant]
                    .into_iter()
                    .flatten()
                    .any(|schema| schema["description"].is_string());
                assert!(is_described, "{dialect:?}: {name}.{member}");
            }
        }
    }
}

#[test]
fn tool_has_input_schema() {
    let text = Dialect::AskUserQuestion
        .schema(SchemaPart::Request, SchemaFormat::Tool, &DialectLimits::default())
        .unwrap();
    let tool: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(tool["name"], "AskUserQuestion");
    assert!(tool["description"].as_str().unwrap().contains("own answer is always offered"));
    assert_eq!(tool["input_schema"]["type"], "object");
    assert_eq!(tool["input_schema"]["$schema"], Value::Null);
    assert!(jsonschema::draft202012::new(&tool["input_schema"]).is_ok());
}

#[test]
fn configured_limits_reach_the_schema() {
    let mut limits = DialectLimits::default();
    limits.ask_user_question.header = 7;
    limits.ask_user_question.questions = 9;
    let text =
        Dialect::AskUserQuestion.schema(SchemaPart::Request, SchemaFormat::JsonSchema, &limits).unwrap();
    let schema: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(schema["properties"]["questions"]["maxItems"], 9);
    let header = &schema["$defs"]["Question"]["properties"]["header"];
    assert_eq!(header["maxLength"], 7);
    assert!(
        header["description"]
            .as_str()
            .unwrap()
            .contains("At most 7 characters, counted in UTF-16 code units")
    );
}
