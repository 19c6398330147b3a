//! Description of the tool for a model: the spec's schemas with its descriptions ("schema descriptions").

use super::limits::{AuqCompat, AuqLimits};
use super::messages::TITLE_MISSING;
use super::reader::rules;
use super::spec::{OPTIONS_MIN, TOOL};
use crate::schema::{PublishedSchemas, ToolDefinition};
use serde_json::{Value, json};

const DESCRIPTION: &str = "\
Puts questions to the user while you work, and brings back the answers as text. Call it to learn what the user prefers \
or requires, to clear up an instruction that can be read in more than one way, to have an implementation choice \
decided as you come to it, or to offer directions to go on in.

- Every question also takes text of the user's own as \"Other\": never list such an option.
- Set multiSelect to true where several options may be picked.
- Recommend an option wherever you can: put it first and end its label with \"(Recommended)\".
- Never ask with it whether your plan is ready or whether to proceed.";

/// The spec's description of `prompt` ("Description Content"), as are those below.
const PROMPT: &str =
    "The complete question to ask the user. Should be clear, specific, and end with a question mark.";
/// The spec's description of `title`.
const TITLE: &str = "Very short label displayed as a chip/tag (max 12 chars).";
/// The spec's description of `options`, with its bounds.
const OPTIONS: &str =
    "Must have 2-4 options. There should be no 'Other' option, that will be provided automatically.";
/// The spec's description of `multiSelect`.
const MULTI_SELECT: &str =
    "Set to true to allow the user to select multiple options. Default: false (single-select)";

/// Returns the schemas of the dialect, with these limits.
pub(crate) fn published(limits: &AuqLimits) -> PublishedSchemas {
    PublishedSchemas {
        request: request(limits),
        outcome: json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": "AskUserQuestionsResult",
            "description": "The answers as text, question by question; or that the user rejected the questions, that \
                            they were cancelled, or that no one answered in time.",
            "type": "string",
        }),
        tool: ToolDefinition { name: TOOL, description: DESCRIPTION },
        // The schema expresses every check of the reader.
        checks: Vec::new(),
        strips_unknown: true,
        length_unit: rules().length_unit,
        openapi: None,
    }
}

/// Returns the entry of the tool in `tools/list`, with these limits.
pub fn tool(limits: &AuqLimits) -> Value {
    let PublishedSchemas { mut request, tool, .. } = published(limits);
    // Zod's message for an empty title is no keyword of JSON Schema.
    let title = request.pointer_mut("/$defs/QuestionSchema/properties/title").and_then(Value::as_object_mut);
    title.map(|title| title.remove("errorMessage"));
    json!({
        "name": tool.name,
        "description": tool.description,
        "annotations": {
            "title": "Ask User Questions",
            "readOnlyHint": false,
            "idempotentHint": true,
            "openWorldHint": true,
        },
        "inputSchema": request,
    })
}

fn request(limits: &AuqLimits) -> Value {
    let most = limits.questions();
    let mut request = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "AskUserQuestionsParametersSchema",
        "description": "Questions to the user.",
        "type": "object",
        "properties": {
            "questions": {
                "$ref": "#/$defs/QuestionsSchema",
                "description": format!(
                    "The questions to ask the user, 1 to {most} of them. Each has a prompt, a title, options and \
                     multiSelect."
                ),
            },
        },
        "required": ["questions"],
        "$defs": {
            "OptionSchema": option(),
            // The spec's name for the type of a question.
            "QuestionInput": { "$ref": "#/$defs/QuestionSchema" },
            "QuestionSchema": question(limits),
            "QuestionsSchema": {
                "description": "Questions that are asked together, in this order.",
                "type": "array",
                "items": { "$ref": "#/$defs/QuestionSchema" },
                "minItems": 1,
                "maxItems": most,
            },
        },
    });
    let properties = request.pointer_mut("/properties").and_then(Value::as_object_mut);
    if let (AuqCompat::V3_4, Some(properties)) = (limits.compat(), properties) {
        properties.insert("nonBlocking".to_owned(), non_blocking());
    }
    request
}

fn non_blocking() -> Value {
    json!({
        "description": "Set to true to go on working at once: the result then names the session, and \
                        get_answered_questions brings the answers later. Default: false (wait for the answers)",
        "type": "boolean",
        "default": false,
    })
}

fn question(limits: &AuqLimits) -> Value {
    let most = limits.options();
    json!({
        "description": "One question with the options to choose from.",
        "type": "object",
        "properties": {
            "prompt": {
                "description": format!(
                    "{PROMPT} Where several options may be picked, word it so: 'Which features do you want to enable?'"
                ),
                "type": "string",
                "minLength": 1,
                "examples": ["Which programming language do you want to use?"],
            },
            "title": {
                "description": format!("{TITLE} It lets the user tell the questions apart at a glance."),
                "type": "string",
                "minLength": 1,
                "errorMessage": { "minLength": TITLE_MISSING },
                "examples": ["Auth method", "Library", "Approach"],
            },
            "options": {
                "description": format!(
                    "The choices there are. {} They should exclude each other unless multiSelect is true.",
                    OPTIONS.replace("2-4", &format!("{OPTIONS_MIN}-{most}"))
                ),
                "type": "array",
                "items": { "$ref": "#/$defs/OptionSchema" },
                "minItems": OPTIONS_MIN,
                "maxItems": most,
            },
            "multiSelect": {
                "description": format!("{MULTI_SELECT} Use it where the options do not exclude each other."),
                "type": "boolean",
            },
        },
        "required": ["prompt", "title", "options", "multiSelect"],
    })
}

fn option() -> Value {
    json!({
        "description": "One option of a question.",
        "type": "object",
        "properties": {
            "label": {
                "description": "What the user sees and picks: concise, 1 to 5 words. End it with '(Recommended)' to \
                                recommend the option.",
                "type": "string",
                "examples": ["PostgreSQL (Recommended)"],
            },
            "description": {
                "description": "What the option means, or what follows from choosing it: trade-offs, consequences.",
                "type": "string",
            },
        },
        "required": ["label"],
    })
}
