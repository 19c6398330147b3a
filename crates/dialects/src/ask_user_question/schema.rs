//! JSON Schema of the spec's "Zod schema" of input and output, with descriptions for a model.

use super::reader::{AskUserQuestionLimits, DESCRIPTION_LENGTH, LABEL_LENGTH, OPTIONS_MIN, rules};
use super::route::NAME;
use crate::schema::{PublishedSchemas, ToolDefinition};
use serde_json::{Value, json};

/// Returns the schemas under these limits.
pub(crate) fn published(limits: &AskUserQuestionLimits) -> PublishedSchemas {
    let tool = ToolDefinition {
        name: NAME,
        description: "Ask the person questions while you work: what they prefer, what they meant, which way to go. \
            Each question has a few options, and an own answer is always offered beside them. Do not ask what the \
            person has said already, or what a sensible default settles.",
    };
    PublishedSchemas {
        request: request(limits),
        outcome: outcome(),
        tool,
        checks: Vec::new(),
        strips_unknown: true,
        length_unit: rules().length_unit,
        openapi: None,
    }
}

/// Returns the schema of a non-empty text with at most this many UTF-16 code units. JSON Schema counts characters, of
/// which there are never more.
fn text(longest: usize, description: &str) -> Value {
    let unit = "counted in UTF-16 code units: an emoji counts 2";
    let description = format!("{description} At most {longest} characters, {unit}.");
    json!({ "type": "string", "minLength": 1, "maxLength": longest, "description": description })
}

fn request(limits: &AskUserQuestionLimits) -> Value {
    json!({
        "title": "AskUserQuestionInput",
        "description": "Questions for the person, asked one after another.",
        "type": "object",
        "required": ["questions"],
        "properties": {
            "questions": {
                "type": "array",
                "minItems": 1,
                "maxItems": limits.questions,
                "items": { "$ref": "#/$defs/Question" },
                "description": format!("1 to {} questions, in the order asked.", limits.questions),
            },
        },
        "$defs": {
            "Question": {
                "type": "object",
                "description": "One question.",
                "required": ["question", "header", "options", "multiSelect"],
                "properties": {
                    "question": text(limits.question, "The complete question, ending with a question mark."),
                    "header": text(
                        limits.header,
                        "A short label for the question, like Auth method. The answer comes back under it, so no two \
                         questions should share one.",
                    ),
                    "options": {
                        "type": "array",
                        "minItems": OPTIONS_MIN,
                        "maxItems": limits.options,
                        "items": { "$ref": "#/$defs/QuestionOption" },
                        "description": format!(
                            "{OPTIONS_MIN} to {} options. Add no option for another answer: one is always offered. If \
                             you recommend one, put it first and end its label with (Recommended).",
                            limits.options
                        ),
                    },
                    "multiSelect": {
                        "type": "boolean",
                        "description": "True where several options may be picked, since they do not exclude each other.",
                    },
                },
            },
            "QuestionOption": {
                "type": "object",
                "description": "One option.",
                "required": ["label", "description"],
                "properties": {
                    "label": text(LABEL_LENGTH, "What the person reads and you get back: 1 to 5 words."),
                    "description": text(DESCRIPTION_LENGTH, "What picking it means."),
                },
            },
        },
    })
}

fn outcome() -> Value {
    json!({
        "title": "AskUserQuestionOutput",
        "description": "The answers, where the person gave some.",
        "type": "object",
        "required": ["answers"],
        "properties": {
            "answers": {
                "type": "object",
                "additionalProperties": { "type": "string" },
                "description": "The answers by header: the label that was picked, several labels separated by a comma \
                    and a space, or `Other (custom: …)` with what the person typed.",
                "examples": [{ "Auth method": "OAuth 2.0" }],
            },
        },
    })
}
