//! Refusals: the errors of the spec's tool, and the words that stand in them.

use crate::{Dialect, Written};
use sayso_core::message::Lang;
use sayso_core::wire::json;
use sayso_core::{Code, Path, Problem};
use serde::{Serialize, Serializer};

/// An error of the tool: a code that programs test for, and words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ToolError {
    /// The code.
    pub code: &'static str,
    /// The words.
    pub message: String,
}

impl ToolError {
    fn new(code: &'static str, message: impl Into<String>) -> Self {
        Self { code, message: message.into() }
    }

    /// The asker took the question back.
    pub fn aborted() -> Self {
        Self::new("tool_aborted", "Tool execution aborted")
    }

    /// A response that came too late, or to no question.
    pub fn not_found() -> Self {
        Self::new("interaction_not_found", "Interaction response did not match a pending request")
    }

    /// No client can show a request for input that says `require_client`.
    pub fn no_client_for_input() -> Self {
        let words = "Input required but no interactive client is available to respond. Ask the user in chat.";
        Self::new("interaction_unavailable", words)
    }

    /// No client can show a request for an approval that says `require_client`.
    pub fn no_client_for_approval() -> Self {
        let words = "Approval required but no interactive client is available to respond.";
        Self::new("interaction_unavailable", words)
    }

    /// As one line of JSON: `{"ok":false,"error":{"code":…,"message":…}}`.
    pub fn as_result(&self) -> String {
        #[derive(Serialize)]
        struct Failed<'e> {
            ok: bool,
            error: &'e ToolError,
        }
        json::write(&Failed { ok: false, error: self })
    }
}

/// Arguments that the tool refuses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invalid {
    /// The tool's words: those of the first three issues, or of whatever else is wrong first.
    pub message: String,
    /// The issues of the schema, each with its place in it.
    pub issues: Vec<SchemaIssue>,
}

/// Something that the spec's schema finds wrong.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SchemaIssue {
    /// Where in the schema.
    pub path: Path,
    /// The words of Zod 3.
    pub message: String,
    /// The code of Zod 3.
    #[serde(serialize_with = "as_zod")]
    pub code: Code,
}

fn as_zod<S: Serializer>(code: &Code, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(match code {
        Code::Required | Code::InvalidType => "invalid_type",
        Code::InvalidValue => "invalid_enum_value",
        Code::TooSmall => "too_small",
        Code::TooBig => "too_big",
        _ => "custom",
    })
}

/// Whether a problem is an issue of the schema's shape; others have words that stand alone.
const fn is_issue(code: Code) -> bool {
    matches!(
        code,
        Code::Required
            | Code::InvalidType
            | Code::InvalidValue
            | Code::TooSmall
            | Code::TooBig
            | Code::InvalidRequest
    )
}

impl Invalid {
    pub(super) fn of(problems: &[Problem]) -> Self {
        let issues = problems.iter().filter(|problem| is_issue(problem.code)).map(|problem| SchemaIssue {
            path: Path(problem.path.0.iter().skip(1).cloned().collect()),
            message: problem.message.render(Lang::En),
            code: problem.code,
        });
        Self { message: message(problems), issues: issues.collect() }
    }

    /// The error that the tool returns.
    pub fn error(&self) -> ToolError {
        ToolError::new("invalid_arguments", self.message.clone())
    }
}

/// The tool's words for a request with these problems.
fn message(problems: &[Problem]) -> String {
    let words = |problem: &Problem| problem.message.render(Lang::En);
    match problems.first() {
        Some(first) if !is_issue(first.code) => words(first),
        _ => {
            let issues = problems.iter().filter(|problem| is_issue(problem.code)).take(3).map(words);
            format!("schema is invalid: {}", issues.collect::<Vec<_>>().join("; "))
        }
    }
}

/// What the asker gets for a request with these problems: the tool's error on stdout, and each problem with its place
/// in a line on stderr.
pub fn refuse(problems: &[Problem]) -> Written {
    let problems: Vec<Problem> = problems.iter().flat_map(Problem::single).cloned().collect();
    let error = ToolError::new("invalid_arguments", message(&problems));
    Written { stdout: error.as_result(), ..Written::problems(Dialect::Interaction, &problems, Lang::En) }
}
