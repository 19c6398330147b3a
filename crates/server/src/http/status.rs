//! Mapping of problems to HTTP: status and problem document (RFC 9457).
//!
//! **Invariant:** no other module maps problems to HTTP.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use sayso_core::wire::problem;
use sayso_core::{Code, Lang, Message, Problem};
use serde_json::{Value, json};

/// Media type of a problem document.
pub(super) const PROBLEM_JSON: &str = "application/problem+json";

/// Returns the status of a problem code.
pub(super) const fn of(code: Code) -> StatusCode {
    match code {
        Code::MissingRequest
        | Code::InvalidJson
        | Code::NotText
        | Code::TooDeep
        | Code::BadHeader
        | Code::InvalidSetting => StatusCode::BAD_REQUEST,
        Code::Unauthorized => StatusCode::UNAUTHORIZED,
        Code::NotAllowed | Code::OriginNotAllowed | Code::NoTerminal => StatusCode::FORBIDDEN,
        Code::AskNotFound | Code::ThreadNotFound | Code::NoSuchRoute => StatusCode::NOT_FOUND,
        Code::MethodNotAllowed => StatusCode::METHOD_NOT_ALLOWED,
        Code::AmbiguousId
        | Code::AskAnswered
        | Code::AskDeclined
        | Code::AskCancelled
        | Code::AskExpired
        | Code::AskSubmitted
        | Code::AskOpen
        | Code::AskChanged
        | Code::TurnOver
        | Code::NoAgent
        | Code::WrongRound => StatusCode::CONFLICT,
        Code::DraftChanged => StatusCode::PRECONDITION_FAILED,
        Code::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
        Code::BodyLate => StatusCode::REQUEST_TIMEOUT,
        Code::UnsupportedMediaType => StatusCode::UNSUPPORTED_MEDIA_TYPE,
        Code::HostNotAllowed => StatusCode::MISDIRECTED_REQUEST,
        Code::InvalidRequest
        | Code::Required
        | Code::InvalidType
        | Code::TooSmall
        | Code::TooBig
        | Code::DuplicateId
        | Code::BadPattern
        | Code::BadCondition
        | Code::BadConstraint
        | Code::ContraryLabel
        | Code::PresetConsent
        | Code::UnknownMember
        | Code::PatternUnmet
        | Code::PatternNotChecked
        | Code::InvalidValue
        | Code::UnknownDialect
        | Code::InvalidAnswers
        | Code::NeedsAnswer
        | Code::NoSuchOption
        | Code::NoSuchQuestion
        | Code::KeyReused => StatusCode::UNPROCESSABLE_ENTITY,
        Code::TooManyRequests | Code::DeskCrowded => StatusCode::TOO_MANY_REQUESTS,
        Code::DeskBusy | Code::DeskClosing | Code::DeskUnreachable => StatusCode::SERVICE_UNAVAILABLE,
        Code::DeskFull => StatusCode::INSUFFICIENT_STORAGE,
        Code::DeskUnsupported
        | Code::DeskNotOurs
        | Code::DeskTooNew
        | Code::DeskFailed
        | Code::DeskDamaged
        | Code::DeskIncomplete
        | Code::AskDamaged
        | Code::UnreadableFile => StatusCode::INTERNAL_SERVER_ERROR,
    }
}

/// Returns the title of a problem code: the code as words.
pub(super) fn title(code: Code) -> String {
    let words = code.as_str().replace('_', " ");
    let mut letters = words.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// Returns the problem document.
pub(super) fn document(problem: &Problem, lang: Lang) -> Value {
    let mut document = problem::members(problem, lang);
    if let Some(hint) = hint(problem) {
        document.insert("hint".to_owned(), json!(hint.plain(lang)));
    }
    document.insert("type".to_owned(), json!(format!("/docs#{}", problem.code)));
    document.insert("title".to_owned(), json!(title(problem.code)));
    document.insert("status".to_owned(), json!(of(problem.code).as_u16()));
    Value::Object(document)
}

/// Returns the hint for HTTP callers, if it differs from the one for a terminal.
fn hint(problem: &Problem) -> Option<Message> {
    match problem.code {
        // The same hint for a missing and for an invisible ask.
        Code::AskNotFound => Some(Message::SeeAskList),
        Code::AskChanged => Some(Message::ReadAskAgain),
        Code::AskAnswered
        | Code::AskDeclined
        | Code::AskCancelled
        | Code::AskExpired
        | Code::AskSubmitted
            if problem.hint.is_some() =>
        {
            Some(Message::TextKeptLate)
        }
        _ => None,
    }
}

/// Returns the response for a problem.
pub(super) fn reply(problem: &Problem, lang: Lang, retry_after_s: Option<u64>) -> Response {
    let media = [(header::CONTENT_TYPE, PROBLEM_JSON)];
    let mut reply = (of(problem.code), media, document(problem, lang).to_string()).into_response();
    if problem.code == Code::Unauthorized {
        reply.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    }
    let usual = match problem.code {
        Code::DeskBusy | Code::DeskClosing | Code::TooManyRequests => Some(1),
        Code::DeskCrowded => Some(60),
        _ => None,
    };
    if let Some(seconds) =
        retry_after_s.or(problem.retry_after_s.map(|seconds| seconds.get().into())).or(usual)
    {
        reply.headers_mut().insert(header::RETRY_AFTER, seconds.into());
    }
    reply
}
