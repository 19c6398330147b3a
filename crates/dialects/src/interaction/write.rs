//! Outcomes, as the tool that asked returns them.

use super::answers::answer;
use super::beside::Beside;
use super::wire::OnTimeout;
use super::{ToolError, fixed, hear};
use crate::Written;
use sayso_core::wire::json;
use sayso_core::{Answer, Choice, Kind, Outcome, Pick, Question, Questionnaire, Replies};
use serde::ser::{Serialize, SerializeMap as _, Serializer};
use serde_json::Value;

/// Return value of the tool.
#[derive(Debug, Clone, PartialEq)]
pub enum ToolResult {
    /// `{"ok":true,"answers":…}`.
    Answers(Answers),
    /// `{"ok":false,"cancelled":true}`, with the reason if there is one.
    Cancelled {
        /// Reason, in the person's words.
        reason: Option<String>,
    },
    /// `{"ok":false,"error":…}`.
    Failed(String),
}

/// Values of a form by field.
#[derive(Debug, Clone, PartialEq)]
pub enum Answers {
    /// Submitted values, with any members that name no field.
    AsSent(Value),
    /// Values made from answers, in the order of the fields. Untouched fields are absent.
    Made(Vec<(String, Value)>),
}

impl Serialize for Answers {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::AsSent(sent) => sent.serialize(serializer),
            Self::Made(made) => serializer.collect_map(made.iter().map(|(field, value)| (field, value))),
        }
    }
}

impl Serialize for ToolResult {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("ok", &matches!(self, Self::Answers(_)))?;
        match self {
            Self::Answers(answers) => map.serialize_entry("answers", answers)?,
            Self::Cancelled { reason } => {
                map.serialize_entry("cancelled", &true)?;
                if let Some(reason) = reason {
                    map.serialize_entry("reason", reason)?;
                }
            }
            Self::Failed(error) => map.serialize_entry("error", error)?,
        }
        map.end()
    }
}

/// Stored value of a form that was sent without values.
const SUBMIT: &str = "submit";

/// Returns the return value of the tool for an outcome.
///
/// # Errors
/// Fails with `tool_aborted` if the asker cancelled.
pub fn result(questionnaire: &Questionnaire, outcome: &Outcome) -> Result<ToolResult, ToolError> {
    Ok(match outcome {
        // A string is the name of an action that was taken instead of sending values.
        Outcome::Answered { as_sent: Some(Value::String(done)), .. } if done != SUBMIT => {
            ToolResult::Failed(fixed::UNEXPECTED.to_owned())
        }
        Outcome::Answered { as_sent: Some(sent @ Value::Object(_)), .. } => {
            ToolResult::Answers(Answers::AsSent(sent.clone()))
        }
        Outcome::Answered { replies, .. } => ToolResult::Answers(answers(questionnaire, replies)),
        Outcome::Declined { reason, .. } => ToolResult::Cancelled { reason: reason.clone() },
        Outcome::Cancelled { .. } => return Err(ToolError::aborted()),
        Outcome::Expired { .. } => timed_out(Beside::of(questionnaire).on_timeout.unwrap_or_default()),
    })
}

/// Returns the return value of the tool when the time limit is reached.
pub(super) fn timed_out(on_timeout: OnTimeout) -> ToolResult {
    match on_timeout {
        OnTimeout::Cancel => ToolResult::Cancelled { reason: None },
        OnTimeout::Error | OnTimeout::Async => ToolResult::Failed(fixed::TIMED_OUT.to_owned()),
    }
}

/// Returns the text that is shown when the time limit is reached.
pub(super) const fn timed_out_words(on_timeout: OnTimeout) -> &'static str {
    match on_timeout {
        OnTimeout::Cancel => "Cancelled",
        OnTimeout::Error | OnTimeout::Async => fixed::TIMED_OUT,
    }
}

/// Writes an outcome for the asker: the tool's return value as one line of JSON, and an exit code for its kind.
pub fn write(questionnaire: &Questionnaire, outcome: &Outcome) -> Written {
    let stdout = match result(questionnaire, outcome) {
        Ok(result) => json::write(&result),
        Err(error) => error.as_result(),
    };
    Written { stdout, ..Written::in_words(outcome) }
}

/// Converts replies to the values that the controls of the form would send.
pub fn answers(questionnaire: &Questionnaire, replies: &Replies) -> Answers {
    let made = questionnaire.questions.iter().filter_map(|question| {
        let answer = answer(replies, &question.id)?;
        Some((question.key().to_owned(), value(question, answer)))
    });
    Answers::Made(made.collect())
}

/// Converts an answer to the value that a control would send.
pub(super) fn value(question: &Question, answer: &Answer) -> Value {
    match (&question.kind, answer) {
        (_, Answer::Text(text)) => Value::from(text.as_str()),
        (_, Answer::Confirm(confirmed)) => Value::from(*confirmed),
        (_, Answer::Rating(step)) => Value::from(*step),
        (_, Answer::Number(number)) => {
            let digits = number.to_string();
            let float = || digits.parse().ok().and_then(serde_json::Number::from_f64);
            number.whole().map_or_else(|| float().map_or(Value::Null, Value::Number), Value::from)
        }
        (Kind::Choice(choice), Answer::Picks(picks)) => picked(choice, picks),
        (_, Answer::Picks(_)) => Value::Null,
        (_, Answer::Date(_) | Answer::Time(_) | Answer::Datetime(_)) => Value::from(hear::iso(answer)),
    }
}

fn picked(choice: &Choice, picks: &[Pick]) -> Value {
    let sent = |pick: &Pick| match pick {
        Pick::Option(id) => choice.option(id).map_or(id.as_str(), |option| option.sent()).to_owned(),
        Pick::Other(text) => text.clone(),
    };
    let mut values = picks.iter().map(sent);
    if choice.multi { Value::from_iter(values) } else { Value::from(values.next()) }
}
