//! A command as JSON, which identifies a repetition with the same key. It is written and never read. Stores keep
//! digests of it, so its form is fixed, whatever the command gains later.

use super::json;
use crate::lifecycle::AskCommand;
use crate::model::actor::ProcessId;
use crate::model::answer::Replies;
use crate::model::ask::RoundFeedback;
use crate::model::digest::Digest;
use crate::model::outcome::CancelReason;
use serde::Serialize;
use serde_json::Value;

#[derive(Serialize)]
#[serde(tag = "command", rename_all = "snake_case")]
enum CommandDocument<'a> {
    See,
    Submit {
        replies: &'a Replies,
        #[serde(skip_serializing_if = "Option::is_none")]
        as_sent: Option<&'a Value>,
        shown: Digest,
    },
    Decline {
        #[serde(skip_serializing_if = "Option::is_none")]
        reason: Option<&'a str>,
        shown: Digest,
    },
    Cancel {
        #[serde(skip_serializing_if = "Option::is_none")]
        reason: Option<CancelReason>,
    },
    Accept {
        round: u32,
    },
    Reprompt {
        round: u32,
        feedback: &'a RoundFeedback,
    },
    Attach {
        #[serde(skip_serializing_if = "Option::is_none")]
        process: Option<ProcessId>,
    },
    Detach,
    Offer,
    Ack,
    Tick,
    ClockSet {
        by_ms: i128,
    },
}

/// Writes a command as compact JSON.
pub fn write(command: &AskCommand) -> String {
    json::write(&match command {
        AskCommand::MarkSeen => CommandDocument::See,
        AskCommand::Submit { replies, as_sent, shown } => {
            CommandDocument::Submit { replies, as_sent: as_sent.as_ref(), shown: shown.digest }
        }
        AskCommand::Decline { reason, shown } => {
            CommandDocument::Decline { reason: reason.as_deref(), shown: *shown }
        }
        AskCommand::Cancel { reason } => CommandDocument::Cancel { reason: *reason },
        AskCommand::Accept { round } => CommandDocument::Accept { round: *round },
        AskCommand::Reprompt { round, feedback } => CommandDocument::Reprompt { round: *round, feedback },
        AskCommand::Attach { process } => CommandDocument::Attach { process: *process },
        AskCommand::Detach => CommandDocument::Detach,
        AskCommand::Offer => CommandDocument::Offer,
        AskCommand::Ack => CommandDocument::Ack,
        AskCommand::Tick => CommandDocument::Tick,
        AskCommand::AdjustClock { by } => CommandDocument::ClockSet { by_ms: by.as_millis() },
    })
}
