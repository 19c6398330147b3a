//! Refusals: the three texts of the spec's "error handling", verbatim.

use super::manual::USAGE;
use crate::Written;
use sayso_core::message::Lang;
use sayso_core::{Code, Problem};

/// Returns the output for a request with these problems (the spec's "error handling").
pub fn refuse(problems: &[Problem], lang: Lang) -> Written {
    let has = |codes: &[Code]| problems.iter().any(|problem| codes.contains(&problem.code));
    if has(&[Code::MissingRequest]) {
        return Written::refusal(format!("Error: Missing JSON parameter\n{USAGE}"));
    }
    if has(&[Code::InvalidJson, Code::NotText]) {
        return Written::refusal(format!("Error: Invalid JSON format\n{USAGE}"));
    }
    let mut words = "Error: Validation failed".to_owned();
    for issue in problems.iter().flat_map(Problem::single) {
        words.push_str(&format!("\n- {}: {}", issue.path.bracketed(), issue.message.render(lang)));
    }
    Written::refusal(words)
}
