//! Outcomes, as the tool that asked returns them.

use super::refusal::ToolError;
use crate::format::cli_output::CliOutput;
use crate::interaction::answers::answer_to;
use crate::interaction::answers::parse_answer;
use crate::interaction::extensions::InteractionExtensions;
use crate::interaction::messages;
use crate::interaction::wire::OnTimeout;
use sayso_core::wire::json;
use sayso_core::{Answer, ChoiceOption, ChoiceQuestion, Outcome, Pick, Question, Questionnaire, Replies};
use serde::ser::{Serialize, SerializeMap as _, Serializer};
use serde_json::Value;

/// Return value of the tool.
#[derive(Debug, Clone, PartialEq)]
pub enum InteractionResult {
    /// `{"ok":true,"answers":…}`.
    Answers(InteractionAnswers),
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
pub enum InteractionAnswers {
    /// Submitted values, with any members that name no field.
    AsSent(Value),
    /// Values made from answers, in the order of the fields. Untouched fields are absent.
    FromReplies(Vec<(String, Value)>),
}

impl Serialize for InteractionAnswers {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::AsSent(sent) => sent.serialize(serializer),
            Self::FromReplies(values) => {
                serializer.collect_map(values.iter().map(|(field, value)| (field, value)))
            }
        }
    }
}

impl Serialize for InteractionResult {
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

/// Name of the action that stands for the values of a form that was sent empty.
const SUBMIT_ACTION_NAME: &str = "submit";

/// Returns the return value of the tool for an outcome.
///
/// # Errors
/// Fails with `tool_aborted` if the asker cancelled.
pub fn tool_result(questionnaire: &Questionnaire, outcome: &Outcome) -> Result<InteractionResult, ToolError> {
    Ok(match outcome {
        // A string is the name of an action that was taken instead of sending values.
        Outcome::Answered { as_sent: Some(Value::String(action)), .. } if action != SUBMIT_ACTION_NAME => {
            InteractionResult::Failed(messages::UNEXPECTED_ACTION.to_owned())
        }
        Outcome::Answered { as_sent: Some(sent @ Value::Object(_)), .. } => {
            InteractionResult::Answers(InteractionAnswers::AsSent(sent.clone()))
        }
        Outcome::Answered { replies, .. } => {
            InteractionResult::Answers(answers_from_replies(questionnaire, replies))
        }
        Outcome::Declined { reason, .. } => InteractionResult::Cancelled { reason: reason.clone() },
        Outcome::Cancelled { .. } => return Err(ToolError::aborted()),
        Outcome::Expired { .. } => timeout_result(
            InteractionExtensions::from_questionnaire(questionnaire).on_timeout.unwrap_or_default(),
        ),
    })
}

/// Returns the return value of the tool when the time limit is reached.
pub(crate) fn timeout_result(on_timeout: OnTimeout) -> InteractionResult {
    match on_timeout {
        OnTimeout::Cancel => InteractionResult::Cancelled { reason: None },
        OnTimeout::Error | OnTimeout::Async => InteractionResult::Failed(messages::TIMED_OUT.to_owned()),
    }
}

/// Returns the text that is shown when the time limit is reached.
pub(crate) const fn timeout_message(on_timeout: OnTimeout) -> &'static str {
    match on_timeout {
        OnTimeout::Cancel => "Cancelled",
        OnTimeout::Error | OnTimeout::Async => messages::TIMED_OUT,
    }
}

/// Writes an outcome for the asker: the tool's return value as one line of JSON, and an exit code for its kind.
pub(crate) fn write(questionnaire: &Questionnaire, outcome: &Outcome) -> CliOutput {
    let stdout = match tool_result(questionnaire, outcome) {
        Ok(result) => json::write(&result),
        Err(error) => error.to_result_json(),
    };
    CliOutput { stdout, ..CliOutput::from_outcome(outcome) }
}

/// Converts replies to the values that the controls of the form would send.
pub fn answers_from_replies(questionnaire: &Questionnaire, replies: &Replies) -> InteractionAnswers {
    let mut values = Vec::new();
    for question in &questionnaire.questions {
        if let Some(answer) = answer_to(replies, &question.id) {
            values.push((question.asker_key().to_owned(), answer_value(question, answer)));
        }
    }
    InteractionAnswers::FromReplies(values)
}

/// Converts an answer to the value that a control would send.
pub(crate) fn answer_value(question: &Question, answer: &Answer) -> Value {
    match (question.choice(), answer) {
        (_, Answer::Text(text)) => Value::from(text.as_str()),
        (_, Answer::Confirm(is_confirmed)) => Value::from(*is_confirmed),
        (_, Answer::Rating(step)) => Value::from(*step),
        (_, Answer::Number(number)) => match number.to_integer() {
            Some(whole) => Value::from(whole),
            None => number.to_string().parse::<f64>().map_or(Value::Null, Value::from),
        },
        (Some(choice), Answer::Picks(picks)) => picked_value(choice, picks),
        (_, Answer::Picks(_)) => Value::Null,
        (_, Answer::Date(_) | Answer::Time(_) | Answer::Datetime(_)) => {
            Value::from(parse_answer::format_iso(answer))
        }
    }
}

fn picked_value(choice: &ChoiceQuestion, picks: &[Pick]) -> Value {
    let mut values = picks.iter().map(|pick| match pick {
        Pick::Option(id) => choice.option(id).map_or(id.as_str(), ChoiceOption::sent_value),
        Pick::Other(text) => text,
    });
    if choice.multi { Value::from_iter(values) } else { Value::from(values.next()) }
}
