//! Replies that went well.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use sayso_core::row::Standing;
use sayso_core::wire::{self, json, problem};
use sayso_core::{Ask, Lang, Late, Problem};
use serde::Serialize;
use serde_json::Value;
use std::time::Duration;

/// JSON that is written already.
pub(super) fn json(status: StatusCode, body: impl Into<axum::body::Body>) -> Response {
    (status, [(header::CONTENT_TYPE, "application/json")], body.into()).into_response()
}

/// Text of some media type.
pub(super) fn text(media: &'static str, body: impl Into<axum::body::Body>) -> Response {
    ([(header::CONTENT_TYPE, media)], body.into()).into_response()
}

/// A page, with what it may load and run.
pub(super) fn html(body: impl Into<axum::body::Body>, policy: &'static str) -> Response {
    let mut reply = text("text/html; charset=utf-8", body);
    reply.headers_mut().insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(policy));
    reply
}

/// How often a silent stream of events says that it is alive.
pub(super) const ALIVE: Duration = Duration::from_secs(15);

/// A stream of events, which nothing on its way may keep or hold up.
pub(super) fn streamed(mut reply: Response) -> Response {
    let headers = reply.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert("x-accel-buffering", HeaderValue::from_static("no"));
    reply
}

/// An ask as it stands, with what goes with it in this reply.
#[derive(Serialize)]
struct Document<'a, A> {
    #[serde(flatten)]
    ask: A,
    state: Standing,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    late: &'a [Late],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<Value>,
}

fn document(ask: &Ask, late: &[Late], warnings: Vec<Value>) -> String {
    let state = Standing::of(&ask.state.phase);
    json::write(&Document { ask: wire::ask::whole(ask), state, late, warnings })
}

/// An ask as it stands.
pub(super) fn ask(ask: &Ask) -> Response {
    json(StatusCode::OK, document(ask, &[], Vec::new()))
}

/// An ask as it stands, with what people said to it too late.
pub(super) fn ask_with_late(ask: &Ask, late: &[Late]) -> Response {
    json(StatusCode::OK, document(ask, late, Vec::new()))
}

/// An ask that was just asked, with what the asker should know though its request is valid.
pub(super) fn new_ask(status: StatusCode, ask: &Ask, warnings: &[Problem], lang: Lang) -> Response {
    let told = warnings.iter().map(|warning| Value::Object(problem::members(warning, lang)));
    let mut reply = json(status, document(ask, &[], told.collect()));
    if let Ok(place) = HeaderValue::try_from(format!("/v1/asks/{}", ask.id)) {
        reply.headers_mut().insert(header::LOCATION, place);
    }
    reply
}
