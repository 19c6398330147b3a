//! Late submissions: answers and declines that arrived after the ask had ended. They decide nothing, and are kept.

use crate::lifecycle::AskCommand;
use crate::model::actor::{Actor, AssuranceLevel, Surface};
use crate::model::answer::{Replies, Reply};
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// An answer or a decline that came too late.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LateSubmission {
    /// The person's name.
    pub by: String,
    /// Place of the answer.
    pub surface: Surface,
    /// Assurance of the desk that a person was there.
    pub assurance: AssuranceLevel,
    /// Time of it.
    #[schemars(with = "String")]
    pub at: Timestamp,
    /// The replies, if it was an answer.
    #[serde(default, skip_serializing_if = "Replies::is_empty")]
    pub replies: Replies,
    /// JSON of a program that answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub as_sent: Option<Value>,
    /// The reason, if it was a decline.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

impl LateSubmission {
    /// Returns what would be lost if this command came too late; `None` if it carries nothing from a person.
    pub fn from_command(who: &Actor, command: &AskCommand, at: Timestamp) -> Option<Self> {
        let Actor::Person(person) = who else { return None };
        let (replies, as_sent, reason) = match command {
            AskCommand::Submit { replies, as_sent, .. }
                if as_sent.is_some() || replies.values().any(Reply::has_input) =>
            {
                (replies.clone(), as_sent.clone(), None)
            }
            AskCommand::Decline { reason: Some(reason), .. } if !reason.trim().is_empty() => {
                (Replies::new(), None, Some(reason.clone()))
            }
            _ => return None,
        };
        Some(Self {
            by: person.name.clone(),
            surface: person.surface,
            assurance: person.assurance,
            at,
            replies,
            as_sent,
            reason,
        })
    }
}
