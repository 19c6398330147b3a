//! MCP over HTTP: `/mcp` for askers' tokens, and its metadata as a protected resource (RFC 9728).
//!
//! **Invariant:** the token says who asks. The end of a connection or a session changes no ask.

use super::mcp_state::McpState;
use crate::http::middleware::call::ApiCall;
use crate::http::middleware::response;
use crate::http::openapi::schemas;
use crate::http::route::{
    BodySpec, ContentSpec, Parameter, ResponseSpec, Route, RouteAccess, RouteMethod, ok, run,
};
use axum::body::Body;
use axum::http::{Method, Request, StatusCode, header};
use axum::response::Response;
use sayso_core::{Message, Problem, ProblemCode, limits};
use serde_json::json;
use std::sync::Arc;

const HEADERS: &[Parameter] = &[
    Parameter::header(
        "Mcp-Session-Id",
        "The MCP session, in protocol versions that have sessions.",
        schemas::text,
    ),
    Parameter::header("MCP-Protocol-Version", "The version of the protocol.", schemas::text),
    Parameter::header("Mcp-Method", "The method of the message, from 2026-07-28 on.", schemas::text),
    Parameter::header("Mcp-Name", "The tool, prompt or resource, from 2026-07-28 on.", schemas::text),
    Parameter::header(
        "Last-Event-ID",
        "The last event received before the stream was interrupted.",
        schemas::text,
    ),
];
const METADATA: &[ResponseSpec] = &[ok("The metadata.", ContentSpec::Text("application/json"))];
const STREAM: ResponseSpec = ok("Messages, as an event stream.", ContentSpec::Events);

pub(crate) const ROUTES: &[Route] = &[
    Route {
        method: RouteMethod::Post,
        path: "/mcp",
        name: "send_mcp_message",
        summary: "A message of the Model Context Protocol (streamable HTTP), in any of its versions.",
        access: RouteAccess::Asker,
        parameters: HEADERS,
        body: BodySpec::json(schemas::schema_of::<serde_json::Value>),
        max_body_bytes: limits::REQUEST_BODY_BYTES,
        responses: &[STREAM],
        problems: &[ProblemCode::InvalidJson, ProblemCode::TooLarge, ProblemCode::UnsupportedMediaType],
        handler: run!(post),
    },
    Route {
        method: RouteMethod::Get,
        path: "/mcp",
        name: "follow_mcp_session",
        summary: "Messages of the server in an MCP session; with `Last-Event-ID`, the rest of an interrupted stream.",
        access: RouteAccess::Asker,
        parameters: HEADERS,
        body: BodySpec::None,
        max_body_bytes: 0,
        responses: &[STREAM],
        problems: &[],
        handler: run!(get),
    },
    Route {
        method: RouteMethod::Delete,
        path: "/mcp",
        name: "end_mcp_session",
        summary: "Ends an MCP session. Its asks remain.",
        access: RouteAccess::Asker,
        parameters: HEADERS,
        body: BodySpec::None,
        max_body_bytes: 0,
        responses: &[ResponseSpec {
            status: 204,
            description: "The session has ended.",
            content: ContentSpec::None,
        }],
        problems: &[],
        handler: run!(delete),
    },
    metadata_route("/.well-known/oauth-protected-resource", "show_resource_metadata"),
    metadata_route("/.well-known/oauth-protected-resource/mcp", "show_mcp_resource_metadata"),
];

const fn metadata_route(path: &'static str, name: &'static str) -> Route {
    Route {
        method: RouteMethod::Get,
        path,
        name,
        summary: "How /mcp is protected (RFC 9728): by tokens of this desk, in the header.",
        access: RouteAccess::Open,
        parameters: &[],
        body: BodySpec::None,
        max_body_bytes: 0,
        responses: METADATA,
        problems: &[],
        handler: run!(metadata),
    }
}

async fn post(endpoint: Arc<McpState>, call: ApiCall) -> Result<Response, Problem> {
    exchange(endpoint, call, Method::POST).await
}

async fn get(endpoint: Arc<McpState>, call: ApiCall) -> Result<Response, Problem> {
    exchange(endpoint, call, Method::GET).await
}

async fn delete(endpoint: Arc<McpState>, call: ApiCall) -> Result<Response, Problem> {
    let mut response = exchange(endpoint, call, Method::DELETE).await?;
    // rmcp says 202, which the Python SDK logs as a failure (https://github.com/modelcontextprotocol/python-sdk/issues/3546).
    // The protocol names no status (https://github.com/modelcontextprotocol/conformance/issues/429): once it names 202, this
    // can go.
    if response.status() == StatusCode::ACCEPTED {
        *response.status_mut() = StatusCode::NO_CONTENT;
    }
    Ok(response)
}

/// Hands a request to the service of its account, and its response back.
async fn exchange(endpoint: Arc<McpState>, call: ApiCall, method: Method) -> Result<Response, Problem> {
    let caller = call.caller()?.clone();
    let service = endpoint.services.of_account(endpoint.account(&caller)?);
    let mut request = Request::new(call.bytes().clone());
    *request.method_mut() = method;
    request.headers_mut().clone_from(call.headers());
    // The token is for the gate alone.
    request.headers_mut().remove(header::AUTHORIZATION);
    let guard = endpoint.context.revocations.register(caller.credential);
    let response = tokio::select! {
        response = service.handle(request) => response,
        () = guard.revoked() => {
            return Err(Problem::new(ProblemCode::Unauthorized, Message::TokenUnknown));
        }
    };
    Ok(endpoint.guard_stream(response.map(Body::new), guard))
}

async fn metadata(endpoint: Arc<McpState>, _: ApiCall) -> Result<Response, Problem> {
    let document = json!({
        "resource": format!("{}/mcp", endpoint.public_url),
        "resource_name": "Sayso",
        "resource_documentation": format!("{}/docs", endpoint.public_url),
        "bearer_methods_supported": ["header"],
    });
    Ok(response::json(StatusCode::OK, document.to_string()))
}
