//! Lints: valid contents of a questionnaire that are hardly ever intended.

use crate::i18n::Message;
use crate::limits;
use crate::model::document_path::DocumentPath;
use crate::model::questionnaire::Questionnaire;
use crate::problem::{Problem, ProblemCode};
use crate::rules::question_places::QuestionPlaces;
use crate::rules::unmeetable_demands;
use std::collections::HashSet;

/// Returns the problems that a reader rejects unless the author marks them as intended. They are: nothing to ask, empty
/// prompts and labels, demands that no answer meets, and patterns too costly to check. A questionnaire may contain
/// them, and other formats have such requests; here each is a mistake.
pub fn lint_problems(questionnaire: &Questionnaire) -> Vec<Problem> {
    let mut problems = missing_questions(questionnaire);
    problems.extend(missing_words(questionnaire));
    problems.extend(unmeetable_demands::problems(questionnaire));
    problems.extend(questionnaire.costly_patterns());
    problems
}

fn missing_questions(questionnaire: &Questionnaire) -> Vec<Problem> {
    if questionnaire.questions.is_empty() && questionnaire.sections.is_empty() {
        return vec![few_questions(&DocumentPath::root())];
    }
    if questionnaire.sections.len() > limits::SECTIONS {
        return Vec::new();
    }
    let nonempty: HashSet<_> =
        questionnaire.questions.iter().filter_map(|question| question.section.as_ref()).collect();
    let mut problems = Vec::new();
    for (index, section) in questionnaire.sections.iter().enumerate() {
        if !nonempty.contains(&section.id) {
            problems.push(few_questions(&DocumentPath::root().join("sections").join(index)));
        }
    }
    problems
}

fn few_questions(place: &DocumentPath) -> Problem {
    Problem::new(ProblemCode::TooSmall, Message::FewQuestions).at(place.join("questions"))
}

fn missing_words(questionnaire: &Questionnaire) -> Vec<Problem> {
    let places = QuestionPlaces::new(questionnaire);
    let mut problems = Vec::new();
    for (index, question) in questionnaire.questions.iter().enumerate() {
        if question.prompt.is_empty() {
            let problem = Problem::new(ProblemCode::Required, Message::NeedsPrompt);
            problems.push(problem.at(places.at(index).join("prompt")));
        }
        let Some(choice) = question.choice() else { continue };
        for (at, option) in choice.options.iter().enumerate() {
            if option.label.is_empty() {
                let problem = Problem::new(ProblemCode::Required, Message::NeedsLabel);
                problems.push(problem.at(places.at(index).join("options").join(at).join("label")));
            }
        }
    }
    problems
}
