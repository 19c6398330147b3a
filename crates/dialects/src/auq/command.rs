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
    let mut entries = parse_document(text)?;
    entries.sort_by_key(|(index, _)| *index);
    let (indices, answers): (Vec<_>, Vec<_>) = entries.into_iter().unzip();
    let tool_answers = json!({ "answers": answers }).to_string();
    match read_answers(questionnaire, &tool_answers) {
        Ok(answers) if answers.problems.is_empty() => Ok(answers),
        Ok(answers) => Err(refusal(&answers.problems, &indices)),
        Err(problems) => Err(refusal(&problems, &indices)),
    }
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
    let members = match lenient::read::<Value>(text) {
        Ok(Lenient::Value(Value::Object(members))) => members,
        Ok(_) => return Err(no_document(messages::ANSWERS_NOT_OBJECT)),
        Err(problem) => {
            let problem = with_javascript_message(problem, text);
            return Err(no_document(&problem.message.render(Lang::En)));
        }
    };
    members.into_iter().map(|(key, answer)| with_index(&key, answer)).collect()
}

fn no_document(words: &str) -> AuqAnswersRefusal {
    AuqAnswersRefusal { error: messages::invalid_answers(words), manual: Some(messages::ANSWERS_MANUAL) }
}

fn with_index(key: &str, mut answer: Value) -> Result<(usize, Value), AuqAnswersRefusal> {
    // `parse` would accept a sign too.
    let has_only_digits = key.bytes().all(|byte| byte.is_ascii_digit());
    let index = match key.parse::<usize>() {
        Ok(index) if has_only_digits => index,
        _ => return Err(AuqAnswersRefusal { error: messages::no_such_question(key), manual: None }),
    };
    if let Value::Object(members) = &mut answer {
        members.insert("questionIndex".to_owned(), index.into());
    }
    Ok((index, answer))
}

/// Lists all problems, with the numbers under which the answers were given.
fn refusal(problems: &[Problem], indices: &[usize]) -> AuqAnswersRefusal {
    let texts: Vec<_> = problems.iter().map(|problem| problem_text(problem, indices)).collect();
    AuqAnswersRefusal { error: texts.join(", "), manual: None }
}

fn problem_text(problem: &Problem, indices: &[usize]) -> String {
    let words = problem.message.render(Lang::En);
    // A type error names its question.
    if problem.code != ProblemCode::InvalidType {
        return words;
    }
    let [_, PathStep::Index(at), members @ ..] = problem.path.0.as_slice() else { return words };
    let mut place = indices.get(*at).copied().unwrap_or(*at).to_string();
    for step in members {
        place.push_str(&match step {
            PathStep::Key(key) => format!(".{key}"),
            PathStep::Index(index) => format!(".{index}"),
        });
    }
    format!("{place}: {words}")
}
