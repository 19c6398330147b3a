//! Paths in the request of problems in the questionnaire.

use sayso_core::model::document_path::PathStep;
use sayso_core::{DocumentPath, Problem, Questionnaire};
use std::collections::HashMap;

/// Translates the paths of problems in the questionnaire to paths in the request. Questions are nested as in the
/// canonical form; their members have other names.
pub(super) fn to_request_paths(
    questionnaire: &Questionnaire,
    origins: &[Vec<Option<usize>>],
    problems: Vec<Problem>,
) -> Vec<Problem> {
    // The map of places costs a fifth of reading a request, and most have no problem.
    if problems.is_empty() {
        return problems;
    }
    let places = questionnaire.question_paths();
    let by_place: HashMap<String, &Vec<Option<usize>>> =
        places.iter().map(DocumentPath::to_json_pointer).zip(origins).collect();
    let moved = |problem: Problem| {
        let steps = problem.path.0.as_slice();
        let is_member = |step: &PathStep| matches!(step, PathStep::Key(name) if name == "constraints" || name == "show_if");
        let Some((question, rest)) =
            steps.iter().position(is_member).and_then(|at| steps.split_at_checked(at))
        else {
            return problem;
        };
        let question = DocumentPath(question.to_vec());
        let path = match rest {
            [PathStep::Key(name), ..] if name == "show_if" => question.join("showIf").join("value"),
            [_, PathStep::Index(at), _] => {
                let origins = by_place.get(&question.to_json_pointer());
                match origins.and_then(|origins| origins.get(*at).copied().flatten()) {
                    Some(origin) => question.join("constraints").join(origin).join("value"),
                    None => question.join("maxSelect"),
                }
            }
            _ => return problem,
        };
        problem.at(path)
    };
    problems.into_iter().map(moved).collect()
}
