//! A command as JSON, which identifies a repetition with the same key. It is written and never read. Stores keep
//! digests of it, so its form is fixed, whatever the command gains later.

use super::json;
use crate::answer::Replies;
use crate::ask::Feedback;
use crate::digest::Digest;
use crate::lifecycle::Command;
use crate::who::Process;
use serde::Serialize;
use serde_json::Value;

#[derive(Serialize)]
#[serde(tag = "command", rename_all = "snake_case")]
enum Document<'a> {
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
    Cancel,
    Accept {
        round: u32,
    },
    Reprompt {
        round: u32,
        feedback: &'a Feedback,
    },
    Attach {
        #[serde(skip_serializing_if = "Option::is_none")]
        process: Option<Process>,
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
pub fn write(command: &Command) -> String {
    json::write(&match command {
        Command::See => Document::See,
        Command::Submit { replies, as_sent, shown } => {
            Document::Submit { replies, as_sent: as_sent.as_ref(), shown: *shown }
        }
        Command::Decline { reason, shown } => Document::Decline { reason: reason.as_deref(), shown: *shown },
        Command::Cancel => Document::Cancel,
        Command::Accept { round } => Document::Accept { round: *round },
        Command::Reprompt { round, feedback } => Document::Reprompt { round: *round, feedback },
        Command::Attach { process } => Document::Attach { process: *process },
        Command::Detach => Document::Detach,
        Command::Offer => Document::Offer,
        Command::Ack => Document::Ack,
        Command::Tick => Document::Tick,
        Command::ClockSet { by } => Document::ClockSet { by_ms: by.as_millis() },
    })
}
