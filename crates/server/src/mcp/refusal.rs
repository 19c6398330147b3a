//! The one place where problems meet MCP: what a model did wrong, and what the desk could not do, as text that tells how
//! to go on. A tool's own failure is a result, not an error of the protocol: only so does the model see it.

use rmcp::ErrorData;
use rmcp::model::{CallToolResult, ContentBlock};
use sayso_core::{Code, Lang, Problem};
use std::borrow::Cow;
use std::iter;

/// How to go on after most of what a desk cannot do.
const KEPT: &str = "What was asked before is kept. Make the same call again: it finds the same ask, and never makes a second one.";

/// How a time limit is written: a number leaves open what it counts.
const TIMEOUT: &str = "write it with its unit, as a text: \"30s\", \"10m\", \"2h\".";

/// A call that did not do what it was called for.
#[derive(Debug)]
pub(super) enum Refusal {
    /// The questionnaire, or another argument, has these problems.
    Wrong(Vec<Problem>, Vec<String>),
    /// The desk could not do it.
    Desk(Problem),
    /// There is nothing that it could be done to; and what was read otherwise than written.
    Nothing(&'static str, Vec<String>),
    /// AUQ's words for arguments that are wrong, which are an error of the protocol there.
    AuqArguments(String),
    /// AUQ's words for what could not be done.
    Auq(String),
    /// The caller is gone: whatever is said is not heard.
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
    /// As the result of a tool, or as an error of the protocol where a tool's format wants that.
    ///
    /// # Errors
    /// The error of the protocol.
    pub(super) fn answer(&self) -> Result<CallToolResult, ErrorData> {
        match self {
            Self::AuqArguments(words) => Err(ErrorData::invalid_params(words.clone(), None)),
            _ => Ok(CallToolResult::error(vec![ContentBlock::text(self.text())])),
        }
    }

    /// As an error of the protocol, where there is no tool whose result could say it.
    pub(super) fn error(&self) -> ErrorData {
        ErrorData::internal_error(self.text(), None)
    }

    /// The same in the words of a tool of AUQ's, which begin so.
    pub(super) fn in_auq(self, arguments: fn(&[Problem]) -> String, begin: &str) -> Self {
        match self {
            Self::Wrong(problems, _) => Self::AuqArguments(arguments(&problems)),
            Self::Desk(problem) => {
                let said = format!("{begin}: Error: {}", problem.message.render(Lang::En));
                Self::Auq(match problem.code {
                    Code::AskNotFound | Code::AmbiguousId => said,
                    _ => format!("{said}\n\n{}", way_on(&problem)),
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

/// What is said of the arguments beside what is wrong with them.
fn told(head: &str, changes: &[String]) -> Vec<String> {
    let head = iter::once(head.to_owned()).filter(|_| !changes.is_empty());
    head.chain(changes.iter().map(|change| format!("- {change}"))).collect()
}

/// One problem: where, what, and how to mend it.
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
    let mut said = problem.message.render(Lang::En);
    // Readers' own words end in no stop.
    if !said.ends_with(['.', '!', '?', '。']) {
        said.push('.');
    }
    format!("- {place}: {said} Fix: {fix}")
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
        // Nothing that the asker says again would be heard.
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
