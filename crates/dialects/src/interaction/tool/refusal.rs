//! Refusals: the errors of the spec's tool, and their messages.

use crate::format::cli_output::CliOutput;
use crate::interaction::messages;
use crate::interaction::spec::NAME;
use sayso_core::Lang;
use sayso_core::wire::json;
use sayso_core::{DocumentPath, Problem, ProblemCode};
use serde::{Serialize, Serializer};

/// Error of the tool: a code for programs, and a message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ToolError {
    /// Stable code, for programs.
    pub code: &'static str,
    /// Message, for people.
    pub message: String,
}

impl ToolError {
    fn new(code: &'static str, message: impl Into<String>) -> Self {
        Self { code, message: message.into() }
    }

    /// Returns the error for a question that the asker cancelled.
    pub fn aborted() -> Self {
        Self::new("tool_aborted", messages::ABORTED)
    }

    /// Returns the error for a response that came too late, or that matches no question.
    pub fn not_found() -> Self {
        Self::new("interaction_not_found", messages::NOT_FOUND)
    }

    /// Returns the error for an input request with `require_client` that no client can show.
    pub fn no_client_for_input() -> Self {
        Self::new("interaction_unavailable", messages::NO_CLIENT_FOR_INPUT)
    }

    /// Returns the error for an approval request with `require_client` that no client can show.
    pub fn no_client_for_approval() -> Self {
        Self::new("interaction_unavailable", messages::NO_CLIENT_FOR_APPROVAL)
    }

    /// Returns one line of JSON: `{"ok":false,"error":{"code":…,"message":…}}`.
    pub fn to_result_json(&self) -> String {
        #[derive(Serialize)]
        struct ToolFailure<'e> {
            ok: bool,
            error: &'e ToolError,
        }
        json::write(&ToolFailure { ok: false, error: self })
    }
}

/// Invalid arguments of the tool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InteractionArgumentsError {
    /// Message of the tool: that of the first three issues, or of the first other problem.
    pub message: String,
    /// Issues of the schema, each with its path in it.
    pub issues: Vec<InteractionSchemaIssue>,
}

/// Issue that the spec's schema reports.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct InteractionSchemaIssue {
    /// Path in the schema.
    pub path: DocumentPath,
    /// Message of Zod 3.
    pub message: String,
    /// Code, written as that of Zod 3.
    #[serde(serialize_with = "as_zod")]
    pub code: ProblemCode,
}

fn as_zod<S: Serializer>(code: &ProblemCode, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(match code {
        ProblemCode::Required | ProblemCode::InvalidType => "invalid_type",
        ProblemCode::InvalidValue => "invalid_enum_value",
        ProblemCode::TooSmall => "too_small",
        ProblemCode::TooBig => "too_big",
        _ => "custom",
    })
}

/// Returns whether a problem is an issue of the schema's shape; messages of others are used alone.
const fn is_issue(code: ProblemCode) -> bool {
    matches!(
        code,
        ProblemCode::Required
            | ProblemCode::InvalidType
            | ProblemCode::InvalidValue
            | ProblemCode::TooSmall
            | ProblemCode::TooBig
            | ProblemCode::InvalidRequest
    )
}

impl InteractionArgumentsError {
    pub(crate) fn from_problems(problems: &[Problem]) -> Self {
        let mut issues = Vec::new();
        for problem in problems {
            if is_issue(problem.code) {
                // The path begins with the member that holds the schema.
                let path = DocumentPath(problem.path.0.iter().skip(1).cloned().collect());
                let message = problem.message.render(Lang::En);
                issues.push(InteractionSchemaIssue { path, message, code: problem.code });
            }
        }
        Self { message: refusal_message(problems), issues }
    }

    /// Returns the error of the tool.
    pub fn to_error(&self) -> ToolError {
        ToolError::new("invalid_arguments", self.message.clone())
    }
}

/// Returns the tool's message for a request with these problems.
fn refusal_message(problems: &[Problem]) -> String {
    if let Some(first) = problems.first()
        && !is_issue(first.code)
    {
        return first.message.render(Lang::En);
    }
    let issues = problems.iter().filter(|problem| is_issue(problem.code));
    let texts: Vec<_> = issues.take(3).map(|problem| problem.message.render(Lang::En)).collect();
    messages::schema_invalid(&texts.join("; "))
}

/// Writes the refusal of a request for the asker: the tool's error on stdout, and on stderr a line for each problem,
/// with its path.
pub(crate) fn refuse(problems: &[Problem]) -> CliOutput {
    let problems: Vec<Problem> = problems.iter().flat_map(Problem::individual_problems).cloned().collect();
    let error = ToolError::new("invalid_arguments", refusal_message(&problems));
    CliOutput { stdout: error.to_result_json(), ..CliOutput::from_problems(NAME, &problems, Lang::En) }
}
