//! Input and output of AUQ's commands `ask` and `answer`, as far as it differs from the tool's.

mod history;
pub(super) mod sessions;
mod user_answers;

pub use sessions::{AuqSession, AuqSessionSummary};

use super::answers::read_answers;
use super::messages;
use super::reader::with_javascript_message;
use super::writer::outcome_text;
use crate::format::cli_output::CliOutput;
use crate::format::submitted_answers::SubmittedAnswers;
use crate::lenient::{self, Lenient};
use sayso_core::Lang;
use sayso_core::model::document_path::PathStep;
use sayso_core::{Outcome, Problem, ProblemCode, Questionnaire};
use serde_json::{Value, json};

/// Refusal of answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuqAnswersRefusal {
    /// Message of the error.
    pub error: String,
    /// Help on the format of answers, if the format was wrong.
    pub manual: Option<&'static str>,
}

/// Reads answers in the form of the command `auq answer`, `{"0":{"selectedOption":"…"}}`: the tool's answers by the
/// number of their question.
///
/// # Errors
/// Returns a refusal if the text is not such a document, or an answer is not valid.
pub fn read_command_answers(
    questionnaire: &Questionnaire,
    text: &str,
) -> Result<SubmittedAnswers, AuqAnswersRefusal> {
    let mut answers = parse_document(text)?;
    answers.sort_by_key(|(index, _)| *index);
    let indices: Vec<_> = answers.iter().map(|(index, _)| *index).collect();
    let answers: Vec<_> = answers.into_iter().map(|(_, answer)| answer).collect();
    let tools = json!({ "answers": answers }).to_string();
    let given = read_answers(questionnaire, &tools).map_err(|problems| refusal(&problems, &indices))?;
    if given.problems.is_empty() { Ok(given) } else { Err(refusal(&given.problems, &indices)) }
}

/// Returns the output for an asker that waits in the command `auq ask`: the text of the outcome with a line break. A
/// person's refusal is no failure there.
pub fn write_command(questionnaire: &Questionnaire, outcome: &Outcome) -> CliOutput {
    let stdout = format!("{}\n", outcome_text(questionnaire, outcome));
    match outcome {
        Outcome::Answered { .. } | Outcome::Declined { .. } => CliOutput { stdout, ..CliOutput::default() },
        Outcome::Cancelled { .. } | Outcome::Expired { .. } => {
            CliOutput { stdout, ..CliOutput::from_outcome(outcome) }
        }
    }
}

/// Parses the answers of a document, each with the number of its question in it.
fn parse_document(text: &str) -> Result<Vec<(usize, Value)>, AuqAnswersRefusal> {
    let no_document = |words: &str| AuqAnswersRefusal {
        error: messages::invalid_answers(words),
        manual: Some(messages::ANSWERS_MANUAL),
    };
    let read = lenient::read::<Value>(text)
        .map_err(|problem| no_document(&with_javascript_message(problem, text).message.render(Lang::En)))?;
    let Lenient::Value(Value::Object(members)) = read else {
        return Err(no_document(messages::ANSWERS_NOT_OBJECT));
    };
    members.into_iter().map(|(key, answer)| with_index(&key, answer)).collect()
}

fn with_index(key: &str, mut answer: Value) -> Result<(usize, Value), AuqAnswersRefusal> {
    let digits = !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_digit());
    let index = digits
        .then(|| key.parse::<usize>().ok())
        .flatten()
        .ok_or_else(|| AuqAnswersRefusal { error: messages::no_such_question(key), manual: None })?;
    if let Value::Object(members) = &mut answer {
        members.insert("questionIndex".to_owned(), index.into());
    }
    Ok((index, answer))
}

/// Lists all problems, with the numbers under which the answers were given.
fn refusal(problems: &[Problem], indices: &[usize]) -> AuqAnswersRefusal {
    let describe = |problem: &Problem| {
        let words = problem.message.render(Lang::En);
        match (problem.code, problem.path.0.as_slice()) {
            // A type error names its question.
            (ProblemCode::InvalidType, [_, PathStep::Index(at), rest @ ..]) => {
                let index = indices.get(*at).copied().unwrap_or(*at);
                let members = rest.iter().map(|step| match step {
                    PathStep::Key(key) => format!(".{key}"),
                    PathStep::Index(index) => format!(".{index}"),
                });
                format!("{index}{}: {words}", members.collect::<String>())
            }
            _ => words,
        }
    };
    let described: Vec<_> = problems.iter().map(describe).collect();
    AuqAnswersRefusal { error: described.join(", "), manual: None }
}
