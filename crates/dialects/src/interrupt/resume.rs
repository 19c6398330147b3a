//! Decisions of a client: the spec's `ResumeRequest`, the errors of one, and its effect on the questions.
//!
//! The checks come in stages, because a server has its own in between:
//!
//! 1. [`ResumeRequest::parse_body`]: malformed JSON, 422.
//! 2. The server's check of the token, 401.
//! 3. [`ResumeRequest::from_body`]: the shape, 422.
//! 4. The server's check of the thread, 403.
//! 5. [`ResumeRequest::action`]: the action, 400.
//! 6. [`resolve_decision`]: its problems go into the stream.

use super::extensions::InterruptExtensions;
use super::messages::{self, FIELD_REQUIRED, INVALID_JSON, LIST_EXPECTED, OBJECT_EXPECTED, STRING_EXPECTED};
use super::translation::typed_answer;
use super::{approval, json_errors};
use crate::format::problem_list::verbatim;
use crate::format::submitted_answers::SubmittedAnswers;
use sayso_core::Message;
use sayso_core::model::document_path::PathStep;
use sayso_core::wire::json;
use sayso_core::{
    Answer, DocumentPath, Pick, Problem, ProblemCode, Question, QuestionInput, Questionnaire, Replies, Reply,
    Sheet,
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Body of the right shape. Members that the spec does not know are ignored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResumeRequest {
    /// Name of the action, not validated yet.
    pub action: String,
    /// Answers in the order of the questions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answers: Option<Vec<String>>,
    /// Reason for a `cancel`. The spec has no such member: one that is no text is ignored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// Action that a client requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ResumeAction<'r> {
    /// Let the agent continue.
    Continue,
    /// Do not let it continue, or decline its questions.
    Cancel,
    /// Answer its questions.
    Answer(&'r [String]),
}

/// Rejection of a body before the thread is looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum InterruptBodyError {
    /// Body that is not JSON or does not have the shape: status 422.
    Unprocessable(Vec<InterruptBodyIssue>),
    /// Unknown or incomplete action: status 400, with this message.
    BadRequest(&'static str),
}

/// Validation error of a body, in the format of the original's framework.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct InterruptBodyIssue {
    /// Stable code, for programs.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// Path of the error, beginning with `body`.
    pub loc: DocumentPath,
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
pub enum ResumeDecision {
    /// Answer with these replies, which the sheet still validates.
    Answer(SubmittedAnswers),
    /// Decline the ask.
    Decline,
}

impl InterruptBodyError {
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
            Self::Unprocessable(issues) => json!({ "detail": issues }),
            Self::BadRequest(words) => json!({ "detail": words }),
        }
    }

    /// Converts the errors to problems, each with its path in the body.
    fn into_problems(self) -> Vec<Problem> {
        match self {
            Self::Unprocessable(issues) => issues.into_iter().map(InterruptBodyIssue::into_problem).collect(),
            Self::BadRequest(words) => vec![verbatim(ProblemCode::InvalidValue, words)],
        }
    }
}

impl From<InterruptBodyError> for Vec<Problem> {
    fn from(error: InterruptBodyError) -> Self {
        error.into_problems()
    }
}

impl InterruptBodyIssue {
    /// Converts the issue to a problem with its path in the body.
    fn into_problem(self) -> Problem {
        let error = self.ctx.as_ref().and_then(|ctx| ctx.get("error")).and_then(Value::as_str);
        let words = match error {
            Some(error) => format!("{}: {error}", self.msg),
            None => self.msg.to_owned(),
        };
        let code = match self.kind {
            "json_invalid" => ProblemCode::InvalidJson,
            "missing" => ProblemCode::Required,
            _ => ProblemCode::InvalidType,
        };
        // A position in the text is not a path in the document.
        if code == ProblemCode::InvalidJson {
            return verbatim(code, words);
        }
        let steps = self.loc.0.into_iter().skip(1).collect();
        verbatim(code, words).at(DocumentPath(steps))
    }

    fn new(kind: &'static str, steps: &[PathStep], msg: &'static str, input: &Value) -> Self {
        let body = std::iter::once(PathStep::from("body"));
        let loc = DocumentPath(body.chain(steps.iter().cloned()).collect());
        Self { kind, loc, msg, input: input.clone(), ctx: None }
    }

    /// Returns the members of a body.
    pub(super) fn body_members(body: &Value) -> Result<&Map<String, Value>, InterruptBodyError> {
        let (kind, msg) = match body {
            Value::Object(members) => return Ok(members),
            Value::Null => ("missing", FIELD_REQUIRED),
            _ => ("model_attributes_type", OBJECT_EXPECTED),
        };
        Err(InterruptBodyError::Unprocessable(vec![Self::new(kind, &[], msg, body)]))
    }

    /// Returns a required text; if it is missing or no text, adds an error.
    pub(super) fn required_text(
        members: &Map<String, Value>,
        name: &str,
        body: &Value,
        issues: &mut Vec<Self>,
    ) -> String {
        let issue = match members.get(name) {
            Some(Value::String(text)) => return text.clone(),
            Some(other) => Self::new("string_type", &[name.into()], STRING_EXPECTED, other),
            None => Self::new("missing", &[name.into()], FIELD_REQUIRED, body),
        };
        issues.push(issue);
        String::new()
    }
}

impl ResumeRequest {
    /// Parses a body as JSON; null if it is empty.
    ///
    /// # Errors
    /// Fails with [`InterruptBodyError::Unprocessable`] for a text that is not JSON, or is too large or too deep.
    pub fn parse_body(text: &str) -> Result<Value, InterruptBodyError> {
        if text.is_empty() {
            return Ok(Value::Null);
        }
        let problem = match json::read_body(text) {
            Ok(body) => return Ok(body),
            Err(problem) => problem,
        };
        let (place, error) = json_errors::python_error(text, &problem);
        let input = Value::Object(Map::new());
        let mut issue =
            InterruptBodyIssue::new("json_invalid", &[PathStep::Index(place)], INVALID_JSON, &input);
        issue.ctx = Some(json!({ "error": error }));
        Err(InterruptBodyError::Unprocessable(vec![issue]))
    }

    /// Validates a body.
    ///
    /// # Errors
    /// Fails with [`InterruptBodyError::Unprocessable`] and all errors, in the order of the members.
    pub fn from_body(body: &Value) -> Result<Self, InterruptBodyError> {
        let members = InterruptBodyIssue::body_members(body)?;
        let mut issues = Vec::new();
        let action = InterruptBodyIssue::required_text(members, "action", body, &mut issues);
        let answers = match members.get("answers") {
            None | Some(Value::Null) => None,
            Some(Value::Array(items)) => {
                let mut answers = Vec::with_capacity(items.len());
                for (index, item) in items.iter().enumerate() {
                    match item {
                        Value::String(text) => answers.push(text.clone()),
                        item => {
                            let place = ["answers".into(), PathStep::Index(index)];
                            issues.push(InterruptBodyIssue::new(
                                "string_type",
                                &place,
                                STRING_EXPECTED,
                                item,
                            ));
                        }
                    }
                }
                Some(answers)
            }
            Some(other) => {
                issues.push(InterruptBodyIssue::new("list_type", &["answers".into()], LIST_EXPECTED, other));
                None
            }
        };
        if issues.is_empty() {
            let reason = members.get("reason").and_then(Value::as_str).map(str::to_owned);
            Ok(Self { action, answers, reason })
        } else {
            Err(InterruptBodyError::Unprocessable(issues))
        }
    }

    /// Returns the action that the client requests.
    ///
    /// # Errors
    /// Fails with [`InterruptBodyError::BadRequest`] for an unknown action, and for answers that are missing or empty but
    /// required.
    pub fn action(&self) -> Result<ResumeAction<'_>, InterruptBodyError> {
        match (self.action.as_str(), self.answers.as_deref()) {
            ("continue", _) => Ok(ResumeAction::Continue),
            ("cancel", _) => Ok(ResumeAction::Cancel),
            ("answer", Some(answers @ [_, ..])) => Ok(ResumeAction::Answer(answers)),
            ("answer", _) => Err(InterruptBodyError::BadRequest(messages::ANSWERS_REQUIRED)),
            _ => Err(InterruptBodyError::BadRequest(messages::UNKNOWN_ACTION)),
        }
    }
}

fn answer_not_supported() -> Problem {
    verbatim(ProblemCode::InvalidValue, messages::ANSWER_NOT_SUPPORTED)
}

/// Returns the problem of a request for a thread that is not interrupted.
pub fn not_waiting_problem(request: &ResumeRequest) -> Problem {
    match request.action() {
        Ok(ResumeAction::Answer(_)) => answer_not_supported(),
        _ => verbatim(ProblemCode::InvalidValue, messages::NOT_WAITING),
    }
}

/// Returns the decision of a request about the questions of a thread.
///
/// # Errors
/// Returns the first problem in the words of the spec, which [`rejection_events`](super::rejection_events) reports in the stream:
///
/// 1. An action that does not fit the questions.
/// 2. A wrong number of answers.
/// 3. An answer that is empty once trimmed.
/// 4. An answer that is no option's value, if no typed text is accepted.
/// 5. An answer that breaks a rule of its question, in the words of the rule.
pub fn resolve_decision(
    questionnaire: &Questionnaire,
    request: &ResumeRequest,
) -> Result<ResumeDecision, Problem> {
    let action = match request.action() {
        Ok(action) => action,
        Err(error) => return Err(error.into_problems().pop().unwrap_or_else(answer_not_supported)),
    };
    let extensions = InterruptExtensions::from_questionnaire(questionnaire);
    match (action, approval::find_approval(questionnaire, &extensions)) {
        (ResumeAction::Cancel, _) => Ok(ResumeDecision::Decline),
        (ResumeAction::Continue, Some(question)) if approval::is_open_choice(question, &extensions) => {
            Err(verbatim(ProblemCode::InvalidValue, messages::PICK_OPTION))
        }
        (ResumeAction::Continue, Some(question)) => {
            let mut replies = Replies::new();
            if let QuestionInput::Toggle(_) = question.input() {
                replies.insert(question.id.clone(), Reply::from_answer(Answer::Confirm(true)));
            } else if let Some(option) = approval::agreeing_option(question, &extensions) {
                replies.insert(question.id.clone(), Reply::from_picks([Pick::Option(option)]));
            }
            Ok(ResumeDecision::Answer(SubmittedAnswers::from_replies(replies)))
        }
        (ResumeAction::Continue, None) => {
            Err(verbatim(ProblemCode::InvalidValue, messages::CONTINUE_NOT_SUPPORTED))
        }
        (ResumeAction::Answer(_), Some(question)) if question.choice().is_none() => {
            Err(answer_not_supported())
        }
        (ResumeAction::Answer(answers), _) => {
            let replies = parse_replies(&questionnaire.questions, answers, &extensions)?;
            validate(questionnaire, &replies)?;
            Ok(ResumeDecision::Answer(SubmittedAnswers::from_replies(replies)))
        }
    }
}

/// Validates replies as the desk does, and returns the first problem with the index of its answer.
fn validate(questionnaire: &Questionnaire, replies: &Replies) -> Result<(), Problem> {
    let sheet = Sheet::new(Arc::new(questionnaire.clone()), replies.clone());
    let Err(problem) = sheet.submission() else { return Ok(()) };
    let first = problem.causes.first().cloned().unwrap_or(problem);
    let index = match first.path.0.get(1) {
        Some(PathStep::Key(id)) => {
            questionnaire.questions.iter().position(|question| question.id.as_str() == id)
        }
        _ => None,
    };
    Err(match index {
        Some(index) => first.at(answer_place(index)),
        None => first,
    })
}

fn answer_place(index: usize) -> DocumentPath {
    DocumentPath::root().join("answers").join(index)
}

fn parse_replies(
    questions: &[Question],
    answers: &[String],
    extensions: &InterruptExtensions,
) -> Result<Replies, Problem> {
    if answers.len() != questions.len() {
        let words = messages::wrong_count(answers.len(), questions.len());
        return Err(verbatim(ProblemCode::InvalidAnswers, words));
    }
    // The spec's message comes before any of the sheet's, and contains the index in the client's list.
    if let Some(index) = answers.iter().position(|answer| answer.trim().is_empty()) {
        let words = messages::empty_answer(index);
        return Err(verbatim(ProblemCode::NeedsAnswer, words).at(answer_place(index)));
    }
    let reserved_texts = extensions.reserved_texts(questions);
    let mut replies = Replies::new();
    for (index, (question, answer)) in questions.iter().zip(answers).enumerate() {
        let reply = match typed_answer::parse(question, answer, index) {
            Some(reply) => reply,
            None => match parse_pick(question, answer, &reserved_texts) {
                Some(pick) => Ok(Reply::from_picks([pick])),
                None => Err(verbatim(ProblemCode::NoSuchOption, messages::not_an_option(index))),
            },
        };
        match reply {
            Ok(reply) => _ = replies.insert(question.id.clone(), reply),
            Err(problem) => return Err(problem.at(answer_place(index))),
        }
    }
    Ok(replies)
}

/// Parses an answer: the first option with that value, or typed text unless it equals an option for typed text.
fn parse_pick(question: &Question, answer: &str, reserved_texts: &BTreeSet<String>) -> Option<Pick> {
    let choice = question.choice()?;
    if let Some(option) = choice.options.iter().find(|option| option.sent_value() == answer) {
        return Some(Pick::Option(option.id.clone()));
    }
    let words = answer.trim();
    if !choice.other || reserved_texts.contains(words) {
        return None;
    }
    Some(Pick::Other(words.to_owned()))
}

/// Reads a [`ResumeRequest`] as answers.
///
/// # Errors
/// Fails if it is invalid or does not fit the questions (see [`resolve_decision`]), and for `cancel`, which declines the ask
/// instead of answering it.
pub(crate) fn read_answers(
    questionnaire: &Questionnaire,
    text: &str,
) -> Result<SubmittedAnswers, Vec<Problem>> {
    let body = ResumeRequest::parse_body(text)?;
    let request = ResumeRequest::from_body(&body)?;
    request.action()?;
    match resolve_decision(questionnaire, &request)? {
        ResumeDecision::Answer(answers) => Ok(answers),
        ResumeDecision::Decline => Err(vec![
            Problem::new(ProblemCode::InvalidValue, Message::CancelDeclines)
                .at(DocumentPath::root().join("action")),
        ]),
    }
}
