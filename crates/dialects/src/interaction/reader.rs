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
use parse_request::SchemaLocation;
use sayso_core::model::document_path::PathStep;
use sayso_core::wire::json::JsonSource;
use sayso_core::{DocumentPath, Problem};

/// Reads a request: a schema alone, the operation's arguments or an interaction request (the spec's
/// `QuestionnaireSchema`, `{prompt?, schema, …}` and `InteractionRequest`).
///
/// # Errors
/// Returns all problems of the request, each with its path. Issues of its schema are in the words of Zod 3, others in
/// the words of the tool.
pub(crate) fn read<'t>(json: impl Into<JsonSource<'t>>) -> Result<ParsedRequest, Vec<Problem>> {
    let request = lenient::read::<InteractionRequestInput<'_>>(json)?;
    let parse_request::ParsedInteraction { request, schema_at } = parse_request::parse_any_form(request)?;
    let options = AskOptions { time_limit_ms: Some(request.time_limit_ms()), is_waiting: request.waits };
    let mut warnings = warnings::find_warnings(&request, schema_at.place());
    let questionnaire = builder::build_questionnaire(request);
    let problems = questionnaire.problems();
    let has_sections = !questionnaire.sections.is_empty();
    if !problems.is_empty() {
        return Err(to_request_paths(problems, schema_at, has_sections));
    }
    warnings.extend(to_request_paths(questionnaire.costly_patterns(), schema_at, has_sections));
    Ok(ParsedRequest { questionnaire, options, warnings })
}

/// Translates the paths of problems in the questionnaire to paths in the request.
fn to_request_paths(
    mut problems: Vec<Problem>,
    schema_at: SchemaLocation,
    has_sections: bool,
) -> Vec<Problem> {
    for problem in &mut problems {
        problem.path = to_request_path(&problem.path, schema_at, has_sections);
    }
    problems
}

fn to_request_path(path: &DocumentPath, schema_at: SchemaLocation, has_sections: bool) -> DocumentPath {
    let mut request_path = schema_at.place().path();
    let is_in_options = path.0.iter().any(|step| matches!(step, PathStep::Key(name) if name == "options"));
    let mut steps = path.0.iter().peekable();
    while let Some(step) = steps.next() {
        let PathStep::Key(name) = step else {
            request_path.0.push(step.clone());
            continue;
        };
        let member = match name.as_str() {
            // The list of all questions has no path in the request, so its container's is used.
            "questions" if has_sections && path.0.len() == 1 => "sections",
            "questions" => "fields",
            "prefill" => "defaultValue",
            "min_length" => "minLength",
            "max_length" => "maxLength",
            "id" if is_in_options => "value",
            "constraints" => {
                // Constraints are made of a field's own members.
                steps.next_if(|step| matches!(step, PathStep::Index(_)));
                continue;
            }
            name => name,
        };
        request_path.0.push(member.into());
    }
    request_path
}
