//! The server about itself.

use super::app::App;
use super::call::Call;
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

/// Whose token this is, and what serves here.
#[derive(Serialize, JsonSchema)]
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
