//! Successful responses.

use super::auth;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use sayso_core::model::ask_summary::AskStatus;
use sayso_core::wire::{self, json, problem};
use sayso_core::{Ask, Lang, LateSubmission, Problem};
use serde::Serialize;
use serde_json::Value;
use std::time::Duration;

/// Returns a JSON response from serialized JSON.
pub(crate) fn json(status: StatusCode, body: impl Into<axum::body::Body>) -> Response {
    (status, [(header::CONTENT_TYPE, "application/json")], body.into()).into_response()
}

/// Returns a text response of a media type.
pub(crate) fn text(media: &'static str, body: impl Into<axum::body::Body>) -> Response {
    ([(header::CONTENT_TYPE, media)], body.into()).into_response()
}

/// Media type of pages.
pub(crate) const HTML: &str = "text/html; charset=utf-8";

/// Content security policy of pages for people: only their own parts, and no HTML from text. The one named policy lets
/// a page register its worker.
pub(crate) const PAGE_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; manifest-src 'self'; \
     worker-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; \
     trusted-types sayso-worker";

const CROSS_ORIGIN_OPENER_POLICY: HeaderName = HeaderName::from_static("cross-origin-opener-policy");
const PERMISSIONS_POLICY: HeaderName = HeaderName::from_static("permissions-policy");

/// Sets the headers of a page: its content security policy, no other page that holds on to it, and no device.
pub(crate) fn set_page_headers(headers: &mut HeaderMap, policy: &'static str, request: &HeaderMap) {
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(policy));
    if !auth::is_cut_off_by_browser(request) {
        headers.insert(CROSS_ORIGIN_OPENER_POLICY, HeaderValue::from_static("same-origin"));
    }
    let devices = "camera=(), microphone=(), geolocation=(), payment=(), usb=(), serial=(), hid=(), midi=()";
    headers.insert(PERMISSIONS_POLICY, HeaderValue::from_static(devices));
}

/// Returns an HTML response with the headers of a page.
pub(crate) fn html(body: impl Into<axum::body::Body>, policy: &'static str, request: &HeaderMap) -> Response {
    let mut reply = text(HTML, body);
    set_page_headers(reply.headers_mut(), policy, request);
    reply
}

/// Sets a cookie. One that no header can carry is left out.
pub(crate) fn with_cookie(mut reply: Response, cookie: &str) -> Response {
    if let Ok(cookie) = HeaderValue::try_from(cookie) {
        reply.headers_mut().append(header::SET_COOKIE, cookie);
    }
    reply
}

/// Keep-alive interval of an event stream.
pub(crate) const KEEP_ALIVE_INTERVAL: Duration = Duration::from_secs(15);

/// Sets the headers of an event stream, so that no proxy caches or buffers it.
pub(crate) fn as_stream(mut reply: Response) -> Response {
    let headers = reply.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert("x-accel-buffering", HeaderValue::from_static("no"));
    reply
}

/// Ask with its state, late submissions and warnings.
#[derive(Serialize)]
struct AskResponseBody<'a, A> {
    #[serde(flatten)]
    ask: A,
    state: AskStatus,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    late: &'a [LateSubmission],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<Value>,
}

fn ask_document(ask: &Ask, late: &[LateSubmission], warnings: Vec<Value>) -> String {
    let state = AskStatus::from_phase(&ask.state.phase);
    json::write(&AskResponseBody { ask: wire::ask::to_document(ask), state, late, warnings })
}

/// Returns an ask with its state.
pub(crate) fn ask(ask: &Ask) -> Response {
    json(StatusCode::OK, ask_document(ask, &[], Vec::new()))
}

/// Returns an ask with its state and its late submissions.
pub(crate) fn ask_with_late(ask: &Ask, late: &[LateSubmission]) -> Response {
    json(StatusCode::OK, ask_document(ask, late, Vec::new()))
}

/// Returns an opened ask, with warnings about its request.
pub(crate) fn new_ask(status: StatusCode, ask: &Ask, warnings: &[Problem], lang: Lang) -> Response {
    let warnings = warnings.iter().map(|warning| Value::Object(problem::members(warning, lang)));
    let mut reply = json(status, ask_document(ask, &[], warnings.collect()));
    if let Ok(place) = HeaderValue::try_from(format!("/v1/asks/{}", ask.id)) {
        reply.headers_mut().insert(header::LOCATION, place);
    }
    reply
}
