//! Refusals: as the error of a tool call, and as lines on a command line.

use super::messages;
use super::spec::TOOL;
use crate::format::cli_output::CliOutput;
use sayso_core::Lang;
use sayso_core::model::document_path::PathStep;
use sayso_core::{DocumentPath, Problem, ProblemCode};

/// Returns the message of the JSON-RPC error −32602 for a call with these problems.
pub fn arguments_error(problems: &[Problem]) -> String {
    tool_arguments_error(TOOL, problems)
}

/// Returns the message for any tool.
pub(super) fn tool_arguments_error(tool: &str, problems: &[Problem]) -> String {
    let issues: Vec<_> = problems.iter().flat_map(Problem::individual_problems).map(issue).collect();
    messages::arguments_error(tool, &issues.join(", "))
}

/// Returns the command-line output for a request with these problems: a line each on stderr, exit code 1.
pub(crate) fn refuse(problems: &[Problem]) -> CliOutput {
    let line = |problem: &Problem| match problem.code {
        ProblemCode::InvalidJson | ProblemCode::NotText => {
            messages::invalid_json(&problem.message.render(Lang::En))
        }
        _ if problem.path.0.is_empty() => format!("Error: {}", problem.message.render(Lang::En)),
        _ => format!("Error: {}", issue(problem)),
    };
    let lines: Vec<_> = problems.iter().flat_map(Problem::individual_problems).map(line).collect();
    CliOutput::refusal(lines.join("\n"))
}

fn issue(problem: &Problem) -> String {
    format!("{}: {}", dotted(&problem.path), problem.message.render(Lang::En))
}

/// Formats a place in the original's style: `questions.0.options`, and `root` for the whole.
fn dotted(path: &DocumentPath) -> String {
    let step = |step: &PathStep| match step {
        PathStep::Key(key) => key.clone(),
        PathStep::Index(index) => index.to_string(),
    };
    let steps: Vec<_> = path.0.iter().map(step).collect();
    if steps.is_empty() { "root".to_owned() } else { steps.join(".") }
}
