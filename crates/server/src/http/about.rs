//! Routes about the server: the caller's identity, health, metrics and the API document.

use super::app::App;
use super::call::Call;
use super::route::{Access, Body, Content, Route, Verb, ok, run};
use super::shapes;
use super::{openapi, reply, tokens};
use axum::http::StatusCode;
use axum::response::Response;
use sayso_core::Problem;
use sayso_core::wire::json;
use sayso_desk::token::Role;
use sayso_desk::{Desk as _, Query};
use schemars::JsonSchema;
use serde::Serialize;
use std::sync::Arc;

pub(super) const ROUTES: &[Route] = &[
    Route {
        verb: Verb::Get,
        path: "/v1/me",
        name: "show_me",
        about: "Whose token this is, and what serves here.",
        access: Access::Any,
        parameters: &[],
        body: Body::None,
        replies: &[ok("The account.", Content::Json(shapes::me))],
        problems: &[],
        run: run!(me),
    },
    Route {
        verb: Verb::Get,
        path: "/openapi.json",
        name: "show_openapi",
        about: "This document.",
        access: Access::Open,
        parameters: &[],
        body: Body::None,
        replies: &[ok("The document.", Content::Text("application/json"))],
        problems: &[],
        run: run!(document),
    },
    Route {
        verb: Verb::Get,
        path: "/healthz",
        name: "check_health",
        about: "Whether the server runs.",
        access: Access::Open,
        parameters: &[],
        body: Body::None,
        replies: &[ok("It does.", Content::Text("text/plain"))],
        problems: &[],
        run: run!(health),
    },
    Route {
        verb: Verb::Get,
        path: "/readyz",
        name: "check_readiness",
        about: "Whether the desk can be read.",
        access: Access::Open,
        parameters: &[],
        body: Body::None,
        replies: &[ok("It can.", Content::Text("text/plain"))],
        problems: &[],
        run: run!(ready),
    },
    Route {
        verb: Verb::Get,
        path: "/metrics",
        name: "show_metrics",
        about: "Figures for Prometheus, without a word of what was asked.",
        access: Access::Admin,
        parameters: &[],
        body: Body::None,
        replies: &[ok("The figures.", Content::Text("application/openmetrics-text"))],
        problems: &[],
        run: run!(metrics),
    },
];

/// Whose token this is, and what serves here.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Me")]
pub(super) struct Me {
    /// The account.
    account: String,
    /// `asker`, `person` or `admin`.
    role: &'static str,
    /// The version of the server.
    version: &'static str,
}

impl Me {
    pub(super) fn of(account: &str, role: Role) -> Self {
        Self { account: account.to_owned(), role: role.as_str(), version: env!("CARGO_PKG_VERSION") }
    }
}

pub(super) async fn me(_: Arc<App>, call: Call) -> Result<Response, Problem> {
    let caller = call.caller()?;
    Ok(reply::json(StatusCode::OK, json::write(&Me::of(&caller.account, caller.role))))
}

pub(super) async fn document(_: Arc<App>, _: Call) -> Result<Response, Problem> {
    Ok(reply::text("application/json", openapi::text()))
}

pub(super) async fn health(_: Arc<App>, _: Call) -> Result<Response, Problem> {
    Ok(reply::text("text/plain", "ok\n"))
}

pub(super) async fn ready(app: Arc<App>, _: Call) -> Result<Response, Problem> {
    app.at_desk(|desk| desk.list(&Query { rows: Some(1), ..Query::default() })).await?;
    Ok(reply::text("text/plain", "ready\n"))
}

pub(super) async fn metrics(app: Arc<App>, call: Call) -> Result<Response, Problem> {
    tokens::must_be_admin(&call)?;
    app.count().await?;
    Ok(reply::text("application/openmetrics-text; version=1.0.0; charset=utf-8", app.metrics.render()))
}
