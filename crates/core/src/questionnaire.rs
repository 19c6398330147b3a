//! What is asked: questions, and the rules their answers are judged by.

use crate::digest::Digest;
use crate::id::QuestionId;
use crate::limits;
use crate::message::Message;
use crate::problem::{Code, Path, Problem};
use crate::question::{Choice, Kind, Question};
use crate::rules::Rules;
use crate::wire;
use std::collections::HashSet;

/// A questionnaire.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Questionnaire {
    /// What it is about, in a line.
    pub title: Option<String>,
    /// Why it is asked.
    pub context: Option<String>,
    /// The questions, in the order asked.
    pub questions: Vec<Question>,
    /// How answers are judged.
    pub rules: Rules,
}

impl Questionnaire {
    /// The name to call it by in lists: its title, or else its first question.
    pub fn name(&self) -> &str {
        let first = self.questions.first().map(|question| question.prompt.as_str());
        self.title.as_deref().or(first).unwrap_or_default()
    }

    /// The question with this id.
    pub fn question(&self, id: &QuestionId) -> Option<&Question> {
        self.questions.iter().find(|question| question.id == *id)
    }

    /// The digest of its canonical form: of exactly what people are shown.
    pub fn digest(&self) -> Digest {
        Digest::of(&wire::questionnaire::to_bytes(self))
    }

    /// What is wrong with it as a request, each with its place in the canonical form.
    pub fn problems(&self) -> Vec<Problem> {
        let mut problems = Vec::new();
        let path = Path::root().then("questions");
        let count = self.questions.len();
        problems.extend(bounded(count, 1, limits::QUESTIONS, "question", "questions", &path));
        let mut seen = HashSet::new();
        for (index, question) in self.questions.iter().enumerate() {
            let path = path.then(index);
            if !seen.insert(&question.id) {
                let problem = Problem::new(Code::DuplicateId, Message::DuplicateId.with([&question.id]));
                problems.push(problem.at(path.then("id")));
            }
            question_problems(question, &path, &mut problems);
        }
        problems
    }
}

fn question_problems(question: &Question, path: &Path, problems: &mut Vec<Problem>) {
    problems.extend(id_problem(question.id.as_str(), &path.then("id")));
    if question.prompt.is_empty() {
        problems.push(Problem::new(Code::Required, Message::NeedsPrompt).at(path.then("prompt")));
    }
    match &question.kind {
        Kind::Choice(choice) => choice_problems(choice, path, problems),
        Kind::Text(_) => {}
    }
}

fn choice_problems(choice: &Choice, path: &Path, problems: &mut Vec<Problem>) {
    let path = path.then("options");
    let fewest = usize::from(!choice.other);
    problems.extend(bounded(choice.options.len(), fewest, limits::OPTIONS, "option", "options", &path));
    let mut seen = HashSet::new();
    for (index, option) in choice.options.iter().enumerate() {
        let path = path.then(index);
        if !seen.insert(&option.id) {
            let problem = Problem::new(Code::DuplicateId, Message::DuplicateId.with([&option.id]));
            problems.push(problem.at(path.then("id")));
        }
        problems.extend(id_problem(option.id.as_str(), &path.then("id")));
        if option.label.is_empty() {
            problems.push(Problem::new(Code::Required, Message::NeedsLabel).at(path.then("label")));
        }
    }
}

fn id_problem(id: &str, path: &Path) -> Option<Problem> {
    let count = id.chars().count();
    (count == 0 || count > limits::ID_CHARS).then(|| {
        let code = if count == 0 { Code::TooSmall } else { Code::TooBig };
        Problem::new(code, Message::IdLength.with([limits::ID_CHARS])).at(path.clone())
    })
}

fn bounded(count: usize, fewest: usize, most: usize, one: &str, many: &str, path: &Path) -> Option<Problem> {
    if count < fewest {
        let said =
            Message::TooFew.with([fewest.to_string(), if fewest == 1 { one } else { many }.to_owned()]);
        return Some(Problem::new(Code::TooSmall, said).at(path.clone()));
    }
    (count > most).then(|| {
        let said = Message::TooMany.with([most.to_string(), many.to_owned(), count.to_string()]);
        Problem::new(Code::TooBig, said).at(path.clone())
    })
}
