//! Answers given as data: the spec's `UserResponse.input`, an object of values by field id.

pub(super) mod parse_answer;

use super::messages;
use super::wire::FieldErrors;
use crate::format::problem_list::verbatim;
use crate::format::submitted_answers::{SubmittedAnswers, answer_place};
use crate::lenient;
use parse_answer::{ParsedAnswer, parse_answer};
use sayso_core::Lang;
use sayso_core::wire::json;
use sayso_core::{
    DocumentPath, Problem, ProblemCode, QuestionId, Questionnaire, Replies, Reply, SectionId, Sheet,
};
use serde_json::{Map, Value};
use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// Reads answers: an object of values by field id. Members that name no field are kept with the submitted input and
/// otherwise ignored.
///
/// # Errors
/// Fails if the text is not a JSON object.
pub(crate) fn read_answers(
    questionnaire: &Questionnaire,
    text: &str,
) -> Result<SubmittedAnswers, Vec<Problem>> {
    let input: Value = json::read_body(text)?;
    let Value::Object(input) = input else {
        let words = messages::wrong_type("object", lenient::type_name(&input));
        return Err(vec![verbatim(ProblemCode::InvalidType, words)]);
    };
    Ok(parse_input(questionnaire, input))
}

/// Parses the input of a response into answers. A value that cannot become an answer is a problem, worded as in the
/// spec; there are none if the asker validates itself.
pub fn parse_input(questionnaire: &Questionnaire, input: Map<String, Value>) -> SubmittedAnswers {
    let rules = &questionnaire.rules;
    let mut answers = SubmittedAnswers::default();
    let mut unparsed_sections: HashSet<&SectionId> = HashSet::new();
    for question in &questionnaire.questions {
        let Some(value) = input.get(question.asker_key()) else { continue };
        match parse_answer(question, rules, value) {
            ParsedAnswer::Empty => {}
            ParsedAnswer::Valid(answer) => {
                answers.replies.insert(question.id.clone(), Reply::from_answer(answer));
            }
            ParsedAnswer::Invalid(_) if rules.unjudged => {}
            ParsedAnswer::Invalid(words) => {
                let path = answer_place(question.id.as_str());
                answers.problems.push(verbatim(ProblemCode::InvalidType, words).at(path));
                unparsed_sections.extend(&question.section);
            }
        }
    }
    if questionnaire
        .sections
        .iter()
        .any(|section| section.optional && unparsed_sections.contains(&section.id))
    {
        let problems = missing_answers(questionnaire, &unparsed_sections, &answers);
        answers.problems.extend(problems);
    }
    answers.as_sent = Some(Value::Object(input));
    answers
}

/// Returns the missing answers of optional sections in which some value could not be parsed. The sheet never sees that
/// value and would take such a section for skipped.
fn missing_answers(
    questionnaire: &Questionnaire,
    unparsed_sections: &HashSet<&SectionId>,
    answers: &SubmittedAnswers,
) -> Vec<Problem> {
    let mut questionnaire = questionnaire.clone();
    for section in &mut questionnaire.sections {
        section.optional &= !unparsed_sections.contains(&section.id);
    }
    let reported_paths: HashSet<&DocumentPath> =
        answers.problems.iter().map(|problem| &problem.path).collect();
    let mut problems = Sheet::new(Arc::new(questionnaire), answers.replies.clone()).problems();
    problems.retain(|problem| {
        problem.code == ProblemCode::NeedsAnswer && !reported_paths.contains(&problem.path)
    });
    problems
}

/// Validates the values of a response: returns the messages by field, in the order of the fields (the spec's
/// "Validation & Reprompt"). Empty if the asker validates itself.
pub fn validate_input(questionnaire: &Arc<Questionnaire>, input: &Map<String, Value>) -> FieldErrors {
    let problems =
        parse_input(questionnaire, input.clone()).validate(questionnaire).err().unwrap_or_default();
    field_errors(questionnaire, &problems)
}

/// Returns the messages to show next to the fields; the first one of several for a field.
pub fn field_errors(questionnaire: &Questionnaire, problems: &[Problem]) -> FieldErrors {
    let mut words: HashMap<&DocumentPath, String> = HashMap::new();
    for problem in problems {
        if let Entry::Vacant(entry) = words.entry(&problem.path) {
            entry.insert(problem.message.render(Lang::En));
        }
    }
    let mut errors = FieldErrors::default();
    for question in &questionnaire.questions {
        if let Some(words) = words.remove(&answer_place(question.id.as_str())) {
            errors.0.push((question.asker_key().to_owned(), words));
        }
    }
    errors
}

/// Returns the answer to a question, by the question's id.
pub(super) fn answer_to<'r>(replies: &'r Replies, id: &QuestionId) -> Option<&'r sayso_core::Answer> {
    replies.get(id).and_then(Reply::answer)
}
