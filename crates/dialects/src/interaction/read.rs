//! Reading of requests: parsing, building, and checking against our own limits.

use super::loose_wire::Request;
use super::{build, understand, warnings};
use crate::{Asking, Read, loose};
use sayso_core::problem::Step;
use sayso_core::{Path, Problem};

/// Reads a request: a schema alone, the operation's arguments or an interaction request (the spec's
/// `QuestionnaireSchema`, `{prompt?, schema, …}` and `InteractionRequest`).
///
/// # Errors
/// Returns all problems of the request, each with its path. Issues of its schema are in the words of Zod 3, others in
/// the words of the tool.
pub fn read(text: &str) -> Result<Read, Vec<Problem>> {
    let request = loose::read::<Request<'_>>(text).map_err(|problem| vec![problem])?;
    let understand::Understood { request, schema_at } = understand::any_form(request)?;
    let asking = Asking { time_limit_ms: Some(request.time_limit_ms()), waits: request.waits };
    let mut warnings = warnings::warnings(&request, &|| schema_at.place());
    let questionnaire = build::questionnaire(request);
    let problems = questionnaire.problems();
    let has_sections = !questionnaire.sections.is_empty();
    let moved = |problem: Problem| Problem {
        path: as_written(&problem.path, schema_at.place(), has_sections),
        ..problem
    };
    if !problems.is_empty() {
        return Err(problems.into_iter().map(moved).collect());
    }
    warnings.extend(questionnaire.costly_patterns().into_iter().map(moved));
    Ok(Read { questionnaire, asking, warnings })
}

/// Translates a path in the questionnaire to the path in the request.
fn as_written(path: &Path, schema_at: Path, has_sections: bool) -> Path {
    let mut written = schema_at;
    let mut steps = path.0.iter().peekable();
    while let Some(step) = steps.next() {
        let Step::Key(name) = step else {
            written.0.push(step.clone());
            continue;
        };
        let member = match name.as_str() {
            // The list of all questions has no path in the request, so its container's is used.
            "questions" if has_sections && path.0.len() == 1 => "sections",
            "questions" => "fields",
            "prefill" => "defaultValue",
            "min_length" => "minLength",
            "max_length" => "maxLength",
            "id" if path.0.iter().any(|step| matches!(step, Step::Key(name) if name == "options")) => "value",
            "constraints" => {
                // Constraints are made of a field's own members.
                steps.next_if(|step| matches!(step, Step::Index(_)));
                continue;
            }
            name => name,
        };
        written.0.push(member.into());
    }
    written
}
