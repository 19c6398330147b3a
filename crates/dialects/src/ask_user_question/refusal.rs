//! Refusals: the three texts of the spec's "error handling", verbatim.

use super::manual::USAGE;
use crate::CliOutput;
use sayso_core::message::Lang;
use sayso_core::{Problem, ProblemCode};

/// Returns the output for a request with these problems (the spec's "error handling").
pub fn refuse(problems: &[Problem], lang: Lang) -> CliOutput {
    let has = |codes: &[ProblemCode]| problems.iter().any(|problem| codes.contains(&problem.code));
    if has(&[ProblemCode::MissingRequest]) {
        return CliOutput::refusal(format!("Error: Missing JSON parameter\n{USAGE}"));
    }
    if has(&[ProblemCode::InvalidJson, ProblemCode::NotText]) {
        return CliOutput::refusal(format!("Error: Invalid JSON format\n{USAGE}"));
    }
    let mut words = "Error: Validation failed".to_owned();
    for issue in problems.iter().flat_map(Problem::individual_problems) {
        words.push_str(&format!("\n- {}: {}", issue.path.to_js_path(), issue.message.render(lang)));
    }
    CliOutput::refusal(words)
}
