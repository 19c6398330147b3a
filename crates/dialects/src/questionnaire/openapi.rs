//! HTTP interface as one OpenAPI 3.0.3 document: the spec's, with the additional responses of our server.

use super::outcome::{CANCELLED as TAKEN_BACK_KIND, EXPIRED as EXPIRED_KIND, INVALID as INVALID_KIND};
use crate::schema::openapi::{COMPONENTS, add, put};
use crate::schema::{PublishedSchemas, UnsupportedFeature};
use serde_json::{Map, Value, json};

/// The spec's example with all types of question, as an asker sends it.
const EXAMPLE: &str = include_str!("full_example.json");
/// Body of the response to a declined questionnaire, which the dialect defines.
const CANCELLED: &str = "QuestionnaireCancelled";
/// Bodies of problems.
const INVALID: &str = "InvalidRequest";
const EXPIRED: &str = "AskExpired";
const TAKEN_BACK: &str = "AskCancelled";
const PROBLEM: &str = "Problem";
/// Members that every type of question has, and the types.
const BASE: &str = "BaseQuestion";
const BASE_MEMBERS: [&str; 6] = ["id", "label", "prompt", "constraints", "children", "showIf"];
const QUESTION_TYPES: [&str; 5] =
    ["SelectQuestion", "MultiSelectQuestion", "TextQuestion", "ConfirmQuestion", "RatingQuestion"];
/// Body with the address of a later outcome.
const LATER: &str = "Later";

/// Returns the document.
///
/// # Errors
/// Returns the keyword that OpenAPI cannot express.
pub(crate) fn openapi(published: &PublishedSchemas) -> Result<Value, UnsupportedFeature> {
    let mut schemas = Map::new();
    let request = add(&mut schemas, &published.request, "QuestionnaireParams")?;
    extract_base_question(&mut schemas);
    let result = add(&mut schemas, &published.outcome, "QuestionnaireResult")?;
    if !schemas.contains_key(CANCELLED) {
        return Err(UnsupportedFeature::at(CANCELLED, "there is no such definition"));
    }
    let wrong = problem_schema("A request that is wrong.", Some(INVALID_KIND), errors_schema());
    put(&mut schemas, INVALID, &wrong)?;
    let late = problem_schema("No one answered in time.", Some(EXPIRED_KIND), Value::Null);
    put(&mut schemas, EXPIRED, &late)?;
    let gone = problem_schema("The asker cancelled the question.", Some(TAKEN_BACK_KIND), Value::Null);
    put(&mut schemas, TAKEN_BACK, &gone)?;
    put(&mut schemas, LATER, &later_schema())?;
    put(&mut schemas, PROBLEM, &problem_schema("A problem in the form of RFC 9457.", None, Value::Null))?;
    let example: Value = serde_json::from_str(EXAMPLE).unwrap_or_default();
    Ok(json!({
        "openapi": "3.0.3",
        "info": {
            "title": "Questionnaire API",
            "version": "2.0.0",
            "description": "Asks a person a list of questions and waits for the answers: choices, texts, confirmations \
                and ratings, with follow-up questions and constraints.",
        },
        "servers": [{ "url": "/", "description": "The desk that serves this document." }],
        "paths": { "/questionnaire": { "post": operation_object(&request, &result) } },
        "components": {
            "securitySchemes": { "token": { "type": "http", "scheme": "bearer" } },
            "schemas": schemas,
            "examples": {
                "FullQuestionnaireExample": { "summary": "All five types of question", "value": example },
            },
        },
    }))
}

/// Moves the members that all types of question have to the spec's `BaseQuestion`, which each type refers to.
fn extract_base_question(schemas: &mut Map<String, Value>) {
    let mut properties = Map::new();
    for name in QUESTION_TYPES {
        let Some(Value::Object(question)) = schemas.get_mut(name) else { continue };
        let mut own = Map::from_iter([("type".to_owned(), json!("object"))]);
        let mut members = match question.remove("properties") {
            Some(Value::Object(members)) => members,
            _ => Map::new(),
        };
        for name in BASE_MEMBERS {
            properties.extend(members.remove(name).map(|schema| (name.to_owned(), schema)));
        }
        if let Some(Value::Array(mut required)) = question.remove("required") {
            required.retain(|name| !BASE_MEMBERS.contains(&name.as_str().unwrap_or_default()));
            own.insert("required".to_owned(), required.into());
        }
        own.insert("properties".to_owned(), members.into());
        question.remove("type");
        question.insert("allOf".to_owned(), json!([{ "$ref": format!("{COMPONENTS}{BASE}") }, own]));
    }
    let base = json!({
        "type": "object",
        "description": "The members that every type of question has.",
        "required": ["id", "label", "prompt"],
        "properties": properties,
    });
    schemas.insert(BASE.to_owned(), base);
}

fn operation_object(request: &str, result: &str) -> Value {
    json!({
        "operationId": "executeQuestionnaire",
        "summary": "Ask a questionnaire",
        "description": "The response comes when a person has answered or declined.",
        "security": [{ "token": [] }],
        "parameters": [
            header_parameter("Prefer", "respond-async where the caller cannot wait: the response comes at once then, with the \
                place of the outcome."),
            header_parameter("Idempotency-Key", "What this request is called: the same name finds what it asked, however it \
                ended."),
        ],
        "requestBody": {
            "required": true,
            "content": { "application/json": {
                "schema": { "$ref": request },
                "examples": {
                    "FullQuestionnaireExample": { "$ref": "#/components/examples/FullQuestionnaireExample" },
                },
            } },
        },
        "responses": {
            "200": response_body("A person answered.", "application/json", result),
            "202": response_body("The ask is created.", "application/json", &format!("{COMPONENTS}{LATER}")),
            "400": problem_body("The request is wrong: each problem with its place.", INVALID),
            "401": problem_body("There is no token, or not a right one.", PROBLEM),
            "403": problem_body("The token is not one of an asker.", PROBLEM),
            "408": problem_body("The deadline passed without an answer.", EXPIRED),
            "410": problem_body("The asker cancelled the question.", TAKEN_BACK),
            "413": problem_body("The request is too large.", PROBLEM),
            "415": problem_body("The request is not application/json.", PROBLEM),
            "422": problem_body("The Idempotency-Key was already used for another request.", PROBLEM),
            "429": problem_body("Too often, or too much is asked at once.", PROBLEM),
            "499": response_body("A person declined.", "application/json", &format!("{COMPONENTS}{CANCELLED}")),
            "503": problem_body("The server ends or the desk is busy. The same request finds what it asked.", PROBLEM),
        },
    })
}

fn header_parameter(name: &str, description: &str) -> Value {
    json!({ "name": name, "in": "header", "description": description, "schema": { "type": "string" } })
}

fn problem_body(description: &str, schema: &str) -> Value {
    response_body(description, "application/problem+json", &format!("{COMPONENTS}{schema}"))
}

fn response_body(description: &str, kind: &str, schema: &str) -> Value {
    json!({ "description": description, "content": { kind: { "schema": { "$ref": schema } } } })
}

/// Returns the schema of a problem (RFC 9457) of this kind, with members of its own.
fn problem_schema(description: &str, kind: Option<(&str, u16)>, own: Value) -> Value {
    let word = "What kind of problem it is: a relative reference.";
    let number = "The HTTP status.";
    let (kind, status) = match kind {
        Some((kind, status)) => (
            json!({ "type": "string", "enum": [kind], "description": word }),
            json!({ "type": "integer", "enum": [status], "description": number }),
        ),
        None => (
            json!({ "type": "string", "format": "uri-reference", "description": word }),
            json!({ "type": "integer", "description": number }),
        ),
    };
    let title = json!({ "type": "string", "description": "The same in words." });
    let mut required = vec!["type", "title", "status"];
    let mut properties = Map::from_iter([
        ("type".to_owned(), kind),
        ("title".to_owned(), title),
        ("status".to_owned(), status),
    ]);
    if let Value::Object(own) = own {
        properties.extend(own);
        required.push("errors");
    }
    json!({ "type": "object", "description": description, "required": required, "properties": properties })
}

/// Returns the schema of the address of a later outcome.
fn later_schema() -> Value {
    json!({
        "type": "object",
        "description": "Where the outcome is to be had later.",
        "required": ["ask", "outcome"],
        "properties": {
            "ask": { "type": "string", "format": "uuid", "description": "What was asked." },
            "outcome": {
                "type": "string",
                "format": "uri-reference",
                "description": "Where to wait for it: with ?wait=SECONDS, or as a stream of events.",
            },
        },
    })
}

/// Returns the schema of the list of problems of a request.
fn errors_schema() -> Value {
    let string = |description: &str| json!({ "type": "string", "description": description });
    json!({ "errors": {
        "type": "array",
        "minItems": 1,
        "description": "Everything that is wrong.",
        "items": {
            "type": "object",
            "required": ["pointer", "path", "code", "detail"],
            "properties": {
                "pointer": string("Where, as a JSON pointer (RFC 6901); empty for the whole request."),
                "path": string("The same place as JavaScript writes it: questions[0].prompt."),
                "code": string("What kind of problem it is, for programs."),
                "detail": string("What is wrong, for people."),
                "hint": string("How to fix it, if known."),
            },
        },
    } })
}
