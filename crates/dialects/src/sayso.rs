//! Our own dialect: the canonical questionnaire and outcome of [`sayso_core::wire`], with a version in front.

use crate::{Read, Written, loose, no_such_option};
use sayso_core::message::{Lang, Message, Text};
use sayso_core::sheet::no_such_question;
use sayso_core::wire::{self, json};
use sayso_core::{
    AskId, Choice, Code, Kind, Outcome, Path, Pick, Problem, Question, QuestionId, Questionnaire, Replies,
    Reply,
};
use serde::Deserialize;
use serde_json::Value;

#[derive(Deserialize)]
struct Envelope {
    sayso: Option<u64>,
}

/// Reads a request: a questionnaire, with or without the version in front.
///
/// # Errors
/// Everything that is wrong with it, each with its place.
pub fn read(text: &str) -> Result<Read, Vec<Problem>> {
    if text.trim().is_empty() {
        return Err(vec![Problem::new(Code::MissingRequest, Message::RequestEmpty)]);
    }
    let envelope: Envelope = json::read(text).map_err(|problem| vec![problem])?;
    version_is_known(envelope.sayso).map_err(|problem| vec![problem])?;
    let questionnaire = wire::questionnaire::read(text)?;
    Ok(Read { questionnaire, warnings: Vec::new() })
}

fn version_is_known(version: Option<u64>) -> Result<(), Problem> {
    match version.filter(|version| *version > u64::from(wire::VERSION)) {
        Some(version) => {
            let said = Message::VersionTooNew.with([version, u64::from(wire::VERSION)]);
            Err(Problem::new(Code::InvalidValue, said).at(Path::root().then("sayso")))
        }
        None => Ok(()),
    }
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

/// Reads `{"answers":{question id: reply}}`, or the JSON of an outcome that is an answer.
///
/// A reply may be typed by hand: a text is a string; a choice is an option's id or label, an array of those, or
/// `{"other": "text"}`.
///
/// # Errors
/// Every answer to no question and every one that cannot be read, with its place.
pub fn read_answers(questionnaire: &Questionnaire, text: &str) -> Result<Replies, Vec<Problem>> {
    let document: Value = json::read(text).map_err(|problem| vec![problem])?;
    let name = if document.get("outcome").is_some() { "replies" } else { "answers" };
    is_an_answer(&document).map_err(|problem| vec![problem])?;
    let answers = loose::member(&document, name).map_err(|problem| vec![problem])?;
    let (mut replies, mut problems) = (Replies::new(), Vec::new());
    for (id, value) in answers {
        let id = QuestionId::new(id);
        let place = || Path::root().then(name).then(id.as_str());
        let read = questionnaire.question(&id).ok_or_else(|| no_such_question(&id));
        match read.and_then(|question| reply(question, value)) {
            Ok(reply) => {
                replies.insert(id, reply);
            }
            Err(problem) => problems.push(problem.at(place())),
        }
    }
    if problems.is_empty() { Ok(replies) } else { Err(problems) }
}

/// Whether a document of answers is in a version we read and, where it is an outcome, is an answer.
fn is_an_answer(document: &Value) -> Result<(), Problem> {
    version_is_known(document.get("sayso").and_then(Value::as_u64))?;
    match document.get("outcome") {
        None => Ok(()),
        Some(Value::String(outcome)) if outcome == "answered" => Ok(()),
        Some(other) => {
            let words = Text::Verbatim(format!("Expected \"answered\", received {other}"));
            Err(Problem::new(Code::InvalidValue, words).at(Path::root().then("outcome")))
        }
    }
}

fn reply(question: &Question, value: &Value) -> Result<Reply, Problem> {
    if value.get("state").is_some() {
        let wrong = |error: serde_json::Error| json::reading_problem(&error);
        return Reply::deserialize(value).map_err(wrong);
    }
    match (&question.kind, value) {
        (Kind::Text(_), Value::String(text)) => Ok(Reply::text(text)),
        (Kind::Text(_), _) => Err(Problem::new(Code::InvalidType, Message::WantsText)),
        (Kind::Choice(choice), Value::Array(values)) => {
            let picks = values.iter().map(|value| pick(choice, value)).collect::<Result<Vec<_>, _>>()?;
            Ok(Reply::picks(picks))
        }
        (Kind::Choice(choice), value) => pick(choice, value).map(|pick| Reply::picks([pick])),
    }
}

fn pick(choice: &Choice, value: &Value) -> Result<Pick, Problem> {
    match value {
        Value::String(named) => option_named(choice, named),
        value => Pick::deserialize(value).map_err(|_| Problem::new(Code::InvalidType, Message::WantsPicks)),
    }
}

/// The option with this id, or else the only one with this label.
fn option_named(choice: &Choice, named: &str) -> Result<Pick, Problem> {
    let with_id = choice.options.iter().find(|option| option.id.as_str() == named);
    let mut with_label = choice.options.iter().filter(|option| option.label == named);
    match (with_id, with_label.next(), with_label.next()) {
        (Some(option), _, _) | (None, Some(option), None) => Ok(Pick::Option(option.id.clone())),
        (None, Some(_), Some(_)) => {
            Err(Problem::new(Code::InvalidValue, Message::AmbiguousLabel.with([named])))
        }
        (None, None, _) => Err(no_such_option(named)),
    }
}
