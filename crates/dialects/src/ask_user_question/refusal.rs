//! Refusals: the three texts of the spec's "error handling", verbatim.

use super::messages::{ERROR_PREFIX, INVALID_JSON, MISSING_PARAMETER, USAGE, VALIDATION_FAILED};
use crate::format::cli_output::CliOutput;
use sayso_core::Lang;
use sayso_core::{Problem, ProblemCode};

/// Returns the output for a request with these problems (the spec's "error handling").
pub(crate) fn refuse(problems: &[Problem], lang: Lang) -> CliOutput {
    let has = |codes: &[ProblemCode]| problems.iter().any(|problem| codes.contains(&problem.code));
    if has(&[ProblemCode::MissingRequest]) {
        return CliOutput::refusal(format!("{ERROR_PREFIX}{MISSING_PARAMETER}\n{USAGE}"));
    }
    if has(&[ProblemCode::InvalidJson, ProblemCode::NotText]) {
        return CliOutput::refusal(format!("{ERROR_PREFIX}{INVALID_JSON}\n{USAGE}"));
    }
    let mut words = format!("{ERROR_PREFIX}{VALIDATION_FAILED}");
    for issue in problems.iter().flat_map(Problem::individual_problems) {
        words.push_str(&format!("\n- {}: {}", issue.path.to_js_path(), issue.message.render(lang)));
    }
    CliOutput::refusal(words)
}
