//! Conversion of problems to MCP: mistakes of the model and failures of the desk, as text that explains how to
//! continue. A tool's failure is a result, not a protocol error: models only see results.

use crate::diagnostics::LoggedError;
use rmcp::ErrorData;
use rmcp::model::{CallToolResult, ContentBlock};
use sayso_core::{Lang, Problem, ProblemCode};
use std::borrow::Cow;

/// Advice after most failures of the desk.
const RETRY_ADVICE: &str = "What was asked before is kept. Make the same call again: it finds the same ask, and never makes a second one.";

/// Hint for a time limit: a bare number has no unit.
const TIMEOUT_HINT: &str = "write it with its unit, as a text: \"30s\", \"10m\", \"2h\".";

/// Error of a tool call.
#[derive(Debug)]
pub(super) enum CallError {
    /// Invalid arguments: their problems, and the changes made to them.
    InvalidArguments(Vec<Problem>, Vec<String>),
    /// Failure of the desk.
    Desk(Problem),
    /// No ask that the call could apply to; and the changes made to the arguments.
    NotFound(&'static str, Vec<String>),
    /// AUQ's message for invalid arguments, which is a protocol error there.
    AuqArguments(String),
    /// AUQ's message for a failure.
    Auq(String),
    /// The caller is gone: no one receives a reply.
    CallerGone,
}

/// Returns the protocol error for input that isn't JSON.
pub(super) fn parse_error() -> ErrorData {
    ErrorData::parse_error("The request cannot be read as JSON: send it again, mended.", None)
}

impl From<Problem> for CallError {
    fn from(problem: Problem) -> Self {
        match problem.code {
            ProblemCode::InvalidRequest => Self::InvalidArguments(problem.causes, Vec::new()),
            _ => Self::Desk(problem),
        }
    }
}

impl LoggedError for CallError {
    fn code(&self) -> Option<ProblemCode> {
        match self {
            Self::Desk(problem) => Some(problem.code),
            Self::InvalidArguments(..) | Self::AuqArguments(_) => Some(ProblemCode::InvalidRequest),
            Self::NotFound(..) => Some(ProblemCode::AskNotFound),
            Self::Auq(_) | Self::CallerGone => None,
        }
    }
}

impl CallError {
    /// Returns the error for arguments with these problems, none of which were changed.
    pub(super) const fn from_problems(problems: Vec<Problem>) -> Self {
        Self::InvalidArguments(problems, Vec::new())
    }

    /// Converts to the result of a tool, or to a protocol error if the tool's format requires it.
    ///
    /// # Errors
    /// Returns the protocol error.
    pub(super) fn to_result(&self) -> Result<CallToolResult, ErrorData> {
        match self {
            Self::AuqArguments(words) => Err(ErrorData::invalid_params(words.clone(), None)),
            _ => Ok(CallToolResult::error(vec![ContentBlock::text(self.text())])),
        }
    }

    /// Converts to a protocol error, for requests without a tool result.
    pub(super) fn to_protocol_error(&self) -> ErrorData {
        ErrorData::internal_error(self.text(), None)
    }

    /// Converts to the messages of an AUQ tool, with their prefix.
    pub(super) fn into_auq(self, arguments: fn(&[Problem]) -> String, begin: &str) -> Self {
        match self {
            Self::InvalidArguments(problems, _) => Self::AuqArguments(arguments(&problems)),
            Self::Desk(problem) => {
                let message = format!("{begin}: Error: {}", problem.message.render(Lang::En));
                Self::Auq(match problem.code {
                    ProblemCode::AskNotFound | ProblemCode::AmbiguousId => message,
                    _ => format!("{message}\n\n{}", next_step(&problem)),
                })
            }
            other => other,
        }
    }

    fn text(&self) -> String {
        match self {
            Self::InvalidArguments(problems, changes) => {
                let count = match problems.len() {
                    1 => "1 problem".to_owned(),
                    several => format!("{several} problems"),
                };
                let advice = "Mend and make the whole call again.";
                let mut lines = vec![format!("The call did nothing: {count} in its arguments. {advice}")];
                lines.extend(problems.iter().map(problem_line));
                lines.extend(change_lines("Read otherwise than written, which needs no mending:", changes));
                lines.join("\n")
            }
            Self::Desk(problem) => {
                let mut messages = vec![format!("{}: {}", problem.code, problem.message.render(Lang::En))];
                messages.extend(problem.causes.iter().map(problem_line));
                messages.push(next_step(problem).into_owned());
                messages.join("\n")
            }
            Self::NotFound(words, changes) => {
                let mut lines = vec![(*words).to_owned()];
                lines.extend(change_lines("In your arguments:", changes));
                lines.join("\n")
            }
            Self::AuqArguments(words) | Self::Auq(words) => words.clone(),
            Self::CallerGone => {
                "The call was cancelled. The question stays open: call wait_for_answer.".to_owned()
            }
        }
    }
}

/// Returns the lines about changes to the arguments.
fn change_lines(head: &str, changes: &[String]) -> Vec<String> {
    let mut lines = Vec::new();
    if !changes.is_empty() {
        lines.push(head.to_owned());
    }
    lines.extend(changes.iter().map(|change| format!("- {change}")));
    lines
}

/// Returns one problem as a line: place, message and fix.
fn problem_line(problem: &Problem) -> String {
    let place = match problem.path.to_js_path() {
        place if place.is_empty() => "the arguments".to_owned(),
        place => place,
    };
    let fix = match (&problem.hint, problem.code) {
        (Some(hint), _) => hint.render(Lang::En),
        (None, ProblemCode::InvalidType) if place == "timeout" => TIMEOUT_HINT.to_owned(),
        (None, code) => default_fix(code).to_owned(),
    };
    let mut message = problem.message.render(Lang::En);
    // Messages of parsers have no full stop.
    if !message.ends_with(['.', '!', '?', '。']) {
        message.push('.');
    }
    format!("- {place}: {message} Fix: {fix}")
}

const fn default_fix(code: ProblemCode) -> &'static str {
    match code {
        ProblemCode::Required | ProblemCode::MissingRequest => "add what is missing.",
        ProblemCode::InvalidType => "give a value of the type that the tool's schema names here.",
        ProblemCode::TooSmall => "add more, or leave the member out.",
        ProblemCode::TooBig | ProblemCode::TooLarge | ProblemCode::TooDeep => {
            "make it smaller, or ask in two questionnaires."
        }
        ProblemCode::DuplicateId => "give each its own id, or leave the ids out.",
        ProblemCode::BadPattern => "write the pattern as JavaScript has it, without flags, or leave it out.",
        ProblemCode::BadCondition => {
            "let the condition name an earlier question by its id, and an option that it has."
        }
        ProblemCode::BadConstraint => "leave the constraint out, or give one that suits the question's kind.",
        ProblemCode::NoSuchQuestion => "name an earlier question by its id.",
        ProblemCode::NoSuchOption => "name an option of that question by its id.",
        ProblemCode::UnknownMember => "leave it out.",
        ProblemCode::InvalidSetting => "write a duration: 30m, 2h, 3 days.",
        _ => "see the tool's schema.",
    }
}

fn next_step(problem: &Problem) -> Cow<'static, str> {
    let advice = match problem.code {
        // A retry by the asker would fail as well.
        ProblemCode::Unauthorized | ProblemCode::NotAllowed => {
            return match &problem.hint {
                Some(hint) => Cow::Owned(format!("Tell the user. {}", hint.render(Lang::En))),
                None => Cow::Borrowed("Tell the user."),
            };
        }
        ProblemCode::KeyReused => {
            "The key belongs to other questions. Use another key, or call wait_for_answer for the ask that has it."
        }
        ProblemCode::AskNotFound | ProblemCode::AmbiguousId => {
            "Call list_asks to see your asks, and use a full ask_id."
        }
        ProblemCode::InvalidSetting | ProblemCode::InvalidValue | ProblemCode::TooBig => {
            "Fix that argument and repeat the whole call."
        }
        _ => RETRY_ADVICE,
    };
    Cow::Borrowed(advice)
}
