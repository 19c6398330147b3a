//! Conversion of problems to MCP: mistakes of the model and failures of the desk, as text that explains how to
//! continue. A tool's failure is a result, not a protocol error: models only see results.

use rmcp::ErrorData;
use rmcp::model::{CallToolResult, ContentBlock};
use sayso_core::{Code, Lang, Problem};
use std::borrow::Cow;
use std::iter;

/// Advice after most failures of the desk.
const KEPT: &str = "What was asked before is kept. Make the same call again: it finds the same ask, and never makes a second one.";

/// Hint for a time limit: a bare number has no unit.
const TIMEOUT: &str = "write it with its unit, as a text: \"30s\", \"10m\", \"2h\".";

/// Error of a tool call.
#[derive(Debug)]
pub(super) enum Refusal {
    /// Invalid arguments: their problems, and the changes made to them.
    Wrong(Vec<Problem>, Vec<String>),
    /// Failure of the desk.
    Desk(Problem),
    /// No ask that the call could apply to; and the changes made to the arguments.
    Nothing(&'static str, Vec<String>),
    /// AUQ's message for invalid arguments, which is a protocol error there.
    AuqArguments(String),
    /// AUQ's message for a failure.
    Auq(String),
    /// The caller is gone: no one receives a reply.
    Gone,
}

impl From<Problem> for Refusal {
    fn from(problem: Problem) -> Self {
        match problem.code {
            Code::InvalidRequest => Self::Wrong(problem.causes, Vec::new()),
            _ => Self::Desk(problem),
        }
    }
}

impl Refusal {
    /// Converts to the result of a tool, or to a protocol error if the tool's format requires it.
    ///
    /// # Errors
    /// Returns the protocol error.
    pub(super) fn answer(&self) -> Result<CallToolResult, ErrorData> {
        match self {
            Self::AuqArguments(words) => Err(ErrorData::invalid_params(words.clone(), None)),
            _ => Ok(CallToolResult::error(vec![ContentBlock::text(self.text())])),
        }
    }

    /// Converts to a protocol error, for requests without a tool result.
    pub(super) fn error(&self) -> ErrorData {
        ErrorData::internal_error(self.text(), None)
    }

    /// Converts to the messages of an AUQ tool, with their prefix.
    pub(super) fn in_auq(self, arguments: fn(&[Problem]) -> String, begin: &str) -> Self {
        match self {
            Self::Wrong(problems, _) => Self::AuqArguments(arguments(&problems)),
            Self::Desk(problem) => {
                let message = format!("{begin}: Error: {}", problem.message.render(Lang::En));
                Self::Auq(match problem.code {
                    Code::AskNotFound | Code::AmbiguousId => message,
                    _ => format!("{message}\n\n{}", way_on(&problem)),
                })
            }
            other => other,
        }
    }

    fn text(&self) -> String {
        match self {
            Self::Wrong(problems, changes) => {
                let count = match problems.len() {
                    1 => "1 problem".to_owned(),
                    several => format!("{several} problems"),
                };
                let again = "Mend and make the whole call again.";
                let mut lines = vec![format!("The call did nothing: {count} in its arguments. {again}")];
                lines.extend(problems.iter().map(line));
                lines.extend(told("Read otherwise than written, which needs no mending:", changes));
                lines.join("\n")
            }
            Self::Desk(problem) => {
                let mut said = vec![format!("{}: {}", problem.code, problem.message.render(Lang::En))];
                said.extend(problem.causes.iter().map(line));
                said.push(way_on(problem).into_owned());
                said.join("\n")
            }
            Self::Nothing(words, ignored) => {
                let ignored = told("In your arguments:", ignored);
                iter::once((*words).to_owned()).chain(ignored).collect::<Vec<_>>().join("\n")
            }
            Self::AuqArguments(words) | Self::Auq(words) => words.clone(),
            Self::Gone => "The call was cancelled. The question stays open: call wait_for_answer.".to_owned(),
        }
    }
}

/// Returns the lines about changes to the arguments.
fn told(head: &str, changes: &[String]) -> Vec<String> {
    let head = iter::once(head.to_owned()).filter(|_| !changes.is_empty());
    head.chain(changes.iter().map(|change| format!("- {change}"))).collect()
}

/// Returns one problem as a line: place, message and fix.
fn line(problem: &Problem) -> String {
    let place = match problem.path.bracketed() {
        place if place.is_empty() => "the arguments".to_owned(),
        place => place,
    };
    let hint = problem.hint.as_ref().map(|hint| hint.render(Lang::En));
    let fix = hint.unwrap_or_else(|| match (place.as_str(), problem.code) {
        ("timeout", Code::InvalidType) => TIMEOUT.to_owned(),
        (_, code) => fix(code).to_owned(),
    });
    let mut message = problem.message.render(Lang::En);
    // Messages of parsers have no full stop.
    if !message.ends_with(['.', '!', '?', '。']) {
        message.push('.');
    }
    format!("- {place}: {message} Fix: {fix}")
}

const fn fix(code: Code) -> &'static str {
    match code {
        Code::Required | Code::MissingRequest => "add what is missing.",
        Code::InvalidType => "give a value of the type that the tool's schema names here.",
        Code::TooSmall => "add more, or leave the member out.",
        Code::TooBig | Code::TooLarge | Code::TooDeep => "make it smaller, or ask in two questionnaires.",
        Code::DuplicateId => "give each its own id, or leave the ids out.",
        Code::BadPattern => "write the pattern as JavaScript has it, without flags, or leave it out.",
        Code::BadCondition => {
            "let the condition name an earlier question by its id, and an option that it has."
        }
        Code::BadConstraint => "leave the constraint out, or give one that suits the question's kind.",
        Code::NoSuchQuestion => "name an earlier question by its id.",
        Code::NoSuchOption => "name an option of that question by its id.",
        Code::UnknownMember => "leave it out.",
        Code::InvalidSetting => "write a duration: 30m, 2h, 3 days.",
        _ => "see the tool's schema.",
    }
}

fn way_on(problem: &Problem) -> Cow<'static, str> {
    Cow::Borrowed(match problem.code {
        // A retry by the asker would fail as well.
        Code::Unauthorized | Code::NotAllowed => {
            let hint = problem.hint.as_ref().map(|hint| format!(" {}", hint.render(Lang::En)));
            return Cow::Owned(format!("Tell the user.{}", hint.unwrap_or_default()));
        }
        Code::KeyReused => {
            "The key belongs to other questions. Use another key, or call wait_for_answer for the ask that has it."
        }
        Code::AskNotFound | Code::AmbiguousId => "Call list_asks to see your asks, and use a full ask_id.",
        Code::InvalidSetting | Code::InvalidValue | Code::TooBig => {
            "Mend that argument and make the whole call again."
        }
        _ => KEPT,
    })
}
