//! Requests, outcomes and ids for the other tests.

use sayso_core::{AskId, Outcome, Problem, Questionnaire, Replies, Reply};
use sayso_dialects::{Dialect, DialectLimits, ParsedRequest};
use serde_json::{Value, json};

/// Returns a question with an option for each label.
pub(crate) fn question(header: &str, labels: &[&str], multi: bool) -> Value {
    let option = |label: &&str| json!({ "label": label, "description": format!("{label} it is") });
    let options: Vec<_> = labels.iter().map(option).collect();
    json!({ "question": format!("Which {header}?"), "header": header, "options": options, "multiSelect": multi })
}

/// Returns the text of a request with these questions.
pub(crate) fn request(questions: &[Value]) -> String {
    json!({ "questions": questions }).to_string()
}

/// Reads a request of `AskUserQuestion` with the usual limits.
pub(crate) fn read(text: &str) -> Result<ParsedRequest, Vec<Problem>> {
    Dialect::AskUserQuestion.read(text, &DialectLimits::default())
}

/// Returns the questionnaire of a request with these questions.
pub(crate) fn questionnaire(questions: &[Value]) -> Questionnaire {
    read(&request(questions)).unwrap().questionnaire
}

/// Returns an arbitrary ask id.
pub(crate) fn ask() -> AskId {
    AskId::parse("01890a5d-ac96-774b-bcce-b302099a8057").unwrap()
}

fn receipt() -> Value {
    let shown = "0".repeat(64);
    let at = "2026-01-02T03:04:05Z";
    json!({ "by": "ada", "surface": "prompter", "assurance": "terminal", "at": at, "shown": shown })
}

/// Returns the outcome of these replies.
pub(crate) fn answered(replies: Replies) -> Outcome {
    answered_as(replies, None)
}

/// Returns the outcome of these replies, with the original answers of a program.
pub(crate) fn answered_as(replies: Replies, as_sent: Option<Value>) -> Outcome {
    let receipt = serde_json::from_value(receipt()).unwrap();
    Outcome::Answered { replies, as_sent, receipt, verdict: None }
}

/// Returns the outcome of replies to the questions in their order.
pub(crate) fn answered_in_order(questionnaire: &Questionnaire, replies: Vec<Reply>) -> Outcome {
    let ids = questionnaire.questions.iter().map(|question| question.id.clone());
    answered(ids.zip(replies).collect())
}

/// Returns the outcome of a decline.
pub(crate) fn declined(reason: Option<&str>) -> Outcome {
    let outcome = json!({ "outcome": "declined", "reason": reason, "receipt": receipt() });
    serde_json::from_value(outcome).unwrap()
}

/// Returns an outcome of this kind, without a person.
pub(crate) fn ended(kind: &str) -> Outcome {
    serde_json::from_value(json!({ "outcome": kind, "at": "2026-01-02T03:04:05Z" })).unwrap()
}
