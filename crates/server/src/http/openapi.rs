//! OpenAPI 3.1 document, generated from the table of routes.

use super::browser::COOKIE;
use super::route::{Access, Body, Content, Place, Route};
use super::routes::routes;
use super::{shapes, status};
use sayso_core::Code;
use sayso_core::wire::schema;
use schemars::SchemaGenerator;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// Problems of every route, from before the handler.
const EVERYWHERE: &[Code] =
    &[Code::BadHeader, Code::OriginNotAllowed, Code::HostNotAllowed, Code::DeskClosing];
/// Further problems of routes that need a token.
const WITH_TOKEN: &[Code] = &[Code::Unauthorized, Code::NotAllowed, Code::TooManyRequests];

/// Further problems of routes with a body.
const WITH_BODY: &[Code] =
    &[Code::MissingRequest, Code::NotText, Code::BodyLate, Code::TooLarge, Code::UnsupportedMediaType];
/// Further problems of routes with a JSON body.
const WITH_JSON: &[Code] = &[Code::InvalidJson, Code::TooDeep];

/// Returns the document as text.
pub(super) fn text() -> &'static str {
    static TEXT: OnceLock<String> = OnceLock::new();
    TEXT.get_or_init(|| serde_json::to_string_pretty(&document()).unwrap_or_default() + "\n")
}

fn document() -> Value {
    let mut settings = schema::settings();
    settings.definitions_path = "/components/schemas".into();
    let mut generator = settings.into_generator();
    let mut paths: Map<String, Value> = Map::new();
    for route in routes() {
        let operation = operation(route, &mut generator);
        let path = paths.entry(route.path).or_insert_with(|| json!({}));
        if let Some(path) = path.as_object_mut() {
            path.insert(route.verb.name().to_owned(), operation);
        }
    }
    shapes::problem(&mut generator);
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Sayso",
            "summary": "The question desk for agents",
            "description": "Agents ask, people answer; nothing is lost in between.",
            "version": env!("CARGO_PKG_VERSION"),
            "license": { "name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0" },
        },
        "servers": [{ "url": "/" }],
        "security": [{ "token": [] }, { "session": [] }],
        "paths": paths,
        "components": {
            "schemas": generator.take_definitions(true),
            "securitySchemes": { "token": {
                "type": "http",
                "scheme": "bearer",
                "description": "A token of `sayso token new`: of an asker, a person or an admin.",
            }, "session": {
                "type": "apiKey",
                "in": "cookie",
                "name": COOKIE,
                "description": "A browser that signed in with a code: a person. It counts on pages of this server alone.",
            } },
        },
    })
}

fn operation(route: &Route, generator: &mut SchemaGenerator) -> Value {
    let mut operation = Map::new();
    operation.insert("operationId".to_owned(), json!(route.name));
    operation.insert("summary".to_owned(), json!(route.about));
    operation.insert("tags".to_owned(), json!([tag(route.access)]));
    if route.access == Access::Open {
        operation.insert("security".to_owned(), json!([]));
    }
    let parameters = parameters(route);
    if !parameters.is_empty() {
        operation.insert("parameters".to_owned(), Value::Array(parameters));
    }
    if let Some(body) = body(route.body, generator) {
        operation.insert("requestBody".to_owned(), body);
    }
    operation.insert("responses".to_owned(), responses(route, generator));
    Value::Object(operation)
}

const fn tag(access: Access) -> &'static str {
    match access {
        Access::Open => "open to all",
        Access::Late => "threads",
        Access::Any => "all with a token",
        Access::Asker => "askers",
        Access::Person => "people",
        Access::Admin => "admins",
    }
}

fn parameters(route: &Route) -> Vec<Value> {
    let named = route.path.split(['{', '}']).nth(1);
    let in_path = named.map(|name| {
        json!({ "name": name, "in": "path", "required": true, "schema": { "type": "string", "minLength": 1 } })
    });
    let beside = route.parameters.iter().map(|parameter| {
        let place = match parameter.place {
            Place::Query => "query",
            Place::Header => "header",
        };
        let mut value = json!({
            "name": parameter.name,
            "in": place,
            "description": parameter.about,
            "schema": (parameter.schema)(),
        });
        if parameter.is_required
            && let Some(members) = value.as_object_mut()
        {
            members.insert("required".to_owned(), json!(true));
        }
        value
    });
    in_path.into_iter().chain(beside).collect()
}

fn body(body: Body, generator: &mut SchemaGenerator) -> Option<Value> {
    let (required, schema) = match body {
        Body::None => return None,
        Body::Json(schema) => (true, json!(schema(generator))),
        Body::MaybeJson(schema) => (false, json!(schema(generator))),
        Body::Bytes => (false, json!({})),
    };
    Some(json!({ "required": required, "content": { body.media(): { "schema": schema } } }))
}

fn responses(route: &Route, generator: &mut SchemaGenerator) -> Value {
    let mut responses: BTreeMap<String, Value> = BTreeMap::new();
    for reply in route.replies {
        let mut response = json!({ "description": reply.about });
        if let Some(content) = content(reply.content, generator)
            && let Some(members) = response.as_object_mut()
        {
            members.insert("content".to_owned(), content);
        }
        responses.insert(reply.status.to_string(), response);
    }
    let with_token: &[Code] = if route.access.needs_token() { WITH_TOKEN } else { &[] };
    let (with_body, with_json): (&[Code], &[Code]) = match route.body {
        Body::None => (&[], &[]),
        Body::Bytes => (WITH_BODY, &[]),
        Body::Json(_) | Body::MaybeJson(_) => (WITH_BODY, WITH_JSON),
    };
    let codes = EVERYWHERE.iter().chain(with_token).chain(with_body).chain(with_json).chain(route.problems);
    let mut by_status: BTreeMap<u16, Vec<&'static str>> = BTreeMap::new();
    for code in codes {
        let told = by_status.entry(status::of(*code).as_u16()).or_default();
        if !told.contains(&code.as_str()) {
            told.push(code.as_str());
        }
    }
    let problem = json!(shapes::problem(generator));
    for (status, codes) in by_status {
        let problems = codes.join(", ");
        let alone = || json!({ "description": format!("A problem: {problems}.") });
        let response = responses.entry(status.to_string()).and_modify(|reply| {
            let about = reply.get("description").and_then(Value::as_str).unwrap_or_default();
            let about = format!("{}; or a problem: {problems}.", about.trim_end_matches('.'));
            if let Some(members) = reply.as_object_mut() {
                members.insert("description".to_owned(), json!(about));
            }
        });
        let response = response.or_insert_with(alone);
        // A response of the route itself with this status is already present.
        match response.get_mut("content").and_then(Value::as_object_mut) {
            Some(content) => {
                content.entry(status::PROBLEM_JSON).or_insert_with(|| json!({ "schema": problem }));
            }
            None => {
                if let Some(members) = response.as_object_mut() {
                    let content = json!({ status::PROBLEM_JSON: { "schema": problem } });
                    members.insert("content".to_owned(), content);
                }
            }
        }
    }
    json!(responses)
}

fn content(content: Content, generator: &mut SchemaGenerator) -> Option<Value> {
    let events = json!({ "schema": { "type": "string" } });
    Some(match content {
        Content::None => return None,
        Content::Json(schema) => json!({ "application/json": { "schema": schema(generator) } }),
        Content::JsonOrEvents(schema) => {
            json!({ "application/json": { "schema": schema(generator) }, "text/event-stream": events })
        }
        Content::Events => json!({ "text/event-stream": {} }),
        Content::Bytes => json!({ "application/octet-stream": {} }),
        Content::Problem => json!({ status::PROBLEM_JSON: { "schema": { "type": "object" } } }),
        Content::Text(media) => json!({ media: {} }),
    })
}
