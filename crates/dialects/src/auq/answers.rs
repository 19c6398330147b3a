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
        if let Err(fault) = check_answer(answer, &questions) {
            return Err(fault.at(answers_place().join(at)));
        }
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
    let place = answer.question_place();
    let (Some(place), Some(labels)) = (place, place.and_then(|place| questions.get(place))) else {
        let words = messages::no_such_question(&index);
        return Err(AuqAnswerFault { question: None, code: ProblemCode::NoSuchQuestion, words });
    };
    let single = answer.selected_option.as_ref().filter(|label| !label.is_empty());
    if single.is_none() && answer.selected_options.is_none() && answer.custom_answer().is_none() {
        let words = messages::empty_answer(&index);
        return Err(AuqAnswerFault { question: Some(place), code: ProblemCode::NeedsAnswer, words });
    }
    for label in single.into_iter().chain(answer.selected_options.iter().flatten()) {
        if !labels.contains_key(label.as_str()) {
            let words = messages::no_such_option(&index, label);
            return Err(AuqAnswerFault { question: Some(place), code: ProblemCode::NoSuchOption, words });
        }
    }
    Ok(place)
}

/// Reads `{"answers":[{"questionIndex":0,"selectedOption":"…"}]}`. Of several answers to a question, the spec's
/// generation takes the first; 3.4 merges them, and turns a request to the asker into a note.
///
/// # Errors
/// Returns all problems if the text is not such a document, has no answer, or has an answer to an unknown question. A
/// problem with the answer to a known question goes to [`SubmittedAnswers::problems`].
pub(crate) fn read_answers(
    questionnaire: &Questionnaire,
    text: &str,
) -> Result<SubmittedAnswers, Vec<Problem>> {
    let answers = parse_document(text)?;
    if answers.is_empty() {
        return Err(vec![verbatim(ProblemCode::NeedsAnswer, NO_ANSWERS).at(answers_place())]);
    }
    let labels: Vec<AuqLabelIndex<'_>> = questionnaire.questions.iter().map(labels).collect();
    let checks: Vec<_> = answers.iter().map(|answer| check_answer(answer, &labels)).collect();
    if checks.iter().any(|check| matches!(check, Err(AuqAnswerFault { question: None, .. }))) {
        let mut problems = Vec::new();
        for (at, check) in checks.into_iter().enumerate() {
            problems.extend(check.err().map(|fault| fault.at(answers_place().join(at))));
        }
        return Err(problems);
    }
    let mut merged_answers: Vec<Option<AuqMergedAnswer>> = Vec::new();
    merged_answers.resize_with(questionnaire.questions.len(), Option::default);
    let mut submitted = SubmittedAnswers::default();
    let compat = AuqCompat::from_questionnaire(questionnaire);
    for (answer, check) in answers.iter().zip(checks) {
        let place = match &check {
            Ok(place) => Some(*place),
            Err(fault) => fault.question,
        };
        let Some(place) = place else { continue };
        let (Some(question), Some(labels), Some(merged)) =
            (questionnaire.questions.get(place), labels.get(place), merged_answers.get_mut(place))
        else {
            continue;
        };
        match check {
            Err(fault) => submitted.problems.push(fault.at(answer_place(question.id.as_str()))),
            Ok(_) if merged.is_none() || compat == AuqCompat::V3_4 => {
                merged.get_or_insert_default().add(question, labels, answer, compat);
            }
            Ok(_) => {}
        }
    }
    for (question, merged) in questionnaire.questions.iter().zip(merged_answers) {
        if let Some(merged) = merged {
            submitted.replies.insert(question.id.clone(), merged.reply(question));
        }
    }
    Ok(submitted)
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
        if let Some(selected_labels) = answer.labels() {
            let picks = self.picks.get_or_insert_default();
            for label in selected_labels {
                if let Some(place) = labels.get(label.as_str())
                    && let Some(option) = options(question).0.get(*place)
                {
                    picks.push(Pick::Option(option.id.clone()));
                }
            }
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
        if requests.is_empty() { reply } else { reply.with_note(Some(requests)) }
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
    let document = lenient::read_answers::<AuqAnswersDocument>(text)?;
    let mut judge = RequestValidator::new(wording::zod4);
    let mut answers = Vec::new();
    if let Some(document) = judge.required(document, LazyPlace::Root) {
        let place = LazyPlace::Root.member("answers");
        for (at, value) in list(&mut judge, document.answers, place).into_iter().enumerate() {
            answers.extend(entry(&mut judge, value, place.element(at)));
        }
    }
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
    let question_index = judge.required(entry.question_index, place.member("questionIndex"));
    let selected_option =
        judge.optional(entry.selected_option.null_as_missing(), place.member("selectedOption"));
    let selected_options = match entry.selected_options.null_as_missing() {
        Lenient::Missing => None,
        value => {
            let place = place.member("selectedOptions");
            let mut labels = Vec::new();
            for (index, label) in list(judge, value, place).into_iter().enumerate() {
                labels.extend(judge.required(label, place.element(index)));
            }
            Some(labels)
        }
    };
    let custom_text = judge.optional(entry.custom_text.null_as_missing(), place.member("customText"));
    let question_index = question_index?;
    Some(UserAnswer { question_index, selected_option, selected_options, custom_text, timestamp: None })
}
