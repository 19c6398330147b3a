//! Published schemas: the tool's arguments and results as JSON Schema, and further checks as Zod source.

use super::reader::builder::spec_rules;
use super::reader::parse_request;
use super::spec::TOOL;
use super::wire::FieldType;
use crate::schema::{PublishedSchemas, ToolDefinition, ZodCheck};
use serde_json::{Value, json};

/// Returns the published schemas of the dialect.
pub(crate) fn published() -> PublishedSchemas {
    PublishedSchemas {
        request: request_schema(),
        outcome: outcome_schema(),
        tool: ToolDefinition {
            name: TOOL,
            description: "Ask the user with a form. Use it when you need several pieces of information, or one of a \
                          certain kind: text, a number, a choice, yes or no, a date. Returns the values by field id, \
                          or that the user cancelled. Never ask for passwords or other secrets.",
        },
        checks: vec![
            ZodCheck { definition: "QuestionnaireSchema", zod: ONE_OF },
            ZodCheck { definition: "QuestionnaireSchema", zod: FIELDS },
        ],
        strips_unknown: false,
        length_unit: spec_rules().length_unit,
        openapi: None,
    }
}

const ONE_OF: &str = r"const has = (list) => (list?.length ?? 0) > 0;
if (has(value.fields) === has(value.sections)) {
  ctx.addIssue({ code: 'custom', message: 'Invalid input' });
}";

const FIELDS: &str = r#"const ids = new Set();
const check = (field, path) => {
  const issue = (message, member) =>
    ctx.addIssue({ code: 'custom', message, path: [...path, member] });
  if (ids.has(field.id)) issue(`Duplicate field id: ${field.id}`, 'id');
  ids.add(field.id);
  if (['select', 'radio', 'multiselect'].includes(field.type) && !field.options?.length) {
    issue(`Field "${field.id}" requires options`, 'options');
  }
  if (field.pattern) {
    try {
      new RegExp(field.pattern);
    } catch {
      issue(`Invalid pattern for field "${field.id}"`, 'pattern');
    }
  }
};
if (value.fields?.length) {
  value.fields.forEach((field, index) => check(field, ['fields', index]));
} else {
  value.sections?.forEach((section, at) =>
    section.fields.forEach((field, index) => check(field, ['sections', at, 'fields', index])),
  );
}"#;

fn request_schema() -> Value {
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "QuestionsAsk",
        "description": "A form for the user to fill in.",
        "type": "object",
        "properties": {
            "prompt": { "type": "string",
                "description": "Text shown before the form, such as the reason for asking. May be Markdown." },
            "schema": { "$ref": "#/$defs/QuestionnaireSchema" },
            "validate": { "type": "boolean", "default": true,
                "description": "Whether values are checked before you get them. Without checks you get whatever was entered." },
            "strict": { "type": "boolean", "default": false,
                "description": "Whether dates and times must be ISO 8601; otherwise any text will do." },
            "timeoutMs": { "type": "number", "minimum": 1, "maximum": parse_request::TIME_LIMIT_MS_MAX, "default": super::TIME_LIMIT_MS,
                "description": "After how many milliseconds to give up." },
            "onTimeout": { "type": "string", "enum": ["error", "async", "cancel"], "default": "error",
                "description": "What you get then: an error, or the same as when the user cancels." },
            "mode": { "type": "string", "enum": ["sync", "async"], "default": "sync",
                "description": "Whether you wait for the answer." },
            "completedView": { "type": "object",
                "description": "What is shown once the form is answered.",
                "properties": {
                    "showInputs": { "type": "boolean", "default": true,
                        "description": "Whether the values are shown." },
                    "summaryTemplate": { "type": "string",
                        "description": "A sentence with {{action}} and {{fieldId}} in the places of values." },
                } },
        },
        "required": ["schema"],
        "$defs": {
            "QuestionnaireSchema": form_schema(),
            "QuestionnaireSection": section_schema(),
            "QuestionnaireField": field_schema(),
            "QuestionnaireOption": option_schema(),
        },
    })
}

fn form_schema() -> Value {
    json!({
        "type": "object",
        "description": "The form. Give either fields or sections, one of them and not both.",
        "properties": {
            "title": { "type": "string", "description": "Title of the form, in one line." },
            "description": { "type": "string", "description": "What the form is about. May be Markdown." },
            "fields": { "type": "array", "maxItems": 1000, "items": { "$ref": "#/$defs/QuestionnaireField" },
                "description": "The fields of a simple form, in the order shown." },
            "sections": { "type": "array", "maxItems": 1000, "items": { "$ref": "#/$defs/QuestionnaireSection" },
                "description": "The steps of a longer form, in the order shown." },
            "submitLabel": { "type": "string", "default": "Submit",
                "description": "What is on the button that sends the values." },
            "cancelLabel": { "type": "string", "default": "Cancel",
                "description": "What is on the button that dismisses the form." },
            "initialValues": { "type": "object", "additionalProperties": true,
                "description": "Initial values of the fields, by field id. The user sees them before they are sent." },
        },
    })
}

fn section_schema() -> Value {
    json!({
        "type": "object",
        "description": "A step of a form.",
        "properties": {
            "id": { "type": "string", "description": "Its name within the form." },
            "title": { "type": "string", "description": "Its heading." },
            "description": { "type": "string", "description": "What it is about, under the heading. May be Markdown." },
            "fields": { "type": "array", "maxItems": 1000, "items": { "$ref": "#/$defs/QuestionnaireField" },
                "description": "Its fields, in the order shown." },
            "optional": { "type": "boolean", "default": false,
                "description": "Whether the user may skip it: while all of it is empty, nothing in it is required." },
            "submitLabel": { "type": "string", "description": "What is on the button that leads on from it." },
        },
        "required": ["id", "fields"],
    })
}

fn field_schema() -> Value {
    let types: Vec<_> = FieldType::ALL.iter().map(|(name, _)| *name).collect();
    json!({
        "type": "object",
        "description": "A field of a form: one question.",
        "properties": {
            "id": { "type": "string", "description": "The name of its value in what you get. No other field may have it.",
                "examples": ["email"] },
            "type": { "type": "string", "enum": types,
                "description": "The control. select, radio and multiselect need options; boolean and checkbox are yes or no, and must be yes where they are required." },
            "label": { "type": "string", "description": "What you ask, in a few words or a sentence." },
            "description": { "type": "string", "description": "More about it, shown with the label. May be Markdown." },
            "required": { "type": "boolean", "default": false, "description": "Whether it must be filled in." },
            "placeholder": { "type": "string", "description": "An example of what to type. It is never sent." },
            "defaultValue": { "description": "Initial value, unless initialValues name the field." },
            "validateOnClient": { "type": "boolean", "default": true,
                "description": "Whether the value is checked while it is entered. What is sent is checked in any case." },
            "options": { "type": "array", "maxItems": 1000, "items": { "$ref": "#/$defs/QuestionnaireOption" },
                "description": "What can be picked, for select, radio and multiselect." },
            "min": { "type": "number", "description": "The smallest number, for number." },
            "max": { "type": "number", "description": "The largest number, for number." },
            "step": { "type": "number",
                "description": "How far one step of the control goes, for number. No value is refused for it." },
            "minLength": { "type": "integer", "minimum": 0,
                "description": "The fewest characters (UTF-16 code units), for text and textarea." },
            "maxLength": { "type": "integer", "minimum": 0,
                "description": "The most characters (UTF-16 code units), for text and textarea." },
            "pattern": { "type": "string",
                "description": "A JavaScript regular expression, without flags, that must match somewhere in the value, for text and textarea.",
                "examples": ["^[^@\\s]+@[^@\\s]+$"] },
        },
        "required": ["id", "type", "label"],
    })
}

fn option_schema() -> Value {
    json!({
        "type": "object",
        "description": "Something that can be picked.",
        "properties": {
            "label": { "type": "string", "description": "What the user reads." },
            "value": { "type": "string", "description": "What you get for it." },
        },
        "required": ["label", "value"],
    })
}

fn outcome_schema() -> Value {
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "QuestionsAskResult",
        "description": "What came of the form.",
        "type": "object",
        "properties": {
            "ok": { "type": "boolean", "description": "Whether the user submitted the form." },
            "answers": { "$ref": "#/$defs/Answers" },
            "cancelled": { "const": true, "description": "The user dismissed the form." },
            "reason": { "type": "string", "description": "Why, in the user's words." },
            "error": { "description": "What went wrong.",
                "anyOf": [{ "type": "string" }, { "$ref": "#/$defs/ToolError" }] },
        },
        "required": ["ok"],
        "oneOf": [
            { "properties": { "ok": { "const": true } }, "required": ["answers"] },
            { "properties": { "ok": { "const": false } }, "required": ["cancelled"] },
            { "properties": { "ok": { "const": false } }, "required": ["error"] },
        ],
        "$defs": {
            "Answers": { "type": "object", "additionalProperties": true,
                "description": "The values by field id. A field that was left untouched may be missing." },
            "ToolError": {
                "type": "object",
                "description": "Why there is no result.",
                "properties": {
                    "code": { "type": "string", "description": "A word that programs test for.",
                        "examples": ["invalid_arguments", "tool_aborted"] },
                    "message": { "type": "string", "description": "What went wrong, in words." },
                },
                "required": ["code", "message"],
            },
        },
    })
}

#[cfg(test)]
mod tests;
