//! Responses of the spec for the asker, and the same for a command line.

use super::messages::DECLINED_MESSAGE;
use super::result::{QuestionnaireResultDocument, result_answers};
use crate::format::cli_output::CliOutput;
use sayso_core::wire::json;
use sayso_core::{Lang, Message, Outcome, Problem, Questionnaire};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// Media type of results.
const JSON: &str = "application/json";
/// Media type of problems (RFC 9457).
const PROBLEM_JSON: &str = "application/problem+json";

/// Kind of problem, and its status.
pub(super) type ProblemKind = (&'static str, u16);
/// Invalid request.
pub(super) const INVALID: ProblemKind = ("invalid-request", 400);
/// Deadline passed.
pub(super) const EXPIRED: ProblemKind = ("ask-expired", 408);
/// Questions cancelled by the asker.
pub(super) const CANCELLED: ProblemKind = ("ask-cancelled", 410);

/// HTTP response.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct QuestionnaireResponse {
    /// HTTP status: 200, 400, 408, 410 or 499.
    pub status: u16,
    /// Media type of the body.
    pub content_type: Cow<'static, str>,
    /// JSON in one line.
    pub body: String,
}

/// Body of the spec's response 499, with the person's reason if there is one.
#[derive(Serialize)]
struct DeclinedDocument<'o> {
    cancelled: bool,
    message: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'o str>,
}

/// Problem (RFC 9457).
#[derive(Serialize)]
struct QuestionnaireProblemDocument {
    #[serde(rename = "type")]
    kind: &'static str,
    title: String,
    status: u16,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    errors: Vec<QuestionnaireProblemEntry>,
}

/// One problem of a request.
#[derive(Serialize)]
struct QuestionnaireProblemEntry {
    /// JSON pointer (RFC 6901).
    pointer: String,
    /// The same path in JavaScript's notation.
    path: String,
    code: &'static str,
    detail: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<String>,
}

/// Returns the response for an outcome: 200 with the spec's `QuestionnaireResult`, 499 if a person declined, 410 if the
/// asker cancelled, 408 if the deadline passed.
pub fn respond(questionnaire: &Questionnaire, outcome: &Outcome) -> QuestionnaireResponse {
    match outcome {
        Outcome::Answered { replies, receipt, .. } => {
            let submitted_at = format!("{:.3}", receipt.at);
            let result =
                QuestionnaireResultDocument { answers: result_answers(questionnaire, replies), submitted_at };
            QuestionnaireResponse { status: 200, content_type: JSON.into(), body: json::write(&result) }
        }
        Outcome::Declined { reason, .. } => {
            let declined =
                DeclinedDocument { cancelled: true, message: DECLINED_MESSAGE, reason: reason.as_deref() };
            QuestionnaireResponse { status: 499, content_type: JSON.into(), body: json::write(&declined) }
        }
        Outcome::Cancelled { .. } => ended_response(outcome, CANCELLED),
        Outcome::Expired { .. } => ended_response(outcome, EXPIRED),
    }
}

fn ended_response(outcome: &Outcome, (kind, status): ProblemKind) -> QuestionnaireResponse {
    let title = CliOutput::from_outcome(outcome).stderr;
    problem_response(&QuestionnaireProblemDocument { kind, title, status, errors: Vec::new() })
}

fn problem_response(document: &QuestionnaireProblemDocument) -> QuestionnaireResponse {
    QuestionnaireResponse {
        status: document.status,
        content_type: PROBLEM_JSON.into(),
        body: json::write(document),
    }
}

/// Returns the response to a request with these problems: 400, with each of them in `errors`.
pub fn refusal_response(problems: &[Problem], lang: Lang) -> QuestionnaireResponse {
    let entry = |problem: &Problem| QuestionnaireProblemEntry {
        pointer: problem.path.to_json_pointer(),
        path: problem.path.to_js_path(),
        code: problem.code.as_str(),
        detail: problem.message.render(lang),
        hint: problem.hint.as_ref().map(|hint| hint.render(lang)),
    };
    let errors: Vec<_> = problems.iter().flat_map(Problem::individual_problems).map(entry).collect();
    let title = Message::RequestHasProblems.render_with(lang, [errors.len()]);
    let (kind, status) = INVALID;
    problem_response(&QuestionnaireProblemDocument { kind, title, status, errors })
}

/// Writes an outcome for a command line: the response's body if a person answered or declined, otherwise a message, and
/// an exit code for its kind.
pub(super) fn write(questionnaire: &Questionnaire, outcome: &Outcome) -> CliOutput {
    let mut written = CliOutput::from_outcome(outcome);
    if outcome.receipt().is_some() {
        written.stdout = respond(questionnaire, outcome).body;
    }
    written
}
