//! Lints: valid contents of a questionnaire that are hardly ever intended.

use super::unmeetable_demands;
use crate::i18n::Message;
use crate::limits;
use crate::model::document_path::DocumentPath;
use crate::model::questionnaire::Questionnaire;
use crate::problem::{Problem, ProblemCode};
use std::cell::OnceCell;
use std::collections::HashSet;

/// Returns the problems that a reader rejects unless the author marks them as intended. They are: nothing to ask, empty
/// prompts and labels, demands that no answer meets, and patterns too costly to check. A questionnaire may contain
/// them, and other formats have such requests; here each is a mistake.
pub fn lint_problems(questionnaire: &Questionnaire) -> Vec<Problem> {
    let mut slips = missing_questions(questionnaire);
    slips.extend(missing_words(questionnaire));
    slips.extend(unmeetable_demands::problems(questionnaire));
    slips.extend(questionnaire.costly_patterns());
    slips
}

fn missing_questions(questionnaire: &Questionnaire) -> Vec<Problem> {
    let few = |place: DocumentPath| {
        Problem::new(ProblemCode::TooSmall, Message::FewQuestions).at(place.join("questions"))
    };
    if questionnaire.questions.is_empty() && questionnaire.sections.is_empty() {
        return vec![few(DocumentPath::root())];
    }
    if questionnaire.sections.len() > limits::SECTIONS {
        return Vec::new();
    }
    let with_some: HashSet<_> =
        questionnaire.questions.iter().filter_map(|question| question.section.as_ref()).collect();
    let sections = questionnaire.sections.iter().enumerate();
    let empty = sections.filter(|(_, section)| !with_some.contains(&section.id));
    empty.map(|(index, _)| few(DocumentPath::root().join("sections").join(index))).collect()
}

fn missing_words(questionnaire: &Questionnaire) -> Vec<Problem> {
    let places = OnceCell::new();
    let place = |index: usize| {
        let places = places.get_or_init(|| questionnaire.question_paths());
        places.get(index).cloned().unwrap_or_default()
    };
    let mut problems = Vec::new();
    for (index, question) in questionnaire.questions.iter().enumerate() {
        if question.prompt.is_empty() {
            let problem = Problem::new(ProblemCode::Required, Message::NeedsPrompt);
            problems.push(problem.at(place(index).join("prompt")));
        }
        let Some(choice) = question.choice() else { continue };
        for (at, _) in choice.options.iter().enumerate().filter(|(_, option)| option.label.is_empty()) {
            let problem = Problem::new(ProblemCode::Required, Message::NeedsLabel);
            problems.push(problem.at(place(index).join("options").join(at).join("label")));
        }
    }
    problems
}
