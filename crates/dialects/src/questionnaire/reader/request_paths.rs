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
    let mut translated = Vec::with_capacity(problems.len());
    for problem in problems {
        translated.push(match request_path(&problem.path, &by_place) {
            Some(path) => problem.at(path),
            None => problem,
        });
    }
    translated
}

/// Returns the path in the request of a constraint or a condition; `None` if the path is the same there.
fn request_path(path: &DocumentPath, origins: &HashMap<String, &Vec<Option<usize>>>) -> Option<DocumentPath> {
    let steps = path.0.as_slice();
    let (question, rest) = steps.split_at_checked(steps.iter().position(is_renamed)?)?;
    let question = DocumentPath(question.to_vec());
    match rest {
        [PathStep::Key(name), ..] if name == "show_if" => Some(question.join("showIf").join("value")),
        [_, PathStep::Index(at), _] => {
            let origins = origins.get(&question.to_json_pointer());
            Some(match origins.and_then(|origins| origins.get(*at).copied().flatten()) {
                Some(origin) => question.join("constraints").join(origin).join("value"),
                None => question.join("maxSelect"),
            })
        }
        _ => None,
    }
}

fn is_renamed(step: &PathStep) -> bool {
    matches!(step, PathStep::Key(name) if name == "constraints" || name == "show_if")
}
