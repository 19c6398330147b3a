//! The HTTP interface of the Questionnaire API as one OpenAPI 3.0.3 document. Its schemas are the dialect's own,
//! rewritten: 3.0.3 has an older JSON Schema of its own kind.

use super::read::FORMATS;
use super::{Published, Unsupported, pretty};
use serde_json::{Map, Value, json};

/// The spec's example with all types of question, as an asker sends it.
const EXAMPLE: &str = include_str!("full_example.json");
/// The body that says that a person declined, which the dialect defines.
const CANCELLED: &str = "QuestionnaireCancelled";
/// The bodies of problems.
const INVALID: &str = "InvalidRequest";
const EXPIRED: &str = "AskExpired";
const TAKEN_BACK: &str = "AskCancelled";
const PROBLEM: &str = "Problem";
/// The body that says where the outcome will be.
const LATER: &str = "Later";
/// Where definitions stand.
const DEFINITIONS: &str = "#/$defs/";
/// Where they stand in OpenAPI.
const COMPONENTS: &str = "#/components/schemas/";

/// The document.
pub(super) fn write(published: &Published) -> Result<String, Unsupported> {
    let mut schemas = Map::new();
    let request = add(&mut schemas, &published.request, "QuestionnaireParams")?;
    let result = add(&mut schemas, &published.outcome, "QuestionnaireResult")?;
    if !schemas.contains_key(CANCELLED) {
        return Err(Unsupported::at(CANCELLED, "there is no such definition"));
    }
    let wrong = problem("A request that is wrong.", Some(("invalid-request", 400)), errors());
    put(&mut schemas, INVALID, &wrong)?;
    let late = problem("Nobody answered in time.", Some(("ask-expired", 408)), Value::Null);
    put(&mut schemas, EXPIRED, &late)?;
    let gone = problem("The asker took the question back.", Some(("ask-cancelled", 410)), Value::Null);
    put(&mut schemas, TAKEN_BACK, &gone)?;
    put(&mut schemas, LATER, &later())?;
    put(&mut schemas, PROBLEM, &problem("A problem in the form of RFC 9457.", None, Value::Null))?;
    let example: Value = serde_json::from_str(EXAMPLE).unwrap_or_default();
    Ok(pretty::write(&json!({
        "openapi": "3.0.3",
        "info": {
            "title": "Questionnaire API",
            "version": "2.0.0",
            "description": "Asks a person a list of questions and waits for the answers: choices, texts, confirmations \
                and ratings, with follow-up questions and constraints.",
        },
        "paths": { "/questionnaire": { "post": operation(&request, &result) } },
        "components": {
            "securitySchemes": { "token": { "type": "http", "scheme": "bearer" } },
            "schemas": schemas,
            "examples": {
                "FullQuestionnaireExample": { "summary": "All five types of question", "value": example },
            },
        },
    })))
}

fn operation(request: &str, result: &str) -> Value {
    json!({
        "operationId": "executeQuestionnaire",
        "summary": "Ask a questionnaire",
        "description": "The response comes when a person has answered or declined.",
        "security": [{ "token": [] }],
        "parameters": [
            header("Prefer", "respond-async where the caller cannot wait: the response comes at once then, with the \
                place of the outcome."),
            header("Idempotency-Key", "What this request is called: the same name finds what it asked, however it \
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
            "200": body("A person answered.", "application/json", result),
            "202": body("It is asked.", "application/json", &format!("{COMPONENTS}{LATER}")),
            "400": trouble("The request is wrong: each problem with its place.", INVALID),
            "401": trouble("There is no token, or not a right one.", PROBLEM),
            "403": trouble("The token is not one of an asker.", PROBLEM),
            "408": trouble("The deadline passed without an answer.", EXPIRED),
            "410": trouble("The asker took the question back.", TAKEN_BACK),
            "413": trouble("The request is too large.", PROBLEM),
            "415": trouble("The request is not application/json.", PROBLEM),
            "422": trouble("The Idempotency-Key stands for another request.", PROBLEM),
            "429": trouble("Too often, or too much is asked at once.", PROBLEM),
            "499": body("A person declined.", "application/json", &format!("{COMPONENTS}{CANCELLED}")),
            "503": trouble("The server ends or the desk is busy. The same request finds what it asked.", PROBLEM),
        },
    })
}

fn header(name: &str, description: &str) -> Value {
    json!({ "name": name, "in": "header", "description": description, "schema": { "type": "string" } })
}

fn trouble(description: &str, schema: &str) -> Value {
    body(description, "application/problem+json", &format!("{COMPONENTS}{schema}"))
}

fn body(description: &str, kind: &str, schema: &str) -> Value {
    json!({ "description": description, "content": { kind: { "schema": { "$ref": schema } } } })
}

/// The body of a problem (RFC 9457) of this kind, with members of its own.
fn problem(description: &str, kind: Option<(&str, u16)>, own: Value) -> Value {
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

/// Where the outcome is to be had.
fn later() -> Value {
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

/// What is wrong with a request, one by one.
fn errors() -> Value {
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
                "hint": string("What to do about it, where that can be said."),
            },
        },
    } })
}

/// Adds a schema with its definitions, and says where it stands. A definition that has its name already is the whole.
fn add(schemas: &mut Map<String, Value>, schema: &Value, name: &str) -> Result<String, Unsupported> {
    let definitions = schema.get("$defs").and_then(Value::as_object).cloned().unwrap_or_default();
    if !definitions.contains_key(name) {
        let mut root = schema.clone();
        if let Value::Object(keywords) = &mut root {
            ["$schema", "$defs", "title"].iter().for_each(|keyword| drop(keywords.remove(*keyword)));
        }
        put(schemas, name, &rewritten(&root, &definitions, name)?)?;
    }
    for (name, definition) in &definitions {
        put(schemas, name, &rewritten(definition, &definitions, name)?)?;
    }
    Ok(format!("{COMPONENTS}{name}"))
}

fn put(schemas: &mut Map<String, Value>, name: &str, schema: &Value) -> Result<(), Unsupported> {
    let there = schemas.entry(name).or_insert_with(|| schema.clone());
    if there == schema {
        return Ok(());
    }
    Err(Unsupported::at(name, "request and outcome mean different things"))
}

fn rewritten(schema: &Value, definitions: &Map<String, Value>, place: &str) -> Result<Value, Unsupported> {
    let inner = |schema: &Value| rewritten(schema, definitions, place);
    let Value::Object(keywords) = schema else { return Ok(schema.clone()) };
    let mut new = Map::new();
    for (name, value) in keywords {
        let value = match (name.as_str(), value) {
            ("properties", Value::Object(members)) => {
                let members = members.iter().map(|(name, schema)| Ok((name.clone(), inner(schema)?)));
                Value::Object(members.collect::<Result<_, _>>()?)
            }
            ("items" | "additionalProperties", schema) => inner(schema)?,
            ("oneOf" | "anyOf", Value::Array(schemas)) => {
                new.extend(
                    discriminator(schemas, definitions).map(|found| ("discriminator".to_owned(), found)),
                );
                Value::Array(schemas.iter().map(inner).collect::<Result<_, _>>()?)
            }
            ("$ref" | "const" | "examples" | "exclusiveMinimum", value) => {
                new.extend(older(name, value));
                continue;
            }
            ("format", Value::String(name)) if FORMATS.contains(&name.as_str()) => value.clone(),
            (
                "type" | "required" | "enum" | "minItems" | "maxItems" | "minLength" | "maxLength"
                | "minimum" | "maximum" | "pattern" | "default" | "description" | "title",
                value,
            ) if !value.is_array() || name != "type" => value.clone(),
            (name, _) => return Err(Unsupported::at(place, format_args!("the keyword {name} in OpenAPI"))),
        };
        new.insert(name.clone(), value);
    }
    // Nothing may stand beside a reference, so it stands in a list of its own.
    match new.remove("$ref") {
        Some(reference) if new.is_empty() => Ok(json!({ "$ref": reference })),
        Some(reference) => {
            new.insert("allOf".to_owned(), json!([{ "$ref": reference }]));
            Ok(Value::Object(new))
        }
        None => Ok(Value::Object(new)),
    }
}

/// What 3.0.3 says in place of a newer keyword.
fn older(name: &str, value: &Value) -> Vec<(String, Value)> {
    let pair = |name: &str, value: Value| (name.to_owned(), value);
    match (name, value) {
        ("const", value) => vec![pair("enum", json!([value]))],
        ("exclusiveMinimum", least) => {
            vec![pair("minimum", least.clone()), pair("exclusiveMinimum", Value::Bool(true))]
        }
        ("examples", examples) => {
            examples.get(0).map(|first| pair("example", first.clone())).into_iter().collect()
        }
        (_, Value::String(reference)) => {
            vec![pair("$ref", reference.replacen(DEFINITIONS, COMPONENTS, 1).into())]
        }
        _ => Vec::new(),
    }
}

/// How readers tell referenced schemas apart: by a member that is a different word in each.
fn discriminator(schemas: &[Value], definitions: &Map<String, Value>) -> Option<Value> {
    let target = |schema: &Value| -> Option<(String, &Value)> {
        let name = schema.get("$ref")?.as_str()?.strip_prefix(DEFINITIONS)?;
        Some((format!("{COMPONENTS}{name}"), definitions.get(name)?))
    };
    let targets: Vec<_> = schemas.iter().map(target).collect::<Option<_>>()?;
    let (_, first) = targets.first()?;
    let word = |schema: &Value, member: &str| {
        Some(schema.get("properties")?.get(member)?.get("const")?.as_str()?.to_owned())
    };
    first.get("properties")?.as_object()?.keys().find_map(|member| {
        let pairs =
            targets.iter().map(|(place, schema)| Some((word(schema, member)?, Value::from(place.as_str()))));
        let mapping: Map<String, Value> = pairs.collect::<Option<_>>()?;
        (mapping.len() == targets.len()).then(|| json!({ "propertyName": member, "mapping": mapping }))
    })
}
