//! Reader of answers given as data: the spec's `UserAnswer`s, checked against the questions ("response validation").

use super::sessions::options;
use super::status::is_request;
use super::{Compat, QuestionInput, UserAnswer};
use crate::Given;
use crate::given::answer_place;
use crate::judge::{self, Judge, Place};
use crate::loose::{self, Expected, List, Loose, members};
use sayso_core::message::Text;
use sayso_core::{Code, Kind, Path, Pick, Problem, Question, Questionnaire, Reply};
use serde_json::Number;
use std::collections::HashMap;

/// Places of a question's options by label; of several with the same label, the first.
type Labels<'q> = HashMap<&'q str, usize>;

/// Fault of an answer, with the place of its question if it has one.
struct Fault {
    question: Option<usize>,
    code: Code,
    words: String,
}

/// Checks that there are answers, and in order that each refers to a question, is not empty, and names existing
/// options.
///
/// # Errors
/// Returns the first problem.
pub fn validate_answers(answers: &[UserAnswer], questions: &[QuestionInput]) -> Result<(), Problem> {
    let none = |words: &str| Err(Problem::new(Code::NeedsAnswer, Text::Verbatim(words.to_owned())));
    if answers.is_empty() {
        return none(NO_ANSWERS);
    }
    if questions.is_empty() {
        return none("No questions provided");
    }
    let questions: Vec<_> = questions.iter().map(labels_of_input).collect();
    for (at, answer) in answers.iter().enumerate() {
        check(answer, &questions).map_err(|fault| fault.at(answers_place().then(at)))?;
    }
    Ok(())
}

const NO_ANSWERS: &str = "No answers provided";

fn by_label<'q>(labels: impl DoubleEndedIterator<Item = &'q str> + ExactSizeIterator) -> Labels<'q> {
    labels.enumerate().rev().map(|(place, label)| (label, place)).collect()
}

fn labels_of_input(question: &QuestionInput) -> Labels<'_> {
    by_label(question.options.iter().map(|option| option.label.as_str()))
}

fn answers_place() -> Path {
    Path::root().then("answers")
}

impl Fault {
    fn at(self, place: Path) -> Problem {
        Problem::new(self.code, Text::Verbatim(self.words)).at(place)
    }
}

/// Checks an answer, and returns the place of its question.
fn check(answer: &UserAnswer, questions: &[Labels<'_>]) -> Result<usize, Fault> {
    let index = answer.index_text();
    let question = answer.place().and_then(|place| Some((place, questions.get(place)?)));
    let Some((place, labels)) = question else {
        let words = format!("Answer references invalid question index: {index}");
        return Err(Fault { question: None, code: Code::NoSuchQuestion, words });
    };
    let fault = |code, words| Err(Fault { question: Some(place), code, words });
    let single = answer.selected_option.iter().filter(|label| !label.is_empty());
    if single.clone().next().is_none() && answer.selected_options.is_none() && answer.own().is_none() {
        let words = format!(
            "Answer for question {index} has neither selectedOption, selectedOptions, nor customText"
        );
        return fault(Code::NeedsAnswer, words);
    }
    let mut picked = single.chain(answer.selected_options.iter().flatten());
    match picked.find(|label| !labels.contains_key(label.as_str())) {
        Some(label) => {
            let words = format!("Answer for question {index} references non-existent option: {label}");
            fault(Code::NoSuchOption, words)
        }
        None => Ok(place),
    }
}

/// Reads `{"answers":[{"questionIndex":0,"selectedOption":"…"}]}`. Of several answers to a question, the spec's
/// generation takes the first; 3.4 merges them, and turns a request to the asker into a note.
///
/// # Errors
/// Returns all problems if the text is not such a document, has no answer, or has an answer to an unknown question. A
/// problem with the answer to a known question goes to [`Given::problems`].
pub fn read_answers(questionnaire: &Questionnaire, text: &str) -> Result<Given, Vec<Problem>> {
    let answers = document(text)?;
    if answers.is_empty() {
        let problem = Problem::new(Code::NeedsAnswer, Text::Verbatim(NO_ANSWERS.to_owned()));
        return Err(vec![problem.at(answers_place())]);
    }
    let labels: Vec<Labels<'_>> = questionnaire.questions.iter().map(labels).collect();
    let checked: Vec<_> = answers.iter().map(|answer| check(answer, &labels)).collect();
    if checked.iter().any(|checked| matches!(checked, Err(Fault { question: None, .. }))) {
        let faults = checked.into_iter().enumerate().filter_map(|(at, checked)| Some((at, checked.err()?)));
        return Err(faults.map(|(at, fault)| fault.at(answers_place().then(at))).collect());
    }
    let mut gathered: Vec<Option<Gathered>> = questionnaire.questions.iter().map(|_| None).collect();
    let mut given = Given::default();
    let compat = Compat::of(questionnaire);
    for (answer, checked) in answers.iter().zip(checked) {
        let (place, fault) = match checked {
            Ok(place) => (Some(place), None),
            Err(fault) => (fault.question, Some(fault)),
        };
        let found = place.and_then(|place| {
            Some((questionnaire.questions.get(place)?, labels.get(place)?, gathered.get_mut(place)?))
        });
        let Some((question, labels, gathered)) = found else { continue };
        match fault {
            Some(fault) => given.problems.push(fault.at(answer_place(question.id.as_str()))),
            None if gathered.is_none() || compat == Compat::V3_4 => {
                gathered.get_or_insert_default().add(question, labels, answer, compat);
            }
            None => {}
        }
    }
    let replied = questionnaire.questions.iter().zip(gathered);
    let replied = replied.filter_map(|(question, gathered)| Some((question, gathered?)));
    given.replies =
        replied.map(|(question, gathered)| (question.id.clone(), gathered.reply(question))).collect();
    Ok(given)
}

fn labels(question: &Question) -> Labels<'_> {
    by_label(options(question).0.iter().map(|option| option.label.as_str()))
}

/// Merged answers to one question.
#[derive(Default)]
struct Gathered {
    /// None if there are only requests to the asker.
    picks: Option<Vec<Pick>>,
    requests: Vec<String>,
}

impl Gathered {
    fn add(&mut self, question: &Question, labels: &Labels<'_>, answer: &UserAnswer, compat: Compat) {
        if let Some(picked) = answer.labels() {
            let option = |label: &String| options(question).0.get(*labels.get(label.as_str())?);
            let picks = picked.iter().filter_map(option).map(|option| Pick::Option(option.id.clone()));
            self.picks.get_or_insert_default().extend(picks);
        }
        match answer.own() {
            Some(text) if compat == Compat::V3_4 && is_request(text) => self.requests.push(text.to_owned()),
            Some(text) => self.picks.get_or_insert_default().push(Pick::Other(text.to_owned())),
            None => {}
        }
    }

    fn reply(self, question: &Question) -> Reply {
        let reply = match (self.picks, &question.kind) {
            (None, _) => Reply::unanswered(),
            (Some(picks), Kind::Choice(_)) => Reply::picks(picks),
            // The spec has choices only: an answer to anything else is typed text.
            (Some(picks), _) => {
                let text = picks.iter().find_map(Pick::own);
                Reply::text(text.unwrap_or_default())
            }
        };
        let requests = self.requests.join("\n");
        reply.with_note((!requests.is_empty()).then_some(requests))
    }
}

#[derive(Default)]
struct Document {
    answers: Loose<List<Entry>>,
}

#[derive(Default)]
struct Entry {
    question_index: Loose<Number>,
    selected_option: Loose<String>,
    selected_options: Loose<List<String>>,
    custom_text: Loose<String>,
}

members!(Document { "answers" => answers });

members!(Entry {
    "questionIndex" => question_index,
    "selectedOption" => selected_option,
    "selectedOptions" => selected_options,
    "customText" => custom_text,
});

/// Parses the answers of a document, if its types are right.
fn document(text: &str) -> Result<Vec<UserAnswer>, Vec<Problem>> {
    let document = loose::read_answers::<Document>(text).map_err(|problem| vec![problem])?;
    let mut judge = Judge::new(judge::zod4);
    let answers = judge.expect(document, &Path::root).map(|document| document.answers);
    let entries = answers.map(|answers| list(&mut judge, answers, &answers_place)).unwrap_or_default();
    let entry = |(at, value)| entry(&mut judge, value, &|| answers_place().then(at));
    let answers = entries.into_iter().enumerate().filter_map(entry).collect();
    judge.verdict()?;
    Ok(answers)
}

/// Reads a required array, which may not exceed the kept elements.
fn list<'t, T: Expected<'t>>(judge: &mut Judge, value: Loose<List<T>>, place: Place<'_>) -> Vec<Loose<T>> {
    judge.list(value, (0, List::<T>::KEPT), place)
}

fn entry(judge: &mut Judge, value: Loose<Entry>, place: Place<'_>) -> Option<UserAnswer> {
    let entry = judge.expect(value, place)?;
    let question_index = judge.expect(entry.question_index, &|| place().then("questionIndex"));
    let selected_option = judge.allow(unless_null(entry.selected_option), &|| place().then("selectedOption"));
    let at = || place().then("selectedOptions");
    let selected_options = match unless_null(entry.selected_options) {
        Loose::Missing => None,
        value => {
            let labels = list(judge, value, &at).into_iter().enumerate();
            Some(labels.filter_map(|(index, label)| judge.expect(label, &|| at().then(index))).collect())
        }
    };
    let custom_text = judge.allow(unless_null(entry.custom_text), &|| place().then("customText"));
    let question_index = question_index?;
    Some(UserAnswer { question_index, selected_option, selected_options, custom_text, timestamp: None })
}

/// Treats `null` as a missing member.
fn unless_null<T>(value: Loose<T>) -> Loose<T> {
    match value {
        Loose::Wrong("null") => Loose::Missing,
        value => value,
    }
}
