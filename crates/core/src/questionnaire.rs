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

/// The canonical form of a questionnaire.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Canonical {
    /// The JSON.
    pub json: String,
    /// Its digest.
    pub digest: Digest,
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
        self.canonical().digest
    }

    /// Its canonical form and the digest of that. Neither is cheap: keep them where they are needed more than once.
    pub fn canonical(&self) -> Canonical {
        let json = wire::questionnaire::write(self);
        Canonical { digest: Digest::of(json.as_bytes()), json }
    }

    /// What is wrong with it as a request, each with its place in the canonical form.
    pub fn problems(&self) -> Vec<Problem> {
        let mut problems = Vec::new();
        let count = self.questions.len();
        problems
            .extend(bounded(count, 1, limits::QUESTIONS, "question", "questions").map(|p| p.at(questions())));
        let mut seen = HashSet::with_capacity(count);
        for (index, question) in self.questions.iter().enumerate() {
            let place = || questions().then(index);
            if !seen.insert(&question.id) {
                problems.push(duplicate(&question.id).at(place().then("id")));
            }
            problems.extend(id_problem(question.id.as_str()).map(|problem| problem.at(place().then("id"))));
            if question.prompt.is_empty() {
                problems.push(Problem::new(Code::Required, Message::NeedsPrompt).at(place().then("prompt")));
            }
            match &question.kind {
                Kind::Choice(choice) => choice_problems(choice, &|| place().then("options"), &mut problems),
                Kind::Text(_) => {}
            }
        }
        problems
    }
}

fn questions() -> Path {
    Path::root().then("questions")
}

fn duplicate(id: &impl ToString) -> Problem {
    Problem::new(Code::DuplicateId, Message::DuplicateId.with([id.to_string()]))
}

fn choice_problems(choice: &Choice, place: &dyn Fn() -> Path, problems: &mut Vec<Problem>) {
    let fewest = usize::from(!choice.other);
    let count = choice.options.len();
    problems.extend(bounded(count, fewest, limits::OPTIONS, "option", "options").map(|p| p.at(place())));
    let mut seen = HashSet::with_capacity(count);
    for (index, option) in choice.options.iter().enumerate() {
        let place = |member: &str| place().then(index).then(member);
        if !seen.insert(&option.id) {
            problems.push(duplicate(&option.id).at(place("id")));
        }
        problems.extend(id_problem(option.id.as_str()).map(|problem| problem.at(place("id"))));
        if option.label.is_empty() {
            problems.push(Problem::new(Code::Required, Message::NeedsLabel).at(place("label")));
        }
    }
}

fn id_problem(id: &str) -> Option<Problem> {
    let is_short = !id.is_empty() && id.len() <= limits::ID_CHARS;
    let count = if is_short { 1 } else { id.chars().count() };
    (count == 0 || count > limits::ID_CHARS).then(|| {
        let code = if count == 0 { Code::TooSmall } else { Code::TooBig };
        Problem::new(code, Message::IdLength.with([limits::ID_CHARS]))
    })
}

fn bounded(count: usize, fewest: usize, most: usize, one: &str, many: &str) -> Option<Problem> {
    if count < fewest {
        let what = if fewest == 1 { one } else { many };
        return Some(Problem::new(
            Code::TooSmall,
            Message::TooFew.with([fewest.to_string(), what.to_owned()]),
        ));
    }
    (count > most).then(|| {
        let said = Message::TooMany.with([most.to_string(), many.to_owned(), count.to_string()]);
        Problem::new(Code::TooBig, said)
    })
}
