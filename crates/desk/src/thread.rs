//! Threads: conversations of a person with an agent, in turns. A turn is one message and the agent's work on it.

use jiff::Timestamp;
use sayso_core::AskId;
use std::fmt;

/// Conversation of a person with an agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Thread {
    /// Id: the owner's and its own.
    pub id: String,
    /// Account of the person.
    pub owner: String,
    /// Account of the agent: the named one, or the only one at the first message.
    pub agent: Option<String>,
    /// Title.
    pub title: Option<String>,
    /// Time of creation.
    pub created_at: Timestamp,
    /// Time of the last message.
    pub changed_at: Timestamp,
}

/// Turn that has not ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PendingTurn {
    /// Number, which increases.
    pub number: i64,
    /// Id of the thread.
    pub thread: String,
    /// Account of the thread's agent.
    pub agent: Option<String>,
    /// Message that began it.
    pub message: String,
    /// Process that holds the turn.
    pub holder: Option<TurnHolder>,
    /// Asks of this turn, in order.
    pub asks: Vec<AskId>,
}

/// Message that was posted with a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyedMessage {
    /// Number of the turn that it began.
    pub turn: i64,
    /// Text of the message.
    pub message: String,
}

/// Agent process that holds a turn.
#[derive(Clone, PartialEq, Eq)]
pub struct TurnHolder {
    /// Secret that authenticates the holder.
    pub secret: String,
    /// Name that the process gives itself.
    pub worker: String,
}

impl fmt::Debug for TurnHolder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TurnHolder").field("worker", &self.worker).finish_non_exhaustive()
    }
}

/// Message in a thread.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ThreadMessage {
    /// True if the person wrote it, and not the agent.
    pub by_person: bool,
    /// Text.
    pub content: String,
}

/// Progress of a turn.
#[derive(Debug, Clone, Default)]
pub struct TurnProgress {
    /// Number of the turn.
    pub turn: i64,
    /// Id of its thread.
    pub thread: String,
    /// New messages of the agent.
    pub messages: Vec<String>,
    /// New title of the thread.
    pub title: Option<String>,
    /// New asks of the agent.
    pub asks: Vec<AskId>,
    /// True if the turn has ended.
    pub has_ended: bool,
}

/// Write to a thread.
#[derive(Debug, Clone)]
pub(crate) enum ThreadWrite {
    New(Thread),
    Post { thread: String, message: String, key: Option<String>, agent: Option<String> },
    Claim { turn: i64, thread: String, agent: String, holder: TurnHolder },
    Progress(TurnProgress),
    Delete { thread: String },
}

impl ThreadWrite {
    /// Returns whether the write must be synced before its caller returns. The holder of a turn may be lost: then the
    /// turn is handed out again.
    pub(crate) const fn must_sync(&self) -> bool {
        !matches!(self, Self::Claim { .. })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debug_text_hides_secret() {
        let holder = TurnHolder { secret: "hidden".to_owned(), worker: "agent-1".to_owned() };
        let turn = PendingTurn {
            number: 1,
            thread: "t".to_owned(),
            agent: None,
            message: "hello".to_owned(),
            holder: Some(holder),
            asks: Vec::new(),
        };
        let told = format!("{turn:?}");
        assert!(told.contains("agent-1") && !told.contains("hidden"), "{told}");
    }
}
