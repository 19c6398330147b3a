//! Generators reject unknown features.

use crate::questionnaire::openapi;
use crate::schema::{PublishedSchemas, ToolDefinition, reader, typescript, zod};
use crate::schema::{UnsupportedFeature, ZodCheck};
use sayso_core::model::validation_rules::LengthUnit;
use serde_json::{Value, json};

const RULES: zod::ZodRules = zod::ZodRules { length_unit: LengthUnit::Scalar, strips_unknown: false };

fn refused(schema: &Value) -> String {
    reader::read(schema, "Request").map(|document| format!("{document:?}")).unwrap_err().0
}

fn member(schema: &Value) -> Value {
    json!({ "type": "object", "properties": { "a": schema } })
}

#[test]
fn unknown_keyword_is_refused_everywhere() {
    for keyword in ["uniqueItems", "allOf", "not", "if", "minProperties", "$anchor", "x-own"] {
        let schema = json!({ "type": "string", keyword: 1 });
        let wrong = format!("properties/a: the keyword {keyword}");
        assert_eq!(refused(&member(&schema)), wrong);
        let list = json!({ "type": "array", "items": schema });
        assert_eq!(refused(&member(&list)), format!("properties/a/items: the keyword {keyword}"));
        let union = json!({ "oneOf": [{ "type": "null" }, schema] });
        assert_eq!(refused(&member(&union)), format!("properties/a/oneOf/1: the keyword {keyword}"));
        let map = json!({ "type": "object", "additionalProperties": schema });
        assert_eq!(
            refused(&member(&map)),
            format!("properties/a/additionalProperties: the keyword {keyword}")
        );
        let defined = json!({ "type": "object", "$defs": { "A": schema } });
        assert_eq!(refused(&defined), format!("$defs/A: the keyword {keyword}"));
    }
}

#[test]
fn keyword_of_another_type_is_refused() {
    assert_eq!(refused(&json!({ "type": "integer", "minLength": 1 })), "the schema: the keyword minLength");
    assert_eq!(refused(&json!({ "properties": {} })), "the schema: the keyword properties");
    assert_eq!(refused(&json!({ "type": "date" })), "the schema: the type date");
    assert_eq!(refused(&json!({ "type": 1 })), "the schema: the type 1");
    assert_eq!(refused(&json!({ "type": "string", "const": 1 })), "the schema: 1 is not of the type");
    assert_eq!(refused(&json!({ "type": "string", "maxLength": -1 })), "the schema: maxLength as -1");
    assert_eq!(refused(&json!({ "enum": [] })), "the schema: enum as []");
    assert_eq!(refused(&member(&json!(false))), "properties/a: false as a schema");
    assert_eq!(refused(&json!({ "type": "string", "format": "email" })), "the schema: format as \"email\"");
    assert_eq!(
        refused(&json!({ "type": "integer", "format": "date-time" })),
        "the schema: the keyword format"
    );
    let beside = json!({ "type": "object", "patternProperties": { "^a": true } });
    assert_eq!(refused(&beside), "the schema: patternProperties beside other members");
}

#[test]
fn definition_names_are_checked() {
    assert_eq!(refused(&json!({ "$ref": "#/$defs/A" })), "A: there is no such definition");
    assert_eq!(refused(&json!({ "$ref": "other.json" })), "the schema: $ref as \"other.json\"");
    assert_eq!(refused(&json!({ "$defs": { "A B": true } })), "A B: no name for a definition");
    assert_eq!(refused(&json!({ "$defs": { "Record": true } })), "Record: no name for a definition");
    let twice = json!({ "title": "ask a", "$defs": { "AskA": true } });
    assert_eq!(refused(&twice), "AskA: the schema and a definition have the same name");
}

#[test]
fn inexpressible_schema_is_refused() {
    let list = reader::read(&json!({ "const": [1] }), "Request").unwrap();
    assert!(typescript::write(&list, "").is_err());
    assert!(zod::write(&list, &[], RULES, "").is_err());
    let plain = reader::read(&json!({ "type": "string" }), "Request").unwrap();
    let check = ZodCheck { definition: "Nothing", zod: "" };
    let refused = zod::write(&plain, &[check], RULES, "");
    assert_eq!(refused, Err(UnsupportedFeature("Nothing: a check of no definition".to_owned())));
}

/// Returns the places that a document refers to.
fn references(value: &Value) -> Vec<String> {
    let inside: Vec<&Value> = match value {
        Value::Array(items) => items.iter().collect(),
        Value::Object(members) => members.values().collect(),
        _ => Vec::new(),
    };
    let own = value.get("$ref").and_then(Value::as_str).map(|place| place.trim_start_matches('#').to_owned());
    own.into_iter().chain(inside.into_iter().flat_map(references)).collect()
}

#[test]
fn openapi_uses_older_keywords() {
    let published = |request: Value, outcome: Value| PublishedSchemas {
        request,
        outcome,
        tool: ToolDefinition { name: "a", description: "a" },
        checks: Vec::new(),
        length_unit: LengthUnit::Utf16,
        strips_unknown: false,
        openapi: None,
    };
    let request = json!({
        "type": "object",
        "properties": {
            "a": { "$ref": "#/$defs/A", "description": "An a." },
            "b": { "type": "number", "exclusiveMinimum": 0, "examples": [1, 2] },
            "c": { "oneOf": [{ "$ref": "#/$defs/A" }, { "$ref": "#/$defs/B" }] },
        },
        "$defs": {
            "A": { "type": "object", "required": ["is"], "properties": { "is": { "const": "a" } } },
            "B": { "type": "object", "required": ["is"], "properties": { "is": { "const": "b" } } },
        },
    });
    let outcome =
        json!({ "type": "string", "format": "date-time", "$defs": { "QuestionnaireCancelled": {} } });
    let document = openapi(&published(request.clone(), outcome)).unwrap();
    references(&document).iter().for_each(|place| assert!(document.pointer(place).is_some(), "{place}"));
    let responses = document["paths"]["/questionnaire"]["post"]["responses"].as_object().unwrap();
    let value = ["200", "202", "400", "401", "403", "408", "410", "413", "415", "422", "429", "499", "503"];
    assert!(responses.keys().eq(value));
    let example = &document["components"]["examples"]["FullQuestionnaireExample"]["value"];
    assert_eq!(example["questions"].as_array().map(Vec::len), Some(5));
    let schemas = &document["components"]["schemas"];
    let [a, b] = ["A", "B"].map(|name| format!("#/components/schemas/{name}"));
    assert_eq!(
        schemas["QuestionnaireParams"]["properties"],
        json!({
            "a": { "allOf": [{ "$ref": a }], "description": "An a." },
            "b": { "type": "number", "minimum": 0, "exclusiveMinimum": true, "example": 1 },
            "c": {
                "oneOf": [{ "$ref": a }, { "$ref": b }],
                "discriminator": { "propertyName": "is", "mapping": { "a": a, "b": b } },
            },
        })
    );
    assert_eq!(schemas["QuestionnaireResult"], json!({ "type": "string", "format": "date-time" }));
    assert_eq!(schemas["A"]["properties"]["is"], json!({ "enum": ["a"] }));
    for other in
        [json!({ "type": ["string", "null"] }), json!({ "patternProperties": {} }), json!({ "format": "x" })]
    {
        let outcome = json!({ "$defs": { "QuestionnaireCancelled": {} } });
        assert!(openapi(&published(member(&other), outcome)).is_err());
    }
    let differs = json!({ "$defs": { "A": { "type": "string" }, "QuestionnaireCancelled": {} } });
    assert!(openapi(&published(request.clone(), differs)).is_err());
    // The dialect itself defines the body for a decline.
    assert!(openapi(&published(request, json!({}))).is_err());
}
