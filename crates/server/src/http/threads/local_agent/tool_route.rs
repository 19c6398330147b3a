//! Route of the MCP servers of sessions: the tool `ask_user`, for an agent that this server runs.

use crate::http::app::AppState;
use crate::http::middleware::auth::unauthorized;
use crate::http::middleware::call::ApiCall;
use crate::http::middleware::response;
use crate::http::openapi::schemas::schema_of;
use crate::http::route::{
    BodySpec, ContentSpec, HandlerFuture, ResponseSpec, Route, RouteAccess, RouteMethod, ok, run,
};
use crate::http::threads::thread_state::ThreadState;
use axum::body::Body;
use axum::http::{Method, Request, header};
use axum::response::Response;
use http_body_util::Full;
use sayso_core::{Message, Problem, ProblemCode, limits};
use std::sync::Arc;

/// Path of the route.
pub(in crate::http) const SESSION_TOOLS_PATH: &str = "/mcp/session";

const REPLIES: &[ResponseSpec] = &[ok("Messages, as an event stream.", ContentSpec::Events)];

const PROBLEMS: &[ProblemCode] = &[
    ProblemCode::Unauthorized,
    ProblemCode::InvalidJson,
    ProblemCode::TooLarge,
    ProblemCode::UnsupportedMediaType,
];

/// Routes of the tools.
pub(in crate::http::threads) const TOOLS: [Route; 3] = [
    tool_route(
        RouteMethod::Post,
        "send_agent_message",
        BodySpec::Json(schema_of::<serde_json::Value>),
        run!(post),
    ),
    tool_route(RouteMethod::Get, "follow_agent_session", BodySpec::None, run!(get)),
    tool_route(RouteMethod::Delete, "end_agent_session", BodySpec::None, run!(delete)),
];

const fn tool_route(
    method: RouteMethod,
    name: &'static str,
    body: BodySpec,
    handler: fn(&AppState, ApiCall) -> HandlerFuture,
) -> Route {
    Route {
        method,
        path: SESSION_TOOLS_PATH,
        name,
        summary: "The Model Context Protocol for an agent that this server runs, with the token of its session: the tool \
                ask_user, which asks in the session's thread.",
        access: RouteAccess::Open,
        parameters: &[],
        body,
        max_body_bytes: limits::BODY_BYTES,
        responses: REPLIES,
        problems: PROBLEMS,
        handler,
    }
}

async fn post(threads: Arc<ThreadState>, call: ApiCall) -> Result<Response, Problem> {
    exchange(&threads, &call, Method::POST).await
}

async fn get(threads: Arc<ThreadState>, call: ApiCall) -> Result<Response, Problem> {
    exchange(&threads, &call, Method::GET).await
}

async fn delete(threads: Arc<ThreadState>, call: ApiCall) -> Result<Response, Problem> {
    exchange(&threads, &call, Method::DELETE).await
}

/// Hands a request to the server of its session, and its response back.
async fn exchange(threads: &ThreadState, call: &ApiCall, method: Method) -> Result<Response, Problem> {
    let bearer = call.header(&header::AUTHORIZATION).and_then(|value| value.strip_prefix("Bearer "));
    let service = bearer.and_then(|token| threads.session_tools.find(token));
    let service = service.ok_or_else(|| unauthorized(Message::TokenUnknown))?;
    let mut request = Request::new(Full::new(call.bytes().clone()));
    *request.method_mut() = method;
    request.headers_mut().clone_from(call.headers());
    request.headers_mut().remove(header::AUTHORIZATION);
    Ok(response::as_stream(service.handle(request).await.map(Body::new)))
}
