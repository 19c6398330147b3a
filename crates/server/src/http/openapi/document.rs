//! Generator of the OpenAPI document, from the table of routes.

use super::schemas::{self, ProblemBody};
use crate::http::login::browser::COOKIE;
use crate::http::middleware::problem_response;
use crate::http::route::{BodySpec, ContentSpec, ParameterPlace, Route, RouteAccess};
use sayso_core::ProblemCode;
use sayso_core::wire::schema;
use schemars::SchemaGenerator;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// Problems of every route, from before the handler.
const COMMON_CODES: &[ProblemCode] = &[
    ProblemCode::BadHeader,
    ProblemCode::OriginNotAllowed,
    ProblemCode::HostNotAllowed,
    ProblemCode::DeskClosing,
];
/// Further problems of routes that need a token.
const TOKEN_CODES: &[ProblemCode] =
    &[ProblemCode::Unauthorized, ProblemCode::NotAllowed, ProblemCode::TooManyRequests];

/// Further problems of routes with a body.
const BODY_CODES: &[ProblemCode] = &[
    ProblemCode::MissingRequest,
    ProblemCode::NotText,
    ProblemCode::BodyLate,
    ProblemCode::TooLarge,
    ProblemCode::UnsupportedMediaType,
];
/// Further problems of routes with a JSON body.
const JSON_CODES: &[ProblemCode] = &[ProblemCode::InvalidJson, ProblemCode::TooDeep];

/// Returns the OpenAPI document as text.
pub(in crate::http) fn write(routes: &[&'static Route]) -> String {
    serde_json::to_string_pretty(&document(routes)).unwrap_or_default() + "\n"
}

fn document(routes: &[&'static Route]) -> Value {
    let mut settings = schema::settings();
    settings.definitions_path = "/components/schemas".into();
    let mut generator = settings.into_generator();
    let mut paths: Map<String, Value> = Map::new();
    for route in routes {
        let operation = operation(route, &mut generator);
        let path = paths.entry(route.path).or_insert_with(|| json!({}));
        if let Some(path) = path.as_object_mut() {
            path.insert(route.method.name().to_owned(), operation);
        }
    }
    schemas::schema_of::<ProblemBody>(&mut generator);
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Sayso",
            "summary": "The question desk for agents",
            "description": "Agents ask, people answer, and nothing is lost in between.",
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
                "description": "A token of `sayso token new`: of an asker, a person, an admin or a service. Or the \
                    token of a service's user, with the role of a person.",
            }, "session": {
                "type": "apiKey",
                "in": "cookie",
                "name": COOKIE,
                "description": "A signed-in browser, as a person. It is accepted only from pages of this server, \
                    and with a proof in `Sayso-Proof` made with the key of the sign-in.",
            } },
        },
    })
}

fn operation(route: &Route, generator: &mut SchemaGenerator) -> Value {
    let mut operation = Map::new();
    operation.insert("operationId".to_owned(), json!(route.name));
    operation.insert("summary".to_owned(), json!(route.summary));
    operation.insert("tags".to_owned(), json!([tag(route.access)]));
    if route.access == RouteAccess::Open {
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

const fn tag(access: RouteAccess) -> &'static str {
    match access {
        RouteAccess::Open => "open to all",
        RouteAccess::Deferred => "threads",
        RouteAccess::Any => "all with a token",
        RouteAccess::Asker => "askers",
        RouteAccess::Person => "people",
        RouteAccess::Admin => "admins",
        RouteAccess::Service => "services",
    }
}

fn parameters(route: &Route) -> Vec<Value> {
    let mut parameters = Vec::new();
    if let Some(name) = route.path.split(['{', '}']).nth(1) {
        parameters.push(
            json!({ "name": name, "in": "path", "required": true, "schema": { "type": "string", "minLength": 1 } }),
        );
    }
    for parameter in route.parameters {
        let place = match parameter.place {
            ParameterPlace::Query => "query",
            ParameterPlace::Header => "header",
        };
        let mut value = json!({
            "name": parameter.name,
            "in": place,
            "description": parameter.description,
            "schema": (parameter.schema.make)(),
        });
        if parameter.is_required
            && let Some(members) = value.as_object_mut()
        {
            members.insert("required".to_owned(), json!(true));
        }
        parameters.push(value);
    }
    parameters
}

fn body(body: BodySpec, generator: &mut SchemaGenerator) -> Option<Value> {
    let (required, schema) = match body {
        BodySpec::None => return None,
        BodySpec::Json(schema) => (true, json!((schema.make)(generator))),
        BodySpec::MaybeJson(schema) => (false, json!((schema.make)(generator))),
        BodySpec::Bytes => (false, json!({})),
    };
    Some(json!({ "required": required, "content": { body.media(): { "schema": schema } } }))
}

fn responses(route: &Route, generator: &mut SchemaGenerator) -> Value {
    let mut responses: BTreeMap<String, Value> = BTreeMap::new();
    for spec in route.responses {
        let mut response = json!({ "description": spec.description });
        if let Some(content) = content(spec.content, generator)
            && let Some(members) = response.as_object_mut()
        {
            members.insert("content".to_owned(), content);
        }
        responses.insert(spec.status.to_string(), response);
    }
    let schema = json!(schemas::schema_of::<ProblemBody>(generator));
    for (status, codes) in codes_by_status(route) {
        let problems = codes.join(", ");
        let response = responses.entry(status.to_string()).or_insert(json!({}));
        // A response of the route itself with this status is already present.
        let description = match response.get("description").and_then(Value::as_str) {
            Some(description) => format!("{}; or problem: {problems}.", description.trim_end_matches('.')),
            None => format!("Problem: {problems}."),
        };
        if let Some(members) = response.as_object_mut() {
            members.insert("description".to_owned(), json!(description));
            let content = members.entry("content").or_insert(json!({}));
            if let Some(media) = content.as_object_mut() {
                media.entry(problem_response::PROBLEM_JSON).or_insert(json!({ "schema": schema }));
            }
        }
    }
    json!(responses)
}

/// Returns the problem codes of a route by their status.
fn codes_by_status(route: &Route) -> BTreeMap<u16, Vec<&'static str>> {
    let mut codes = COMMON_CODES.to_vec();
    // The gate authenticates no caller of the others.
    if !matches!(route.access, RouteAccess::Open | RouteAccess::Deferred) {
        codes.extend(TOKEN_CODES);
    }
    match route.body {
        BodySpec::None => {}
        BodySpec::Bytes => codes.extend(BODY_CODES),
        BodySpec::Json(_) | BodySpec::MaybeJson(_) => codes.extend(BODY_CODES.iter().chain(JSON_CODES)),
    }
    codes.extend(route.problems);
    let mut by_status: BTreeMap<u16, Vec<&'static str>> = BTreeMap::new();
    for code in codes {
        let names = by_status.entry(problem_response::status_of(code).as_u16()).or_default();
        if !names.contains(&code.as_str()) {
            names.push(code.as_str());
        }
    }
    by_status
}

fn content(content: ContentSpec, generator: &mut SchemaGenerator) -> Option<Value> {
    let events = json!({ "schema": { "type": "string" } });
    Some(match content {
        ContentSpec::None => return None,
        ContentSpec::Json(schema) => json!({ "application/json": { "schema": (schema.make)(generator) } }),
        ContentSpec::JsonOrEvents(schema) => {
            json!({ "application/json": { "schema": (schema.make)(generator) }, "text/event-stream": events })
        }
        ContentSpec::Events => json!({ "text/event-stream": {} }),
        ContentSpec::Bytes => json!({ "application/octet-stream": {} }),
        ContentSpec::Problem => json!({ problem_response::PROBLEM_JSON: { "schema": { "type": "object" } } }),
        ContentSpec::Text(media) => json!({ media: {} }),
    })
}

#[cfg(test)]
mod tests {
    use crate::http::generate_openapi;
    use crate::http::openapi::DOCUMENT;

    #[test]
    fn committed_document_is_that_generated() {
        assert!(DOCUMENT.text() == generate_openapi().as_bytes(), "stale: run `cargo xtask codegen`");
    }
}
