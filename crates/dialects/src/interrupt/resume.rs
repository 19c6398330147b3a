//! Decisions of a client: the spec's `ResumeRequest`, the errors of one, and its effect on the questions.
//!
//! The checks come in stages, because a server has its own in between:
//!
//! 1. [`ResumeRequest::body`]: malformed JSON, 422.
//! 2. The server's check of the token, 401.
//! 3. [`ResumeRequest::of`]: the shape, 422.
//! 4. The server's check of the thread, 403.
//! 5. [`ResumeRequest::action`]: the action, 400.
//! 6. [`decision`]: its problems go into the stream.

use super::kept::Kept;
use super::{approval, malformed, request};
use crate::Given;
use sayso_core::message::{Message, Text};
use sayso_core::problem::Step;
use sayso_core::wire::json;
use sayso_core::{Answer, Code, Kind, Path, Pick, Problem, Question, Questionnaire, Replies, Reply};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

const TEXT: &str = "Input should be a valid string";
const MISSING: &str = "Field required";

/// Body of the right shape. Members that the spec does not know are ignored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResumeRequest {
    /// Name of the action, not validated yet.
    pub action: String,
    /// Answers in the order of the questions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answers: Option<Vec<String>>,
}

/// Action that a client requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action<'r> {
    /// Let the agent continue.
    Continue,
    /// Do not let it continue, or decline its questions.
    Cancel,
    /// Answer its questions.
    Answer(&'r [String]),
}

/// Rejection of a body before the thread is looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// Body that is not JSON or does not have the shape: status 422.
    Unprocessable(Vec<Invalid>),
    /// Unknown or incomplete action: status 400, with this message.
    BadRequest(&'static str),
}

/// Validation error of a body, in the format of the original's framework.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Invalid {
    /// Stable code, for programs.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// Path of the error, beginning with `body`.
    pub loc: Path,
    /// Message, for people.
    pub msg: &'static str,
    /// Value at that path.
    pub input: Value,
    /// Further details.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ctx: Option<Value>,
}

/// Decision that a resume request results in.
#[derive(Debug, Clone, PartialEq)]
pub enum Decision {
    /// Answer with these replies, which the sheet still validates.
    Answer(Given),
    /// Decline the ask.
    Decline,
}

impl Refusal {
    /// Returns the HTTP status.
    pub const fn status(&self) -> u16 {
        match self {
            Self::Unprocessable(_) => 422,
            Self::BadRequest(_) => 400,
        }
    }

    /// Returns the body of the response: `{"detail": …}`.
    pub fn body(&self) -> Value {
        match self {
            Self::Unprocessable(invalid) => json!({ "detail": invalid }),
            Self::BadRequest(words) => json!({ "detail": words }),
        }
    }

    /// Converts the errors to problems, each with its path in the body.
    fn problems(self) -> Vec<Problem> {
        let problem = |invalid: Invalid| {
            let words = match invalid.ctx.as_ref().and_then(|ctx| ctx.get("error")).and_then(Value::as_str) {
                Some(error) => format!("{}: {error}", invalid.msg),
                None => invalid.msg.to_owned(),
            };
            let code = match invalid.kind {
                "json_invalid" => Code::InvalidJson,
                "missing" => Code::Required,
                _ => Code::InvalidType,
            };
            // A position in the text is not a path in the document.
            let steps = invalid.loc.0.into_iter().skip(1).filter(|_| code != Code::InvalidJson);
            Problem::new(code, Text::Verbatim(words)).at(Path(steps.collect()))
        };
        match self {
            Self::Unprocessable(invalid) => invalid.into_iter().map(problem).collect(),
            Self::BadRequest(words) => vec![verbatim(Code::InvalidValue, words)],
        }
    }
}

impl Invalid {
    fn new(kind: &'static str, steps: &[Step], msg: &'static str, input: &Value) -> Self {
        let body = std::iter::once(Step::from("body"));
        let loc = Path(body.chain(steps.iter().cloned()).collect());
        Self { kind, loc, msg, input: input.clone(), ctx: None }
    }

    /// Returns the members of a body.
    pub(super) fn members(body: &Value) -> Result<&Map<String, Value>, Refusal> {
        let (kind, msg) = match body {
            Value::Object(members) => return Ok(members),
            Value::Null => ("missing", MISSING),
            _ => (
                "model_attributes_type",
                "Input should be a valid dictionary or object to extract fields from",
            ),
        };
        Err(Refusal::Unprocessable(vec![Self::new(kind, &[], msg, body)]))
    }

    /// Returns a required text; if it is missing or no text, adds an error.
    pub(super) fn text(
        members: &Map<String, Value>,
        name: &str,
        body: &Value,
        invalid: &mut Vec<Self>,
    ) -> String {
        let wrong = match members.get(name) {
            Some(Value::String(text)) => return text.clone(),
            Some(other) => Self::new("string_type", &[name.into()], TEXT, other),
            None => Self::new("missing", &[name.into()], MISSING, body),
        };
        invalid.push(wrong);
        String::new()
    }
}

impl ResumeRequest {
    /// Parses a body as JSON; null if it is empty.
    ///
    /// # Errors
    /// Fails with [`Refusal::Unprocessable`] for a text that is not JSON, or is too large or too deep.
    pub fn body(text: &str) -> Result<Value, Refusal> {
        if text.is_empty() {
            return Ok(Value::Null);
        }
        json::read_body(text).map_err(|problem| {
            let (place, error) = malformed::fault(text, &problem);
            let input = Value::Object(Map::new());
            let invalid = Invalid::new("json_invalid", &[Step::Index(place)], "JSON decode error", &input);
            Refusal::Unprocessable(vec![Invalid { ctx: Some(json!({ "error": error })), ..invalid }])
        })
    }

    /// Validates a body.
    ///
    /// # Errors
    /// Fails with [`Refusal::Unprocessable`] and all errors, in the order of the members.
    pub fn of(body: &Value) -> Result<Self, Refusal> {
        let members = Invalid::members(body)?;
        let mut invalid = Vec::new();
        let action = Invalid::text(members, "action", body, &mut invalid);
        let answers = match members.get("answers") {
            None | Some(Value::Null) => None,
            Some(Value::Array(items)) => {
                let mut answers = Vec::with_capacity(items.len());
                for (index, item) in items.iter().enumerate() {
                    match item {
                        Value::String(text) => answers.push(text.clone()),
                        item => {
                            let place = ["answers".into(), Step::Index(index)];
                            invalid.push(Invalid::new("string_type", &place, TEXT, item));
                        }
                    }
                }
                Some(answers)
            }
            Some(other) => {
                let msg = "Input should be a valid list";
                invalid.push(Invalid::new("list_type", &["answers".into()], msg, other));
                None
            }
        };
        if invalid.is_empty() { Ok(Self { action, answers }) } else { Err(Refusal::Unprocessable(invalid)) }
    }

    /// Returns the action that the client requests.
    ///
    /// # Errors
    /// Fails with [`Refusal::BadRequest`] for an unknown action, and for answers that are missing or empty but
    /// required.
    pub fn action(&self) -> Result<Action<'_>, Refusal> {
        match (self.action.as_str(), self.answers.as_deref()) {
            ("continue", _) => Ok(Action::Continue),
            ("cancel", _) => Ok(Action::Cancel),
            ("answer", Some(answers @ [_, ..])) => Ok(Action::Answer(answers)),
            ("answer", _) => Err(Refusal::BadRequest("answers is required when action is 'answer'")),
            _ => Err(Refusal::BadRequest("Action must be 'continue', 'cancel' or 'answer'")),
        }
    }
}

fn verbatim(code: Code, words: impl Into<String>) -> Problem {
    Problem::new(code, Text::Verbatim(words.into()))
}

fn not_answered() -> Problem {
    verbatim(Code::InvalidValue, "只有 ask_user 工具支持 'answer' 操作")
}

/// Returns the problem of a request for a thread that is not interrupted.
pub fn not_waiting(request: &ResumeRequest) -> Problem {
    match request.action() {
        Ok(Action::Answer(_)) => not_answered(),
        _ => verbatim(Code::InvalidValue, "Thread is not waiting for a decision"),
    }
}

/// Returns the decision of a request about the questions of a thread.
///
/// # Errors
/// Returns the first problem in the words of the spec, which [`refused`](super::refused) reports in the stream:
///
/// 1. An action that does not fit the questions.
/// 2. A wrong number of answers.
/// 3. An answer that is empty once trimmed.
/// 4. An answer that is no option's value, if no typed text is accepted.
pub fn decision(questionnaire: &Questionnaire, request: &ResumeRequest) -> Result<Decision, Problem> {
    let wrong = |refusal: Refusal| refusal.problems().pop().unwrap_or_else(not_answered);
    let extensions = Kept::of(questionnaire);
    let approved = approval::approved(questionnaire, &extensions);
    match (request.action().map_err(wrong)?, approved) {
        (Action::Cancel, _) => Ok(Decision::Decline),
        (Action::Continue, Some(question)) => {
            let agreed = match (&question.kind, approval::agreement(question, &extensions)) {
                (Kind::Confirm(_), _) => Some(Reply::of(Answer::Confirm(true))),
                (_, option) => option.map(|id| Reply::picks([Pick::Option(id)])),
            };
            let replies = agreed.map(|reply| (question.id.clone(), reply)).into_iter().collect();
            Ok(Decision::Answer(Given::of(replies)))
        }
        (Action::Continue, None) => {
            Err(verbatim(Code::InvalidValue, "ask_user 工具只支持 'answer' 或 'cancel' 操作"))
        }
        (Action::Answer(_), Some(_)) => Err(not_answered()),
        (Action::Answer(answers), None) => {
            let asked = request::asked(questionnaire, &extensions);
            replies(&asked, answers, &extensions).map(|replies| Decision::Answer(Given::of(replies)))
        }
    }
}

fn replies(asked: &[&Question], answers: &[String], extensions: &Kept) -> Result<Replies, Problem> {
    if answers.len() != asked.len() {
        let words =
            format!("answers count ({}) does not match questions count ({})", answers.len(), asked.len());
        return Err(verbatim(Code::InvalidAnswers, words));
    }
    let place = |index: usize| Path::root().then("answers").then(index);
    // The spec's message comes before any of the sheet's, and contains the index in the client's list.
    if let Some(index) = answers.iter().position(|answer| answer.trim().is_empty()) {
        let words = format!("answer at index {index} is empty");
        return Err(verbatim(Code::NeedsAnswer, words).at(place(index)));
    }
    let reserved = extensions.reserved(asked.iter().copied());
    let mut replies = Replies::new();
    for (index, (question, answer)) in asked.iter().zip(answers).enumerate() {
        let pick = pick(question, answer, &reserved).ok_or_else(|| {
            let words = format!("answer at index {index} is not an option");
            verbatim(Code::NoSuchOption, words).at(place(index))
        })?;
        replies.insert(question.id.clone(), Reply::picks([pick]));
    }
    Ok(replies)
}

/// Parses an answer: the first option with that value, or typed text unless it equals an option for typed text.
fn pick(question: &Question, answer: &str, reserved: &BTreeSet<String>) -> Option<Pick> {
    let Kind::Choice(choice) = &question.kind else { return None };
    if let Some(option) = choice.options.iter().find(|option| option.sent() == answer) {
        return Some(Pick::Option(option.id.clone()));
    }
    let typed = answer.trim();
    (choice.other && !reserved.contains(typed)).then(|| Pick::Other(typed.to_owned()))
}

/// Reads a [`ResumeRequest`] as answers.
///
/// # Errors
/// Fails if it is invalid or does not fit the questions (see [`decision`]), and for `cancel`, which declines the ask
/// instead of answering it.
pub fn read_answers(questionnaire: &Questionnaire, text: &str) -> Result<Given, Vec<Problem>> {
    let body = ResumeRequest::body(text).map_err(Refusal::problems)?;
    let request = ResumeRequest::of(&body).map_err(Refusal::problems)?;
    request.action().map_err(Refusal::problems)?;
    match decision(questionnaire, &request).map_err(|problem| vec![problem])? {
        Decision::Answer(given) => Ok(given),
        Decision::Decline => Err(vec![
            Problem::new(Code::InvalidValue, Message::CancelDeclines).at(Path::root().then("action")),
        ]),
    }
}
