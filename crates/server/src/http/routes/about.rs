//! Routes about the server: the caller's identity, health, metrics and the API document.

use super::tokens;
use crate::http::context::ServerContext;
use crate::http::metrics::ask_counters::AskCounters;
use crate::http::middleware::call::ApiCall;
use crate::http::middleware::response;
use crate::http::openapi::{self, schemas};
use crate::http::route::{BodySpec, ContentSpec, Route, RouteAccess, RouteMethod, ok, run};
use axum::http::StatusCode;
use axum::response::Response;
use jiff::Timestamp;
use sayso_core::wire::json;
use sayso_core::{Message, Problem, ProblemCode, ServiceUser};
use sayso_desk::{AskQuery, Desk as _};
use schemars::JsonSchema;
use serde::Serialize;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

/// Time after which the desk counts as silent.
const READY_TIME: Duration = Duration::from_millis(800);

pub(crate) const ROUTES: &[Route] = &[
    Route {
        method: RouteMethod::Get,
        path: "/v1/me",
        name: "show_me",
        summary: "The token's account, and the server's version.",
        access: RouteAccess::Any,
        parameters: &[],
        body: BodySpec::None,
        max_body_bytes: 0,
        responses: &[ok("The account.", ContentSpec::json(schemas::schema_of::<TokenInfo>))],
        problems: &[],
        handler: run!(me),
    },
    Route {
        method: RouteMethod::Get,
        path: "/openapi.json",
        name: "show_openapi",
        summary: "This document.",
        access: RouteAccess::Open,
        parameters: &[],
        body: BodySpec::None,
        max_body_bytes: 0,
        responses: &[ok("The document.", ContentSpec::Text("application/json"))],
        problems: &[],
        handler: run!(document),
    },
    Route {
        method: RouteMethod::Get,
        path: "/healthz",
        name: "check_health",
        summary: "Responds if the server runs.",
        access: RouteAccess::Open,
        parameters: &[],
        body: BodySpec::None,
        max_body_bytes: 0,
        responses: &[ok("The server runs.", ContentSpec::Text("text/plain"))],
        problems: &[],
        handler: run!(health),
    },
    Route {
        method: RouteMethod::Get,
        path: "/readyz",
        name: "check_readiness",
        summary: "Responds if the desk can be read.",
        access: RouteAccess::Open,
        parameters: &[],
        body: BodySpec::None,
        max_body_bytes: 0,
        responses: &[ok("The desk can be read.", ContentSpec::Text("text/plain"))],
        problems: &[],
        handler: run!(ready),
    },
    Route {
        method: RouteMethod::Get,
        path: "/metrics",
        name: "show_metrics",
        summary: "Metrics for Prometheus, without any text of asks or answers.",
        access: RouteAccess::Admin,
        parameters: &[],
        body: BodySpec::None,
        max_body_bytes: 0,
        responses: &[ok("The metrics.", ContentSpec::Text("application/openmetrics-text"))],
        problems: &[],
        handler: run!(metrics),
    },
];

/// The token's account, and the server's version.
#[derive(Serialize, JsonSchema)]
pub(crate) struct TokenInfo {
    /// The account.
    account: String,
    /// `asker`, `person` or `admin`.
    role: &'static str,
    /// The version of the server.
    version: &'static str,
    /// The service that the user belongs to.
    #[serde(skip_serializing_if = "Option::is_none")]
    service: Option<String>,
    /// When a person last used the desk. An open page or inbox counts as use.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    person_seen_at: Option<Timestamp>,
    /// Address of a proxy that forwarded this request and that the operator has not named.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    unnamed_proxy: Option<IpAddr>,
}

pub(crate) async fn me(context: Arc<ServerContext>, call: ApiCall) -> Result<Response, Problem> {
    let caller = call.caller()?;
    let service = if caller.is_service_user() { ServiceUser::service_of(&caller.account) } else { None };
    let info = TokenInfo {
        account: caller.account.clone(),
        role: caller.role.as_str(),
        version: env!("CARGO_PKG_VERSION"),
        service: service.map(str::to_owned),
        // These are no business of a service's users.
        person_seen_at: if service.is_none() { context.person_mark.last_use() } else { None },
        unnamed_proxy: if service.is_none() { call.unnamed_proxy() } else { None },
    };
    Ok(response::json(StatusCode::OK, json::write(&info)))
}

pub(crate) async fn document((): (), call: ApiCall) -> Result<Response, Problem> {
    Ok(openapi::DOCUMENT.response(&call))
}

pub(crate) async fn health((): (), _: ApiCall) -> Result<Response, Problem> {
    Ok(response::text("text/plain", "ok\n"))
}

pub(crate) async fn ready(context: Arc<ServerContext>, _: ApiCall) -> Result<Response, Problem> {
    // A task of its own: the call may block the thread that polls it.
    let task = tokio::spawn(async move {
        context.with_desk(|desk| desk.list(&AskQuery { rows: Some(1), ..AskQuery::default() })).await
    });
    match tokio::time::timeout(READY_TIME, task).await {
        Ok(Ok(Err(problem))) => Err(problem),
        Ok(Ok(Ok(_))) => Ok(response::text("text/plain", "ready\n")),
        Ok(Err(_)) | Err(_) => {
            Err(Problem::new(ProblemCode::DeskUnreachable, Message::DeskSilent).retry_after(1))
        }
    }
}

pub(crate) async fn metrics(
    (context, counters): (Arc<ServerContext>, Arc<AskCounters>),
    call: ApiCall,
) -> Result<Response, Problem> {
    tokens::require_admin(&call)?;
    counters.update(&context).await?;
    let text = context.metrics.render();
    Ok(response::text("application/openmetrics-text; version=1.0.0; charset=utf-8", text))
}
