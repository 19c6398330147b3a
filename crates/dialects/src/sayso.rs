//! Our own dialect: the canonical questionnaire and outcome of [`sayso_core::wire`], with a version in front.

use crate::{Read, Written};
use sayso_core::message::{Lang, Message};
use sayso_core::wire;
use sayso_core::{AskId, Code, Form, Outcome, Problem, Questionnaire, Replies};
use serde::Serialize;
use std::sync::Arc;

/// Reads a request: a questionnaire, with or without the version in front.
///
/// # Errors
/// Everything that is wrong with it, each with its place.
pub fn read(text: &str) -> Result<Read, Vec<Problem>> {
    if text.trim().is_empty() {
        return Err(vec![Problem::new(Code::MissingRequest, Message::RequestEmpty)]);
    }
    let read = wire::questionnaire::read(text)?;
    Ok(Read { questionnaire: read.questionnaire, warnings: read.ignored })
}

/// What the asker gets: the outcome as one line of JSON, whatever it is, and an exit code that tells its kind.
pub fn write(ask: AskId, outcome: &Outcome) -> Written {
    Written { stdout: wire::outcome::write(ask, outcome), ..Written::in_words(outcome) }
}

/// What the asker gets for a request with these problems: each in a line, with its place and what to do about it.
pub fn refuse(problems: &[Problem], lang: Lang) -> Written {
    let mut lines = Vec::new();
    for problem in problems {
        let place = problem.path.bracketed();
        let colon = if place.is_empty() { "" } else { ": " };
        let mut said = problem.lines(lang).into_iter();
        lines.extend(said.next().map(|first| format!("Error: {place}{colon}{first}")));
        lines.extend(said);
    }
    Written::refusal(lines.join("\n"))
}

/// Reads `{"answers":{question id: answer}}`, or the JSON of an outcome that is an answer.
///
/// # Errors
/// Every answer to no question and every one that cannot be read, with its place.
pub fn read_answers(questionnaire: &Questionnaire, text: &str) -> Result<Replies, Vec<Problem>> {
    let form = Form::new(Arc::new(questionnaire.clone()));
    let replies = wire::answers::read(&form, text)?;
    let named = form.questions().iter().zip(replies);
    Ok(named.filter_map(|(question, reply)| Some((question.id.clone(), reply?))).collect())
}

/// A schema as text that people read too.
pub(crate) fn schema_text(schema: &impl Serialize) -> String {
    serde_json::to_string_pretty(schema).unwrap_or_default()
}
