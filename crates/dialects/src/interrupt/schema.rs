//! Published schemas: the tool with which an agent asks, and the types of the spec's section on data types.

use super::spec::ASK_USER;
use crate::schema::{PublishedSchemas, ToolDefinition, ZodCheck};
use sayso_core::{Rules, limits};
use serde_json::{Value, json};

const DRAFT: &str = "https://json-schema.org/draft/2020-12/schema";

const DESCRIPTION: &str = "Ask the person one or more questions and wait for the answers. Use it when a decision is \
    theirs to make, when something you need to know is missing, or before work that would be costly to undo. Each \
    question is answered with one of its options; where the options may not cover it, add one with allow_custom, so \
    that the person can type an answer. The result is a JSON array of strings in the order of the questions: the value \
    of the option chosen, or the text that was typed. If the person declines, the result says so, with the reason if \
    there is one; then do not ask the same again.";

/// Returns the published schemas of the dialect.
pub(crate) fn published() -> PublishedSchemas {
    PublishedSchemas {
        request: request_schema(),
        outcome: outcome_schema(),
        tool: ToolDefinition { name: ASK_USER, description: DESCRIPTION },
        checks: checks(),
        strips_unknown: false,
        length_unit: Rules::default().length_unit,
        openapi: None,
    }
}

fn request_schema() -> Value {
    json!({
        "$schema": DRAFT,
        "title": "AskUser",
        "description": "Questions for a person: the arguments of ask_user, or an interrupt that has questions. An \
            interrupt without questions, which asks for a decision, is an Interrupt.",
        "type": "object",
        "properties": { "questions": questions_schema() },
        "required": ["questions"],
        "$defs": {
            "Question": question_schema(),
            "QuestionOption": question_option_schema(),
            "Interrupt": interrupt_schema(),
            "InterruptOption": interrupt_option_schema(),
            "ActionRequest": action_request_schema(),
            "ResumeRequest": resume_request_schema(),
        },
    })
}

fn questions_schema() -> Value {
    json!({
        "description": "The questions, in the order asked. The answers come back in the same order.",
        "type": "array",
        "items": { "$ref": "#/$defs/Question" },
        "minItems": 1,
        "maxItems": limits::QUESTIONS,
    })
}

fn question_schema() -> Value {
    json!({
        "description": "One question with the options to choose from.",
        "type": "object",
        "properties": {
            "question": {
                "description": "What is asked, as a whole sentence that can be understood by itself.",
                "type": "string",
                "examples": ["Which colour should the button have?"],
            },
            "options": {
                "description": "What can be chosen, in the order shown. One of them is.",
                "type": "array",
                "items": { "$ref": "#/$defs/QuestionOption" },
                "minItems": 1,
                "maxItems": limits::OPTIONS,
            },
        },
        "required": ["question", "options"],
    })
}

fn question_option_schema() -> Value {
    json!({
        "description": "One option of a question.",
        "type": "object",
        "properties": {
            "label": { "description": "What the person reads.", "type": "string", "examples": ["Red"] },
            "value": {
                "description": "What you get when this is chosen. Where the person types an answer, you get the text \
                    instead.",
                "type": "string",
                "examples": ["red", "__custom__"],
            },
            "allow_custom": {
                "description": "Whether choosing this lets the person type an answer. At most one option of a \
                    question should.",
                "type": "boolean",
                "default": false,
            },
        },
        "required": ["label", "value"],
    })
}

/// Returns the schema of a member that may be null, which counts as missing.
fn nullable_schema(description: &str, value: &Value) -> Value {
    json!({ "description": description, "anyOf": [value, { "type": "null" }] })
}

fn interrupt_schema() -> Value {
    let text = json!({ "type": "string" });
    let requests = json!({ "type": "array", "items": { "$ref": "#/$defs/ActionRequest" }, "maxItems": 1 });
    let requests = nullable_schema(
        "The call that waits for the decision. Each call has an interrupt of its own.",
        &requests,
    );
    let data = json!({ "type": "object", "properties": { "action_requests": requests } });
    let option = json!({ "$ref": "#/$defs/InterruptOption" });
    let options = json!({ "type": "array", "items": option, "maxItems": limits::OPTIONS });
    let question = json!({ "$ref": "#/$defs/Question" });
    let questions = json!({ "type": "array", "items": question, "maxItems": limits::QUESTIONS });
    json!({
        "description": "The data of an interrupt event. With questions it is answered; without, it is a decision \
            whether to go on with what info, taskName and data say.",
        "type": "object",
        "properties": {
            "info": nullable_schema("What is going on, in a sentence.", &text),
            "taskName": nullable_schema("What the task is called.", &text),
            "data": nullable_schema("What the agent's runtime says of the call.", &data),
            "options": nullable_schema("What the choices of a decision are called.", &options),
            "questions": nullable_schema("The questions; null or empty for a decision.", &questions),
        },
    })
}

fn interrupt_option_schema() -> Value {
    let text = json!({ "type": "string" });
    json!({
        "description": "A choice of a decision. Give the one that goes on the value continue and the others the value \
            cancel, under labels that say the same. Other words for yes and no are understood as values and as labels; \
            exactly one choice must clearly agree.",
        "anyOf": [
            { "type": "string" },
            {
                "type": "object",
                "properties": {
                    "label": { "description": "What the person reads.", "type": "string" },
                    "value": nullable_schema("What it stands for: continue or cancel.", &text),
                },
                "required": ["label"],
            },
        ],
    })
}

fn action_request_schema() -> Value {
    json!({
        "description": "A tool call that waits for a decision.",
        "type": "object",
        "properties": {
            "name": { "description": "The tool.", "type": "string" },
            "args": nullable_schema("What it would be given.", &json!({ "type": "object" })),
        },
        "required": ["name"],
    })
}

fn resume_request_schema() -> Value {
    let answers = json!({ "type": "array", "items": { "type": "string" } });
    json!({
        "description": "What a client sends to resume a thread.",
        "type": "object",
        "properties": {
            "action": {
                "description": "answer for questions; continue or cancel for a decision; cancel also declines \
                    questions.",
                "enum": ["continue", "cancel", "answer"],
            },
            "answers": nullable_schema("With answer: an answer to each question, in their order.", &answers),
            "reason": { "description": "With cancel: why, for the agent. It may be left out.", "type": "string" },
        },
        "required": ["action"],
    })
}

fn outcome_schema() -> Value {
    json!({
        "$schema": DRAFT,
        "title": "AskUserResult",
        "description": "What the asker gets: the answers, or the decision of an interrupt without questions. Who \
            declines the questions decides too.",
        "anyOf": [{ "$ref": "#/$defs/Answers" }, { "$ref": "#/$defs/Decision" }],
        "$defs": {
            "Answers": {
                "description": "An answer to each question, in their order: the value of an option, or typed text.",
                "type": "array",
                "items": { "type": "string" },
            },
            "Decision": {
                "description": "Whether to go on.",
                "type": "object",
                "properties": {
                    "action": {
                        "description": "continue to go on, cancel not to.",
                        "enum": ["continue", "cancel"],
                    },
                    "reason": { "description": "Why not, where the person said.", "type": "string" },
                },
                "required": ["action"],
            },
        },
    })
}

fn checks() -> Vec<ZodCheck> {
    vec![
        ZodCheck {
            definition: "Interrupt",
            zod: r#"const words = [value.info, value.taskName].some((text) => text?.trim());
if (!words && !value.questions?.length && !value.data?.action_requests?.length) {
  ctx.addIssue({ code: "custom", path: ["questions"], message: "nothing is asked" });
}"#,
        },
        ZodCheck {
            definition: "ResumeRequest",
            zod: r#"if (value.action === "answer" && !value.answers?.length) {
  ctx.addIssue({ code: "custom", path: ["answers"], message: "answers is required when action is 'answer'" });
}"#,
        },
    ]
}

#[cfg(test)]
mod tests {
    use super::{DRAFT, published};
    use crate::interrupt::reader::read;
    use crate::interrupt::resume::ResumeRequest;
    use jsonschema::Validator;
    use serde_json::{Value, json};

    fn schema(part: &str) -> Validator {
        let mut schema = published().request;
        assert_eq!(schema["$schema"], DRAFT);
        if !part.is_empty() {
            schema = json!({ "$schema": DRAFT, "$ref": format!("#/$defs/{part}"), "$defs": schema["$defs"] });
        }
        jsonschema::draft202012::new(&schema).unwrap()
    }

    /// Returns requests, and whether each is valid; a decision has no questions.
    fn requests() -> Vec<(Value, bool)> {
        let options = json!([{ "label": "Red", "value": "red", "more": 1 }]);
        let asked = |question: Value| json!({ "questions": [question] });
        let data = json!({ "action_requests": [{ "name": "execute", "args": { "command": "ls" } }] });
        vec![
            (asked(json!({ "question": "Q?", "options": options })), true),
            (
                json!({ "info": "i", "taskName": null, "questions": [{ "question": "", "options": options }] }),
                true,
            ),
            (asked(json!({ "question": "Q?", "options": [] })), false),
            (asked(json!({ "question": "Q?" })), false),
            (asked(json!({ "options": options })), false),
            (asked(json!({ "question": "Q?", "options": [{ "label": "Red" }] })), false),
            (
                asked(
                    json!({ "question": "Q?", "options": [{ "label": "R", "value": "r", "allow_custom": 1 }] }),
                ),
                false,
            ),
            (asked(json!("Q?")), false),
            (json!({ "questions": "Q?" }), false),
            (json!({ "info": "i", "data": data, "questions": null }), true),
            (json!({ "taskName": "t", "options": ["Go", { "label": "Stop" }] }), true),
            (json!({ "taskName": "t", "options": [1] }), false),
            (json!({ "taskName": "t", "data": [] }), false),
            (json!({ "taskName": 1 }), false),
            (json!({ "data": { "action_requests": [{ "args": {} }] } }), false),
            (json!({ "data": { "action_requests": [{ "name": "a" }, { "name": "b" }] } }), false),
        ]
    }

    #[test]
    fn schema_accepts_what_reader_accepts() {
        let (asks, decides) = (schema(""), schema("Interrupt"));
        for (request, is_right) in requests() {
            assert_eq!(read(&request.to_string()).is_ok(), is_right, "{request}");
            assert_eq!(asks.is_valid(&request) || decides.is_valid(&request), is_right, "{request}");
            let has_questions = request["questions"].as_array().is_some_and(|items| !items.is_empty());
            assert!(asks.is_valid(&request) <= has_questions, "{request}");
        }
    }

    #[test]
    fn resume_schema_matches_reader() {
        let schema = schema("ResumeRequest");
        let bodies = [
            (json!({ "action": "cancel", "answers": null }), true),
            (json!({ "action": "answer", "answers": ["a"] }), true),
            (json!({ "action": "answer", "answers": [1] }), false),
            (json!({ "action": "go" }), false),
            (json!({ "answers": ["a"] }), false),
        ];
        for (body, is_right) in bodies {
            assert_eq!(schema.is_valid(&body), is_right, "{body}");
            let read = ResumeRequest::from_body(&body);
            assert_eq!(read.is_ok_and(|request| request.action().is_ok()), is_right, "{body}");
        }
        // A check covers required answers, which the schema cannot express.
        assert!(schema.is_valid(&json!({ "action": "answer" })));
        let checked: Vec<_> = published().checks.iter().map(|check| check.definition).collect();
        assert_eq!(checked, ["Interrupt", "ResumeRequest"]);
    }

    #[test]
    fn every_member_is_described() {
        fn walk(schema: &Value, at: &str) {
            if let Some(members) = schema.get("properties").and_then(Value::as_object) {
                for (name, member) in members {
                    assert!(member["description"].is_string(), "{at}/{name}");
                }
            }
            match schema {
                Value::Object(members) => {
                    members.iter().for_each(|(name, part)| walk(part, &format!("{at}/{name}")));
                }
                Value::Array(parts) => parts.iter().for_each(|part| walk(part, at)),
                _ => {}
            }
        }
        let published = published();
        walk(&published.request, "request");
        walk(&published.outcome, "outcome");
        assert_eq!(published.tool.name, "ask_user");
        assert!(published.tool.description.contains("allow_custom"));
    }
}
