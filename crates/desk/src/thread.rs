//! Threads: conversations of a person with an agent, in turns. A turn is one message and what the agent does about it.

use jiff::Timestamp;
use sayso_core::AskId;
use std::fmt;

/// A conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Thread {
    /// Its id: that of its owner, and its own.
    pub id: String,
    /// The account of the person.
    pub owner: String,
    /// The account of the agent: of the one that was named, or else of the only one when something was first said.
    pub agent: Option<String>,
    /// What it is called.
    pub title: Option<String>,
    /// When it was begun.
    pub created_at: Timestamp,
    /// When something was last said.
    pub changed_at: Timestamp,
}

/// A turn that has not ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Turn {
    /// Its number: later ones are greater.
    pub number: i64,
    /// The thread.
    pub thread: String,
    /// The account of the thread's agent.
    pub agent: Option<String>,
    /// The message.
    pub message: String,
    /// Who has it.
    pub holder: Option<Holder>,
    /// What was asked in it, in its order.
    pub asks: Vec<AskId>,
}

/// A message that was heard under a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Keyed {
    /// The turn that began by it.
    pub turn: i64,
    /// The message.
    pub message: String,
}

/// The process of an agent that a turn is with.
#[derive(Clone, PartialEq, Eq)]
pub struct Holder {
    /// What shows that somebody is it.
    pub secret: String,
    /// What the process calls itself.
    pub worker: String,
}

impl fmt::Debug for Holder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Holder").field("worker", &self.worker).finish_non_exhaustive()
    }
}

/// One thing that was said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Said {
    /// By the person, not by the agent.
    pub by_person: bool,
    /// The words.
    pub content: String,
}

/// What came of a turn so far.
#[derive(Debug, Clone, Default)]
pub struct Progress {
    /// The turn.
    pub turn: i64,
    /// Its thread.
    pub thread: String,
    /// What the agent said.
    pub said: Vec<String>,
    /// What the thread is called from now on.
    pub title: Option<String>,
    /// What the agent asked.
    pub asks: Vec<AskId>,
    /// Whether it has ended.
    pub has_ended: bool,
}

/// What is written about threads.
#[derive(Debug, Clone)]
pub(crate) enum Write {
    New(Thread),
    Say { thread: String, message: String, key: Option<String>, agent: Option<String> },
    Take { turn: i64, thread: String, agent: String, holder: Holder },
    Progress(Progress),
    Delete { thread: String },
}

impl Write {
    /// Whether it must be on the disk before its caller is told that it is done. Who has a turn may be forgotten: then
    /// it is given out again.
    pub(crate) const fn must_last(&self) -> bool {
        !matches!(self, Self::Take { .. })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_stands_in_no_text_for_programmers() {
        let holder = Holder { secret: "hidden".to_owned(), worker: "agent-1".to_owned() };
        let turn = Turn {
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
