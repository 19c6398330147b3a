//! Errors of the thread routes, as `{"detail": …}`, in the order of checks of the spec's server.

use super::thread_state::ThreadState;
use crate::http::metrics::RefusalReason;
use crate::http::middleware::problem_response;
use crate::http::middleware::response;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::Response;
use sayso_core::{Lang, Message, Problem, ProblemCode};
use sayso_dialects::interrupt::InterruptBodyError;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};

/// Error of a thread's route.
#[derive(Serialize, JsonSchema)]
pub(in crate::http) struct DetailBody {
    /// A message, or the errors of the body, each with `type`, `loc` and `msg`.
    detail: Value,
}

/// Error of a thread route.
pub(super) enum ThreadError {
    /// Invalid body.
    Body(InterruptBodyError),
    /// Missing thread, or one of another person.
    Thread(String),
    /// Anything else.
    Problem(Problem),
}

impl From<InterruptBodyError> for ThreadError {
    fn from(error: InterruptBodyError) -> Self {
        Self::Body(error)
    }
}

impl From<Problem> for ThreadError {
    fn from(problem: Problem) -> Self {
        Self::Problem(problem)
    }
}

fn detail_response(status: StatusCode, detail: impl Into<Value>) -> Response {
    let body = json!({ "detail": detail.into() });
    response::json(status, body.to_string())
}

/// Converts an error to a response.
pub(super) fn error_response(threads: &ThreadState, error: ThreadError, lang: Lang) -> Response {
    match error {
        ThreadError::Body(error) => {
            let status = StatusCode::from_u16(error.status()).unwrap_or(StatusCode::BAD_REQUEST);
            response::json(status, error.body().to_string())
        }
        ThreadError::Thread(thread) => {
            detail_response(StatusCode::FORBIDDEN, format!("Access denied to thread {thread}"))
        }
        ThreadError::Problem(problem) if problem.code == ProblemCode::Unauthorized => {
            threads.context.metrics.record_refusal(RefusalReason::Auth);
            let is_missing = problem.message == Message::TokenMissing.into();
            let detail = if is_missing { "Not authenticated" } else { "Could not validate credentials" };
            let mut reply = detail_response(StatusCode::UNAUTHORIZED, detail);
            reply.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
            reply
        }
        ThreadError::Problem(problem) => {
            if problem.code == ProblemCode::TooManyRequests {
                threads.context.metrics.record_refusal(RefusalReason::Rate);
            }
            let detail = problem.clone().without_place().message.render(lang);
            let mut reply = detail_response(problem_response::status_of(problem.code), detail);
            if problem.code == ProblemCode::TooManyRequests {
                reply.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
            }
            reply
        }
    }
}
