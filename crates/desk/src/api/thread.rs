//! Threads: conversations of a person with an agent, in turns. A turn is one message and the agent's work on it.

mod outline;
mod turn_news;

use jiff::Timestamp;
pub(crate) use outline::ThreadOutline;
use sayso_core::AskId;
use sayso_core::model::ask_summary::AskStatus;
use std::fmt;
pub use turn_news::{TurnNews, TurnNewsKind, TurnNewsPage};

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
    /// Number of the turn; later turns have greater ones.
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
    /// Number of times that the turn was handed out since it last made progress.
    pub attempts: u32,
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
    /// Silence after which another process may take the turn, in seconds.
    pub lease_seconds: u32,
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

/// Event in a thread besides its messages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ThreadEventKind {
    /// The agent asked.
    Ask {
        /// The ask.
        ask: AskId,
        /// True for an approval, false for questions.
        is_approval: bool,
        /// Tool that the ask is about.
        tool: String,
        /// True for the first ask of a request of the agent.
        opens_request: bool,
    },
    /// A tool of this name began to run.
    ToolStart(String),
    /// A tool with this name has run.
    ToolEnd(String),
}

/// Event of a thread's record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ThreadEvent {
    /// Number of the record's messages before it.
    pub after: usize,
    /// Event.
    pub kind: ThreadEventKind,
    /// State of an ask, also of a purged one.
    pub state: Option<AskStatus>,
}

/// Latest messages and events of a thread.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ThreadRecord {
    /// Messages, in order.
    pub messages: Vec<ThreadMessage>,
    /// Events, in order.
    pub events: Vec<ThreadEvent>,
}

/// New entry of a thread's record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TurnEntry {
    /// Message of the agent.
    Message(String),
    /// Event.
    Event(ThreadEventKind),
}

/// Progress of a turn.
#[derive(Debug, Clone, Default)]
pub struct TurnProgress {
    /// Number of the turn.
    pub turn: i64,
    /// Id of its thread.
    pub thread: String,
    /// New entries of the thread's record, in order.
    pub entries: Vec<TurnEntry>,
    /// New title of the thread.
    pub title: Option<String>,
    /// True if the turn has ended.
    pub has_ended: bool,
    /// Reason of an end without the agent.
    pub failure: Option<String>,
}

impl TurnProgress {
    /// Returns its asks, as the log of turns has them.
    pub(crate) fn asked(&self) -> impl Iterator<Item = TurnNewsKind> {
        self.entries.iter().filter_map(|entry| match entry {
            TurnEntry::Event(ThreadEventKind::Ask { ask, .. }) => Some(TurnNewsKind::Asked(*ask)),
            TurnEntry::Event(_) | TurnEntry::Message(_) => None,
        })
    }
}

/// Write to a thread.
#[derive(Debug, Clone)]
pub(crate) enum ThreadWrite {
    New(Thread),
    Post {
        thread: String,
        message: String,
        key: Option<String>,
        agent: Option<String>,
    },
    Claim {
        turn: i64,
        thread: String,
        agent: String,
        holder: TurnHolder,
        before: Option<String>,
        attempts: u32,
    },
    Share {
        turn: i64,
        news: Vec<TurnNewsKind>,
    },
    Progress(TurnProgress),
    Delete {
        thread: String,
    },
}

impl ThreadWrite {
    /// Returns whether the write must be synced before its caller returns. A claim need not be: if a power cut loses it,
    /// the turn is handed out again.
    pub(crate) const fn must_sync(&self) -> bool {
        !matches!(self, Self::Claim { .. } | Self::Share { .. })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debug_text_hides_secret() {
        let holder =
            TurnHolder { secret: "hidden".to_owned(), worker: "agent-1".to_owned(), lease_seconds: 120 };
        let turn = PendingTurn {
            number: 1,
            thread: "t".to_owned(),
            agent: None,
            message: "hello".to_owned(),
            holder: Some(holder),
            asks: Vec::new(),
            attempts: 1,
        };
        let text = format!("{turn:?}");
        assert!(text.contains("agent-1") && !text.contains("hidden"), "{text}");
    }
}
