//! Published schemas: the spec's, by their names. `Answer` is defined so that exactly one kind of it matches.

mod outcome;

use super::constraints::MAX_CONSTRAINTS;
use super::messages::{NO_LABEL, YES_LABEL};
use super::openapi;
use super::spec::{MIN_MAX_SELECT, SCALE, spec_rules};
use crate::schema::{PublishedSchemas, ToolDefinition, ZodCheck};
use sayso_core::limits;
use sayso_core::pattern::budget;
use serde_json::{Map, Value, json};

const ID: &str =
    "Identifies the question; its answer comes back under this name. No two questions have the same.";
const MAX_SELECT: &str = "How many may be picked at most, the person's own answer included; 2 or more.";
const OPTIONS: &str =
    "What can be picked, in the order shown. An own answer is always offered after the last.";
const CHILDREN: &str = "Questions that follow this one up, asked right after it once it is answered, or only for the \
    answer that their showIf names. They may have children themselves, up to 16 levels deep.";
const PATTERN: &str = "A JavaScript regular expression without slashes and flags, of at most 1000 characters, which \
    matches anywhere unless it has ^ and $. There are at most 200 in one call.";

/// Returns the published schemas of the dialect.
pub(crate) fn published() -> PublishedSchemas {
    PublishedSchemas {
        request: request_schema(),
        outcome: outcome::outcome_schema(),
        tool: ToolDefinition {
            name: "questionnaire",
            description: "Ask the person questions and wait for the answers: one or several of some options, a text, \
                yes or no, a rating from 1 to 5. Every question that is asked must be answered, and an own answer can \
                always be typed instead of an option. Put all you need to know into one call, and use children for \
                questions that only some answers call for.",
        },
        checks: checks(),
        strips_unknown: false,
        length_unit: spec_rules().length_unit,
        openapi: Some(openapi),
    }
}

/// Check of the whole request: unique ids, and the limits on questions, patterns and depth.
const WHOLE: &str = r#"
const issue = (path, message) => ctx.addIssue({ code: "custom", path, message });
const seen = new Set();
let [count, patterns] = [0, 0];
const look = (questions, path, depth) => questions.forEach((question, index) => {
  const here = [...path, index];
  count += 1;
  if (seen.has(question.id)) issue([...here, "id"], `Duplicate id "${question.id}".`);
  seen.add(question.id);
  if (depth > 16) issue(here, "Follow-up questions are nested more than 16 levels deep.");
  const constraints = question.type === "text" ? question.constraints ?? [] : [];
  patterns += constraints.filter((constraint) => constraint.type === "pattern").length;
  look(question.children ?? [], [...here, "children"], depth + 1);
});
look(value.questions, ["questions"], 0);
if (count > 1000) issue(["questions"], "At most 1000 questions are allowed, children included.");
if (patterns > 200) issue(["questions"], "At most 200 patterns are allowed.");
"#;

/// Check of a text question's patterns, the only ones that are compiled.
const TEXT: &str = r#"
(value.constraints ?? []).forEach((constraint, index) => {
  if (constraint.type !== "pattern") return;
  try { new RegExp(constraint.value); } catch (error) {
    ctx.addIssue({ code: "custom", path: ["constraints", index, "value"], message: String(error) });
  }
});
"#;

const _: () = assert!(limits::NESTING == 16 && limits::QUESTIONS == 1_000 && budget::PATTERNS == 200);

fn checks() -> Vec<ZodCheck> {
    vec![ZodCheck { definition: "", zod: WHOLE }, ZodCheck { definition: "TextQuestion", zod: TEXT }]
}

fn request_schema() -> Value {
    json!({
        "title": "QuestionnaireParams",
        "description": "Questions for a person, asked together and answered together.",
        "type": "object",
        "required": ["questions"],
        "properties": { "questions": {
            "description": "The questions, in the order asked. With all their children there are at most 1000.",
            "type": "array", "minItems": 1, "maxItems": limits::QUESTIONS,
            "items": { "$ref": "#/$defs/Question" },
        } },
        "$defs": {
            "Question": {
                "description": "A question of one of five types.",
                "oneOf": [
                    { "$ref": "#/$defs/SelectQuestion" },
                    { "$ref": "#/$defs/MultiSelectQuestion" },
                    { "$ref": "#/$defs/TextQuestion" },
                    { "$ref": "#/$defs/ConfirmQuestion" },
                    { "$ref": "#/$defs/RatingQuestion" },
                ],
            },
            "Constraint": constraint_schema(),
            "Option": option_schema(),
            "SelectQuestion": select_schema(),
            "MultiSelectQuestion": multi_select_schema(),
            "TextQuestion": text_schema(),
            "ConfirmQuestion": confirm_schema(),
            "RatingQuestion": rating_schema(),
        },
    })
}

fn with_description(description: &str, mut of: Value) -> Value {
    if let Some(members) = of.as_object_mut() {
        members.insert("description".to_owned(), description.into());
    }
    of
}

fn string_schema(description: &str) -> Value {
    json!({ "type": "string", "description": description })
}

/// Returns the spec's `BaseQuestion` with the members of a type and the names of the required ones.
fn question_schema(name: &str, description: &str, required: &[&str], own: Value) -> Value {
    let mut properties = Map::new();
    properties
        .insert("id".to_owned(), json!({ "type": "string", "description": ID, "examples": ["language"] }));
    properties
        .insert("type".to_owned(), json!({ "const": name, "description": format!("Always `{name}`.") }));
    properties.insert("label".to_owned(), string_schema("A short name for tabs and lists."));
    properties.insert("prompt".to_owned(), string_schema("The question itself, in full."));
    if let Value::Object(own) = own {
        properties.extend(own);
    }
    let base = json!({
        "constraints": {
            "description": "What an answer must be like, checked in this order; the first that fails is reported.",
            "type": "array", "maxItems": MAX_CONSTRAINTS, "items": { "$ref": "#/$defs/Constraint" },
        },
        "showIf": {
            "description": "In children only: the answer to the parent that this question is asked for.",
            "type": "object",
            "required": ["value"],
            "properties": { "value": string_schema(
                "An option's value or an own answer; for a confirmation true, false or the button's label; for a rating \
                 the number as text; for a text exactly that text.",
            ) },
        },
        "children": {
            "description": CHILDREN, "type": "array", "maxItems": limits::QUESTIONS,
            "items": { "$ref": "#/$defs/Question" },
        },
    });
    if let Value::Object(base) = base {
        properties.extend(base);
    }
    let required: Vec<_> = ["id", "type", "label", "prompt"].iter().chain(required).collect();
    json!({ "type": "object", "description": description, "required": required, "properties": properties })
}

fn select_schema() -> Value {
    let own = json!({
        "maxSelect": { "const": 1, "description": "Always 1: one is picked." },
        "options": options_schema(),
    });
    question_schema("select", "A choice of one option, or an own answer.", &["maxSelect", "options"], own)
}

fn multi_select_schema() -> Value {
    let own = json!({
        "maxSelect": {
            "type": "integer", "minimum": MIN_MAX_SELECT, "description": MAX_SELECT, "examples": [3],
        },
        "options": options_schema(),
    });
    let description = "A choice of several options; an own answer may be one of them.";
    question_schema("multiSelect", description, &["maxSelect", "options"], own)
}

fn options_schema() -> Value {
    json!({
        "type": "array", "description": OPTIONS, "minItems": 1, "maxItems": limits::OPTIONS,
        "items": { "$ref": "#/$defs/Option" },
    })
}

fn text_schema() -> Value {
    let flag = json!({ "type": "boolean", "default": false });
    let own = json!({
        "placeholder": string_schema("An example of what to type, shown in the empty field and never sent."),
        "multiline": with_description("Whether several lines are expected.", flag),
    });
    question_schema("text", "A text to be typed.", &[], own)
}

fn confirm_schema() -> Value {
    let own = json!({
        "yesLabel": { "type": "string", "default": YES_LABEL, "description": "What is on the button for yes." },
        "noLabel": { "type": "string", "default": NO_LABEL, "description": "What is on the button for no." },
    });
    question_schema("confirm", "A yes or a no. Until one is chosen it is neither.", &[], own)
}

fn rating_schema() -> Value {
    let (min, max) = SCALE;
    let own = json!({
        "range": {
            "type": "object", "description": "The scale.", "required": ["min", "max"],
            "properties": {
                "min": { "const": min, "description": "Always 1." },
                "max": { "const": max, "description": "Always 5." },
            },
        },
        "showEmoji": {
            "type": "boolean", "default": false, "description": "Whether faces are shown along the scale.",
        },
        "annotations": {
            "type": "object", "description": "What single steps mean, by their number.",
            "additionalProperties": { "type": "string" },
            "examples": [{ "1": "Poor", "5": "Excellent" }],
        },
    });
    question_schema("rating", "A whole number from 1 to 5. Until one is chosen it is none.", &["range"], own)
}

fn constraint_schema() -> Value {
    let shape = |types: Value, value: Option<Value>| {
        let mut properties = Map::new();
        properties.insert("type".to_owned(), with_description("What is demanded.", types));
        let mut required = vec!["type", "message"];
        if let Some(value) = value {
            properties.insert("value".to_owned(), value);
            required.push("value");
        }
        properties
            .insert("message".to_owned(), string_schema("Message shown to the person if the answer fails."));
        json!({ "type": "object", "required": required, "properties": properties })
    };
    let count = json!({
        "type": "integer", "minimum": 1,
        "description": "How many options for minSelect and maxSelect; how many characters for minLength and maxLength.",
    });
    json!({
        "description": "What an answer must be like. minSelect and maxSelect count options, minLength, maxLength and \
            pattern judge texts, and required has the words for a missing answer.",
        "oneOf": [
            shape(json!({ "const": "required" }), None),
            shape(json!({ "enum": ["minSelect", "maxSelect", "minLength", "maxLength"] }), Some(count)),
            shape(json!({ "const": "pattern" }), Some(json!({
                "type": "string", "maxLength": budget::PATTERN_CHARS, "description": PATTERN,
            }))),
        ],
    })
}

fn option_schema() -> Value {
    json!({
        "description": "Something that can be picked.",
        "type": "object",
        "required": ["value", "label"],
        "properties": {
            "value": string_schema("What comes back for it."),
            "label": string_schema("What the person reads."),
            "description": string_schema("What it means, shown under the label."),
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::questionnaire;
    use std::path::Path;

    fn vectors() -> Vec<(String, Value)> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vectors/questionnaire");
        let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        entries
            .map(|path| {
                let text = std::fs::read_to_string(&path).unwrap();
                (path.display().to_string(), serde_json::from_str(&text).unwrap())
            })
            .collect()
    }

    #[test]
    fn schema_accepts_readable_requests() {
        let schema = jsonschema::draft202012::new(&published().request).unwrap();
        let mut count = 0;
        for (name, vector) in vectors() {
            let request = if vector["kind"] == "answers" { &vector["request"] } else { &vector["input"] };
            let is_across = vector["acrossMembers"] == true;
            let is_read = questionnaire::reader::read(&request.to_string()).is_ok();
            let is_valid = schema.is_valid(request);
            assert!(is_valid == is_read || (is_across && is_valid), "{name}: the schema says {is_valid}");
            count += 1;
        }
        assert!(count >= 70, "{count}");
    }

    #[test]
    fn schema_accepts_written_outcomes() {
        let schema = jsonschema::draft202012::new(&published().outcome).unwrap();
        let mut count = 0;
        for (name, vector) in vectors() {
            let outcome = &vector["expect"]["result"];
            if outcome.is_object() {
                assert!(schema.is_valid(outcome), "{name}: {:?}", schema.iter_errors(outcome).next());
                count += 1;
            }
        }
        assert!(count > 20, "{count}");
        let declined = json!({ "cancelled": true, "message": "User cancelled the questionnaire" });
        assert!(schema.is_valid(&declined));
        let answered =
            |answer: Value| json!({ "answers": { "q": answer }, "submittedAt": "2026-01-02T03:04:05.000Z" });
        for wrong in [
            json!({}),
            json!({ "label": "A" }),
            json!({ "value": 6 }),
            json!({ "confirmed": 1, "label": "A" }),
        ] {
            assert!(!schema.is_valid(&answered(wrong.clone())), "{wrong}");
        }
    }

    #[test]
    fn every_member_is_described() {
        fn look(value: &Value, at: &str) {
            if let Some(properties) = value.get("properties").and_then(Value::as_object) {
                for (name, member) in properties {
                    assert!(member["description"].is_string(), "{at}/{name} has no description");
                }
            }
            match value {
                Value::Object(members) => {
                    members.iter().for_each(|(name, part)| look(part, &format!("{at}/{name}")));
                }
                Value::Array(parts) => parts.iter().for_each(|part| look(part, at)),
                _ => {}
            }
        }
        look(&published().request, "");
        look(&published().outcome, "");
    }
}
