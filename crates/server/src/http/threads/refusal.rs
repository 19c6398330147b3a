//! Errors of the thread routes, as `{"detail": …}`, in the order of checks of the spec's server.

use crate::http::metrics::Refused;
use crate::http::reply;
use crate::http::{app::App, status};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::Response;
use sayso_core::{Code, Lang, Problem};
use sayso_dialects::interrupt::Refusal;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};

/// Why a request of a thread is refused.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Detail")]
pub(in crate::http) struct Detail {
    /// In words; or what is wrong with the body, each with its `type`, `loc` and `msg`.
    detail: Value,
}

/// Error of a thread route.
pub(super) enum Denied {
    /// Invalid body.
    Body(Refusal),
    /// Missing thread, or one of another person.
    Thread(String),
    /// Anything else.
    Problem(Problem),
}

impl From<Refusal> for Denied {
    fn from(refusal: Refusal) -> Self {
        Self::Body(refusal)
    }
}

impl From<Problem> for Denied {
    fn from(problem: Problem) -> Self {
        Self::Problem(problem)
    }
}

fn detail(status: StatusCode, detail: impl Into<Value>) -> Response {
    let body = json!({ "detail": detail.into() });
    reply::json(status, body.to_string())
}

/// Converts an error to a response.
pub(super) fn reply(app: &App, refused: Denied, lang: Lang) -> Response {
    match refused {
        Denied::Body(refusal) => {
            let status = StatusCode::from_u16(refusal.status()).unwrap_or(StatusCode::BAD_REQUEST);
            reply::json(status, refusal.body().to_string())
        }
        Denied::Thread(thread) => detail(StatusCode::FORBIDDEN, format!("Access denied to thread {thread}")),
        Denied::Problem(problem) if problem.code == Code::Unauthorized => {
            app.metrics.refused(Refused::Auth);
            let mut reply = detail(StatusCode::UNAUTHORIZED, "Not authenticated");
            reply.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
            reply
        }
        Denied::Problem(problem) => {
            if problem.code == Code::TooManyRequests {
                app.metrics.refused(Refused::Rate);
            }
            let mut reply = detail(status::of(problem.code), problem.message.render(lang));
            if problem.code == Code::TooManyRequests {
                reply.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
            }
            reply
        }
    }
}
