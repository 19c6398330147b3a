//! Schema of the outcome.

use super::string_schema;
use crate::questionnaire::spec::SCALE;
use serde_json::{Map, Value, json};

const ANSWERS: &str = "The answers by the id of their question. Questions that were not asked have none.";
const CUSTOM: &str = "Whether the answer, or one of several, was typed by the person rather than picked.";

/// Returns the schema of a result or of a declined questionnaire.
pub(super) fn outcome_schema() -> Value {
    json!({
        "title": "Questionnaire outcome",
        "description": "The result of a questionnaire that was answered, or word that the person did not want to.",
        "oneOf": [{ "$ref": "#/$defs/QuestionnaireResult" }, { "$ref": "#/$defs/QuestionnaireCancelled" }],
        "$defs": {
            "QuestionnaireResult": {
                "description": "The answers of a person.",
                "type": "object",
                "required": ["answers", "submittedAt"],
                "properties": {
                    "answers": {
                        "type": "object", "description": ANSWERS,
                        "additionalProperties": { "$ref": "#/$defs/Answer" },
                    },
                    "submittedAt": {
                        "type": "string", "format": "date-time",
                        "description": "When it was answered: RFC 3339 in UTC, with milliseconds.",
                    },
                },
            },
            "QuestionnaireCancelled": {
                "description": "The person did not want to answer.",
                "type": "object",
                "required": ["cancelled", "message"],
                "properties": {
                    "cancelled": { "const": true, "description": "Always true." },
                    "message": string_schema("Word of it."),
                    "reason": string_schema("Why, in the person's words."),
                },
            },
            "Answer": {
                "description": "An answer, by the type of its question.",
                "oneOf": [
                    { "$ref": "#/$defs/SelectAnswer" },
                    { "$ref": "#/$defs/MultiSelectAnswer" },
                    { "$ref": "#/$defs/TextAnswer" },
                    { "$ref": "#/$defs/ConfirmAnswer" },
                    { "$ref": "#/$defs/RatingAnswer" },
                ],
            },
            "SelectAnswer": answer_schema("What was picked or typed.", json!({
                "value": string_schema("The option's value, or what was typed."),
                "label": string_schema("The option's label, or what was typed."),
            }), custom_flag_schema()),
            "MultiSelectAnswer": answer_schema("What was picked or typed, in the order it was picked.", json!({
                "values": text_list_schema("The options' values; in the place of an own answer what was typed."),
                "labels": text_list_schema("The options' labels; in the place of an own answer what was typed."),
            }), custom_flag_schema()),
            "TextAnswer": answer_schema("What was typed.", json!({
                "text": string_schema("The text, without white space at its ends."),
            }), json!({})),
            "ConfirmAnswer": answer_schema("Yes or no.", json!({
                "confirmed": { "type": "boolean", "description": "true for yes." },
                "label": string_schema("What is on the button that was chosen."),
            }), json!({})),
            "RatingAnswer": answer_schema("A step of the scale.", json!({
                "value": {
                    "type": "integer", "minimum": SCALE.0, "maximum": SCALE.1, "description": "The number chosen.",
                },
            }), json!({ "annotation": string_schema("Annotation of that step; empty if it has none.") })),
        },
    })
}

fn text_list_schema(description: &str) -> Value {
    json!({ "type": "array", "items": { "type": "string" }, "description": description })
}

fn custom_flag_schema() -> Value {
    json!({ "wasCustom": { "type": "boolean", "default": false, "description": CUSTOM } })
}

/// Returns the schema of a kind of answer: required members, by which it is recognized, and others.
fn answer_schema(description: &str, required: Value, others: Value) -> Value {
    let (mut properties, mut names) = (Map::new(), Vec::new());
    if let Value::Object(required) = required {
        names.extend(required.keys().cloned());
        properties.extend(required);
    }
    if let Value::Object(others) = others {
        properties.extend(others);
    }
    json!({ "type": "object", "description": description, "required": names, "properties": properties })
}
