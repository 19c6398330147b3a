//! Mapping of problems to HTTP: status and problem document (RFC 9457).
//!
//! **Invariant:** no other module maps problems to HTTP.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use sayso_core::wire::problem;
use sayso_core::{Lang, Message, Problem, ProblemCode};
use serde_json::{Value, json};

/// Media type of a problem document.
pub(crate) const PROBLEM_JSON: &str = "application/problem+json";

/// Returns the status of a problem code.
pub(crate) const fn status_of(code: ProblemCode) -> StatusCode {
    match code {
        ProblemCode::MissingRequest
        | ProblemCode::InvalidJson
        | ProblemCode::NotText
        | ProblemCode::TooDeep
        | ProblemCode::BadHeader
        | ProblemCode::InvalidSetting => StatusCode::BAD_REQUEST,
        ProblemCode::Unauthorized => StatusCode::UNAUTHORIZED,
        ProblemCode::NotAllowed | ProblemCode::OriginNotAllowed | ProblemCode::NoTerminal => {
            StatusCode::FORBIDDEN
        }
        ProblemCode::AskNotFound | ProblemCode::ThreadNotFound | ProblemCode::NoSuchRoute => {
            StatusCode::NOT_FOUND
        }
        ProblemCode::MethodNotAllowed => StatusCode::METHOD_NOT_ALLOWED,
        ProblemCode::AmbiguousId
        | ProblemCode::AskAnswered
        | ProblemCode::AskDeclined
        | ProblemCode::AskCancelled
        | ProblemCode::AskExpired
        | ProblemCode::AskSubmitted
        | ProblemCode::AskOpen
        | ProblemCode::AskChanged
        | ProblemCode::TurnOver
        | ProblemCode::NoAgent
        | ProblemCode::WrongRound => StatusCode::CONFLICT,
        ProblemCode::DraftChanged => StatusCode::PRECONDITION_FAILED,
        ProblemCode::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
        ProblemCode::BodyLate => StatusCode::REQUEST_TIMEOUT,
        ProblemCode::UnsupportedMediaType => StatusCode::UNSUPPORTED_MEDIA_TYPE,
        ProblemCode::HostNotAllowed => StatusCode::MISDIRECTED_REQUEST,
        ProblemCode::InvalidRequest
        | ProblemCode::Required
        | ProblemCode::InvalidType
        | ProblemCode::TooSmall
        | ProblemCode::TooBig
        | ProblemCode::DuplicateId
        | ProblemCode::BadPattern
        | ProblemCode::BadCondition
        | ProblemCode::BadConstraint
        | ProblemCode::ContraryLabel
        | ProblemCode::PresetConsent
        | ProblemCode::UnmarkedConfirm
        | ProblemCode::UnknownMember
        | ProblemCode::PatternUnmet
        | ProblemCode::PatternNotChecked
        | ProblemCode::InvalidValue
        | ProblemCode::UnknownDialect
        | ProblemCode::InvalidAnswers
        | ProblemCode::NeedsAnswer
        | ProblemCode::NoSuchOption
        | ProblemCode::NoSuchQuestion
        | ProblemCode::KeyReused => StatusCode::UNPROCESSABLE_ENTITY,
        ProblemCode::TooManyRequests | ProblemCode::DeskCrowded => StatusCode::TOO_MANY_REQUESTS,
        ProblemCode::DeskBusy
        | ProblemCode::DeskClosing
        | ProblemCode::DeskMoved
        | ProblemCode::DeskUnreachable => StatusCode::SERVICE_UNAVAILABLE,
        ProblemCode::DeskFull => StatusCode::INSUFFICIENT_STORAGE,
        ProblemCode::DeskUnsupported
        | ProblemCode::DeskNotOurs
        | ProblemCode::DeskTooNew
        | ProblemCode::DeskTooOld
        | ProblemCode::DeskFailed
        | ProblemCode::DeskDamaged
        | ProblemCode::DeskIncomplete
        | ProblemCode::AskDamaged
        | ProblemCode::UnreadableFile => StatusCode::INTERNAL_SERVER_ERROR,
    }
}

/// Returns the title of a problem code: the code as words.
pub(crate) fn title(code: ProblemCode) -> String {
    let words = code.as_str().replace('_', " ");
    let mut letters = words.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => String::new(),
    }
}

/// Returns the problem document.
pub(crate) fn document(problem: &Problem, lang: Lang) -> Value {
    let mut document = problem::members(&problem.clone().without_place(), lang);
    if let Some(hint) = http_hint(problem) {
        document.insert("hint".to_owned(), json!(hint.plain(lang)));
    }
    document.insert("type".to_owned(), json!(format!("/docs#{}", problem.code)));
    document.insert("title".to_owned(), json!(title(problem.code)));
    document.insert("status".to_owned(), json!(status_of(problem.code).as_u16()));
    Value::Object(document)
}

/// Returns the hint for HTTP callers, if it differs from the one for a terminal.
fn http_hint(problem: &Problem) -> Option<Message> {
    match problem.code {
        // The same hint for a missing and for an invisible ask.
        ProblemCode::AskNotFound => Some(Message::SeeAskList),
        ProblemCode::AskChanged => Some(Message::ReadAskAgain),
        ProblemCode::AskAnswered
        | ProblemCode::AskDeclined
        | ProblemCode::AskCancelled
        | ProblemCode::AskExpired
        | ProblemCode::AskSubmitted
            if problem.hint.is_some() =>
        {
            Some(Message::TextKeptLate)
        }
        _ => None,
    }
}

/// Returns the response for a problem.
pub(crate) fn build(problem: &Problem, lang: Lang, retry_after_s: Option<u64>) -> Response {
    let media = [(header::CONTENT_TYPE, PROBLEM_JSON)];
    let mut reply = (status_of(problem.code), media, document(problem, lang).to_string()).into_response();
    if problem.code == ProblemCode::Unauthorized {
        reply.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    }
    let problem_seconds = problem.retry_after_s.map(|seconds| seconds.get().into());
    if let Some(seconds) = retry_after_s.or(problem_seconds).or(default_retry_seconds(problem.code)) {
        reply.headers_mut().insert(header::RETRY_AFTER, seconds.into());
    }
    reply
}

/// Returns the time after which to retry, if the problem itself names none.
const fn default_retry_seconds(code: ProblemCode) -> Option<u64> {
    match code {
        ProblemCode::DeskBusy | ProblemCode::DeskClosing | ProblemCode::TooManyRequests => Some(1),
        ProblemCode::DeskCrowded => Some(60),
        _ => None,
    }
}
