//! Reading of requests: parsing, building, and checking against our own limits.

pub(super) mod builder;
mod constraints;
pub(super) mod initial_values;
mod lenient_wire;
pub(super) mod parse_request;
mod schema_validation;
mod warnings;

use crate::format::parsed_request::{AskOptions, ParsedRequest};
use crate::lenient;
use lenient_wire::InteractionRequestInput;
use sayso_core::model::document_path::PathStep;
use sayso_core::wire::json::JsonSource;
use sayso_core::{DocumentPath, Problem};

/// Reads a request: a schema alone, the operation's arguments or an interaction request (the spec's
/// `QuestionnaireSchema`, `{prompt?, schema, …}` and `InteractionRequest`).
///
/// # Errors
/// Returns all problems of the request, each with its path. Issues of its schema are in the words of Zod 3, others in
/// the words of the tool.
pub fn read<'t>(json: impl Into<JsonSource<'t>>) -> Result<ParsedRequest, Vec<Problem>> {
    let request = lenient::read::<InteractionRequestInput<'_>>(json).map_err(|problem| vec![problem])?;
    let parse_request::ParsedInteraction { request, schema_at } = parse_request::parse_any_form(request)?;
    let asking = AskOptions { time_limit_ms: Some(request.time_limit_ms()), is_waiting: request.waits };
    let mut warnings = warnings::find_warnings(&request, &|| schema_at.place());
    let questionnaire = builder::build_questionnaire(request);
    let problems = questionnaire.problems();
    let has_sections = !questionnaire.sections.is_empty();
    let moved = |problem: Problem| Problem {
        path: to_request_path(&problem.path, schema_at.place(), has_sections),
        ..problem
    };
    if !problems.is_empty() {
        return Err(problems.into_iter().map(moved).collect());
    }
    warnings.extend(questionnaire.costly_patterns().into_iter().map(moved));
    Ok(ParsedRequest { questionnaire, options: asking, warnings })
}

/// Translates a path in the questionnaire to the path in the request.
fn to_request_path(path: &DocumentPath, schema_at: DocumentPath, has_sections: bool) -> DocumentPath {
    let mut written = schema_at;
    let mut steps = path.0.iter().peekable();
    while let Some(step) = steps.next() {
        let PathStep::Key(name) = step else {
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
            "id" if path.0.iter().any(|step| matches!(step, PathStep::Key(name) if name == "options")) => {
                "value"
            }
            "constraints" => {
                // Constraints are made of a field's own members.
                steps.next_if(|step| matches!(step, PathStep::Index(_)));
                continue;
            }
            name => name,
        };
        written.0.push(member.into());
    }
    written
}
