//! What the asker gets: the spec's responses, and the same for a command line.

use super::DECLINED;
use super::result::{ResultDocument, answers};
use crate::{Dialect, Written};
use sayso_core::wire::json;
use sayso_core::{Lang, Message, Outcome, Problem, Questionnaire};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// The media type of results.
const JSON: &str = "application/json";
/// The media type of problems (RFC 9457).
const PROBLEM_JSON: &str = "application/problem+json";

/// A kind of problem, and its status.
pub(super) type ProblemKind = (&'static str, u16);
/// A request that is wrong.
pub(super) const INVALID: ProblemKind = ("invalid-request", 400);
/// The deadline passed.
pub(super) const EXPIRED: ProblemKind = ("ask-expired", 408);
/// The asker took the questions back.
pub(super) const CANCELLED: ProblemKind = ("ask-cancelled", 410);

/// An HTTP response.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Response {
    /// The status: 200, 400, 408, 410 or 499.
    pub status: u16,
    /// The media type of the body.
    pub content_type: Cow<'static, str>,
    /// JSON in one line.
    pub body: String,
}

/// The body of the spec's response 499, with the person's reason where there is one.
#[derive(Serialize)]
struct Declined<'o> {
    cancelled: bool,
    message: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'o str>,
}

/// A problem (RFC 9457).
#[derive(Serialize)]
struct ProblemDocument {
    #[serde(rename = "type")]
    kind: &'static str,
    title: String,
    status: u16,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    errors: Vec<ProblemEntry>,
}

/// One thing that is wrong with a request.
#[derive(Serialize)]
struct ProblemEntry {
    /// A JSON pointer (RFC 6901).
    pointer: String,
    /// The same place as JavaScript writes it.
    path: String,
    code: &'static str,
    detail: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<String>,
}

/// The response for an outcome: 200 with the spec's `QuestionnaireResult`, 499 when a person said no, 410 when the
/// asker took the questions back, 408 when the deadline passed.
pub fn respond(questionnaire: &Questionnaire, outcome: &Outcome) -> Response {
    match outcome {
        Outcome::Answered { replies, receipt, .. } => {
            let submitted_at = format!("{:.3}", receipt.at);
            let result = ResultDocument { answers: answers(questionnaire, replies), submitted_at };
            Response { status: 200, content_type: JSON.into(), body: json::write(&result) }
        }
        Outcome::Declined { reason, .. } => {
            let declined = Declined { cancelled: true, message: DECLINED, reason: reason.as_deref() };
            Response { status: 499, content_type: JSON.into(), body: json::write(&declined) }
        }
        Outcome::Cancelled { .. } => ended(outcome, CANCELLED),
        Outcome::Expired { .. } => ended(outcome, EXPIRED),
    }
}

fn ended(outcome: &Outcome, (kind, status): ProblemKind) -> Response {
    let title = Written::in_words(outcome).stderr;
    problem(&ProblemDocument { kind, title, status, errors: Vec::new() })
}

fn problem(document: &ProblemDocument) -> Response {
    Response { status: document.status, content_type: PROBLEM_JSON.into(), body: json::write(document) }
}

/// The response to a request with these problems: 400, with each of them in `errors`.
pub fn refusal(problems: &[Problem], lang: Lang) -> Response {
    let entry = |problem: &Problem| ProblemEntry {
        pointer: problem.path.pointer(),
        path: problem.path.bracketed(),
        code: problem.code.as_str(),
        detail: problem.message.render(lang),
        hint: problem.hint.as_ref().map(|hint| hint.render(lang)),
    };
    let errors: Vec<_> = problems.iter().flat_map(Problem::single).map(entry).collect();
    let title = Message::RequestHasProblems.say(lang, [errors.len()]);
    let (kind, status) = INVALID;
    problem(&ProblemDocument { kind, title, status, errors })
}

/// What a command line gets for an outcome: the body of the response where a person answered or said no, words for what
/// is no answer, and an exit code that tells its kind.
pub fn write(questionnaire: &Questionnaire, outcome: &Outcome) -> Written {
    let mut written = Written::in_words(outcome);
    if outcome.receipt().is_some() {
        written.stdout = respond(questionnaire, outcome).body;
    }
    written
}

/// What a command line gets for a request with these problems: each in a line, with its place.
pub fn refuse(problems: &[Problem], lang: Lang) -> Written {
    Written::problems(Dialect::Questionnaire, problems, lang)
}
