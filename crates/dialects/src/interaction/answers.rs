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
    Problem, ProblemCode, Question, QuestionId, Questionnaire, Replies, Reply, SectionId, Sheet,
};
use serde_json::{Map, Value};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// Reads answers: an object of values by field id. Members that name no field are kept with the submitted input and
/// otherwise ignored.
///
/// # Errors
/// Fails if the text is not a JSON object.
pub fn read_answers(questionnaire: &Questionnaire, text: &str) -> Result<SubmittedAnswers, Vec<Problem>> {
    let input: Value = json::read_body(text).map_err(|problem| vec![problem])?;
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
    let mut given = SubmittedAnswers::default();
    let mut unparsed_sections: HashSet<&SectionId> = HashSet::new();
    for question in &questionnaire.questions {
        match input
            .get(question.asker_key())
            .map_or(ParsedAnswer::Empty, |value| parse_answer(question, rules, value))
        {
            ParsedAnswer::Empty => {}
            ParsedAnswer::Valid(answer) => {
                given.replies.insert(question.id.clone(), Reply::from_answer(answer));
            }
            ParsedAnswer::Invalid(_) if rules.unjudged => {}
            ParsedAnswer::Invalid(words) => {
                given.problems.push(field_problem(question, ProblemCode::InvalidType, words));
                unparsed_sections.extend(&question.section);
            }
        }
    }
    if questionnaire
        .sections
        .iter()
        .any(|section| section.optional && unparsed_sections.contains(&section.id))
    {
        let missing = missing_answers(questionnaire, &unparsed_sections, &given);
        given.problems.extend(missing);
    }
    given.as_sent = Some(Value::Object(input));
    given
}

/// Returns the missing answers of optional sections in which some value could not be parsed. The sheet never sees that
/// value and would take such a section for skipped.
fn missing_answers(
    questionnaire: &Questionnaire,
    begun: &HashSet<&SectionId>,
    given: &SubmittedAnswers,
) -> Vec<Problem> {
    let mut asked = questionnaire.clone();
    for section in &mut asked.sections {
        section.optional &= !begun.contains(&section.id);
    }
    let paths: HashSet<_> = given.problems.iter().map(|problem| problem.path.to_json_pointer()).collect();
    let mut missing = Sheet::new(Arc::new(asked), given.replies.clone()).problems();
    missing.retain(|problem| {
        problem.code == ProblemCode::NeedsAnswer && !paths.contains(problem.path.to_json_pointer().as_str())
    });
    missing
}

fn field_problem(question: &Question, code: ProblemCode, words: String) -> Problem {
    verbatim(code, words).at(answer_place(question.id.as_str()))
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
    let mut words: HashMap<String, String> = HashMap::new();
    for problem in problems {
        let message = || problem.message.render(Lang::En);
        words.entry(problem.path.to_json_pointer()).or_insert_with(message);
    }
    let error = |question: &Question| {
        let words = words.remove(&answer_place(question.id.as_str()).to_json_pointer())?;
        Some((question.asker_key().to_owned(), words))
    };
    FieldErrors(questionnaire.questions.iter().filter_map(error).collect())
}

/// Returns the answer to a question, by the question's id.
pub(super) fn answer_to<'r>(replies: &'r Replies, id: &QuestionId) -> Option<&'r sayso_core::Answer> {
    replies.get(id).and_then(Reply::answer)
}
