//! Reader of answers given as data: the spec's `UserAnswer`s, checked against the questions ("response validation").

use super::limits::AuqCompat;
use super::messages::{self, NO_ANSWERS, NO_QUESTIONS, is_request};
use super::wire::{QuestionInput, UserAnswer};
use crate::auq::command::sessions::options;
use crate::format::problem_list::verbatim;
use crate::format::submitted_answers::SubmittedAnswers;
use crate::format::submitted_answers::answer_place;
use crate::lenient::validator::{LazyPlace, RequestValidator};
use crate::lenient::wording;
use crate::lenient::{self, JsonShape, Lenient, LenientList, lenient_objects};
use sayso_core::{DocumentPath, Pick, Problem, ProblemCode, Question, Questionnaire, Reply};
use serde_json::Number;
use std::collections::HashMap;

/// Places of a question's options by label; of several with the same label, the first.
type AuqLabelIndex<'q> = HashMap<&'q str, usize>;

/// Fault of an answer, with the place of its question if it has one.
struct AuqAnswerFault {
    question: Option<usize>,
    code: ProblemCode,
    words: String,
}

/// Checks that there are answers, and in order that each refers to a question, is not empty, and names existing
/// options.
///
/// # Errors
/// Returns the first problem.
pub fn validate_answers(answers: &[UserAnswer], questions: &[QuestionInput]) -> Result<(), Problem> {
    if answers.is_empty() {
        return Err(verbatim(ProblemCode::NeedsAnswer, NO_ANSWERS));
    }
    if questions.is_empty() {
        return Err(verbatim(ProblemCode::NeedsAnswer, NO_QUESTIONS));
    }
    let questions: Vec<_> = questions.iter().map(labels_of_input).collect();
    for (at, answer) in answers.iter().enumerate() {
        check_answer(answer, &questions).map_err(|fault| fault.at(answers_place().join(at)))?;
    }
    Ok(())
}

fn by_label<'q>(labels: impl DoubleEndedIterator<Item = &'q str> + ExactSizeIterator) -> AuqLabelIndex<'q> {
    labels.enumerate().rev().map(|(place, label)| (label, place)).collect()
}

fn labels_of_input(question: &QuestionInput) -> AuqLabelIndex<'_> {
    by_label(question.options.iter().map(|option| option.label.as_str()))
}

fn answers_place() -> DocumentPath {
    DocumentPath::root().join("answers")
}

impl AuqAnswerFault {
    fn at(self, place: DocumentPath) -> Problem {
        verbatim(self.code, self.words).at(place)
    }
}

/// Checks an answer, and returns the place of its question.
fn check_answer(answer: &UserAnswer, questions: &[AuqLabelIndex<'_>]) -> Result<usize, AuqAnswerFault> {
    let index = answer.index_text();
    let question = answer.question_place().and_then(|place| Some((place, questions.get(place)?)));
    let Some((place, labels)) = question else {
        let words = messages::no_such_question(&index);
        return Err(AuqAnswerFault { question: None, code: ProblemCode::NoSuchQuestion, words });
    };
    let fault = |code, words| Err(AuqAnswerFault { question: Some(place), code, words });
    let single = answer.selected_option.iter().filter(|label| !label.is_empty());
    if single.clone().next().is_none()
        && answer.selected_options.is_none()
        && answer.custom_answer().is_none()
    {
        return fault(ProblemCode::NeedsAnswer, messages::empty_answer(&index));
    }
    let mut picked = single.chain(answer.selected_options.iter().flatten());
    match picked.find(|label| !labels.contains_key(label.as_str())) {
        Some(label) => fault(ProblemCode::NoSuchOption, messages::no_such_option(&index, label)),
        None => Ok(place),
    }
}

/// Reads `{"answers":[{"questionIndex":0,"selectedOption":"…"}]}`. Of several answers to a question, the spec's
/// generation takes the first; 3.4 merges them, and turns a request to the asker into a note.
///
/// # Errors
/// Returns all problems if the text is not such a document, has no answer, or has an answer to an unknown question. A
/// problem with the answer to a known question goes to [`SubmittedAnswers::problems`].
pub fn read_answers(questionnaire: &Questionnaire, text: &str) -> Result<SubmittedAnswers, Vec<Problem>> {
    let answers = parse_document(text)?;
    if answers.is_empty() {
        return Err(vec![verbatim(ProblemCode::NeedsAnswer, NO_ANSWERS).at(answers_place())]);
    }
    let labels: Vec<AuqLabelIndex<'_>> = questionnaire.questions.iter().map(labels).collect();
    let checked: Vec<_> = answers.iter().map(|answer| check_answer(answer, &labels)).collect();
    if checked.iter().any(|checked| matches!(checked, Err(AuqAnswerFault { question: None, .. }))) {
        let faults = checked.into_iter().enumerate().filter_map(|(at, checked)| Some((at, checked.err()?)));
        return Err(faults.map(|(at, fault)| fault.at(answers_place().join(at))).collect());
    }
    let mut gathered: Vec<Option<AuqMergedAnswer>> = questionnaire.questions.iter().map(|_| None).collect();
    let mut given = SubmittedAnswers::default();
    let compat = AuqCompat::from_questionnaire(questionnaire);
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
            None if gathered.is_none() || compat == AuqCompat::V3_4 => {
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

fn labels(question: &Question) -> AuqLabelIndex<'_> {
    by_label(options(question).0.iter().map(|option| option.label.as_str()))
}

/// Merged answers to one question.
#[derive(Default)]
struct AuqMergedAnswer {
    /// None if there are only requests to the asker.
    picks: Option<Vec<Pick>>,
    requests: Vec<String>,
}

impl AuqMergedAnswer {
    fn add(
        &mut self,
        question: &Question,
        labels: &AuqLabelIndex<'_>,
        answer: &UserAnswer,
        compat: AuqCompat,
    ) {
        if let Some(picked) = answer.labels() {
            let option = |label: &String| options(question).0.get(*labels.get(label.as_str())?);
            let picks = picked.iter().filter_map(option).map(|option| Pick::Option(option.id.clone()));
            self.picks.get_or_insert_default().extend(picks);
        }
        match answer.custom_answer() {
            Some(text) if compat == AuqCompat::V3_4 && is_request(text) => {
                self.requests.push(text.to_owned());
            }
            Some(text) => self.picks.get_or_insert_default().push(Pick::Other(text.to_owned())),
            None => {}
        }
    }

    fn reply(self, question: &Question) -> Reply {
        let reply = match (self.picks, question.choice()) {
            (None, _) => Reply::unanswered(),
            (Some(picks), Some(_)) => Reply::from_picks(picks),
            // The spec has choices only: an answer to anything else is typed text.
            (Some(picks), None) => {
                let text = picks.iter().find_map(Pick::other_text);
                Reply::from_text(text.unwrap_or_default())
            }
        };
        let requests = self.requests.join("\n");
        reply.with_note((!requests.is_empty()).then_some(requests))
    }
}

lenient_objects! {
    AuqAnswersDocument {
        answers: "answers" => LenientList<AuqAnswerEntry>,
    }

    AuqAnswerEntry {
        question_index: "questionIndex" => Number,
        selected_option: "selectedOption" => String,
        selected_options: "selectedOptions" => LenientList<String>,
        custom_text: "customText" => String,
    }
}

/// Parses the answers of a document, if its types are right.
fn parse_document(text: &str) -> Result<Vec<UserAnswer>, Vec<Problem>> {
    let document = lenient::read_answers::<AuqAnswersDocument>(text).map_err(|problem| vec![problem])?;
    let mut judge = RequestValidator::new(wording::zod4);
    let answers = judge.required(document, &DocumentPath::root).map(|document| document.answers);
    let entries = answers.map(|answers| list(&mut judge, answers, &answers_place)).unwrap_or_default();
    let entry = |(at, value)| entry(&mut judge, value, &|| answers_place().join(at));
    let answers = entries.into_iter().enumerate().filter_map(entry).collect();
    judge.finish()?;
    Ok(answers)
}

/// Reads a required array, which may not exceed the kept elements.
fn list<'t, T: JsonShape<'t>>(
    judge: &mut RequestValidator,
    value: Lenient<LenientList<T>>,
    place: LazyPlace<'_>,
) -> Vec<Lenient<T>> {
    judge.required_list(value, (0, LenientList::<T>::MAX_KEPT), place)
}

fn entry(
    judge: &mut RequestValidator,
    value: Lenient<AuqAnswerEntry>,
    place: LazyPlace<'_>,
) -> Option<UserAnswer> {
    let entry = judge.required(value, place)?;
    let question_index = judge.required(entry.question_index, &|| place().join("questionIndex"));
    let selected_option =
        judge.optional(entry.selected_option.null_as_missing(), &|| place().join("selectedOption"));
    let at = || place().join("selectedOptions");
    let selected_options = match entry.selected_options.null_as_missing() {
        Lenient::Missing => None,
        value => {
            let labels = list(judge, value, &at).into_iter().enumerate();
            Some(labels.filter_map(|(index, label)| judge.required(label, &|| at().join(index))).collect())
        }
    };
    let custom_text = judge.optional(entry.custom_text.null_as_missing(), &|| place().join("customText"));
    let question_index = question_index?;
    Some(UserAnswer { question_index, selected_option, selected_options, custom_text, timestamp: None })
}
