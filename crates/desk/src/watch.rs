//! Waiting for what happens at a desk.

use sayso_core::lifecycle::Event;
use sayso_core::{AskId, Problem};
use std::time::Duration;

/// What a watcher wants to hear of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Interest {
    /// One ask.
    Ask(AskId),
    /// Every ask.
    All,
}

impl Interest {
    /// Whether this ask is meant.
    pub fn is_in(&self, id: AskId) -> bool {
        match self {
            Self::Ask(one) => *one == id,
            Self::All => true,
        }
    }
}

/// A change that was committed.
#[derive(Debug, Clone, PartialEq)]
pub struct Changed {
    /// The ask.
    pub id: AskId,
    /// What happened to it, in order.
    pub events: Vec<Event>,
}

/// Watches a desk from the moment it was made: make it first, then read what you wait for, and nothing is missed.
pub trait Watch: Send {
    /// What has happened since the last call, without waiting.
    ///
    /// # Errors
    /// When the desk cannot be read.
    fn poll(&mut self) -> Result<Vec<Changed>, Problem>;

    /// Waits until something happens, for `limit` at most.
    ///
    /// # Errors
    /// When the desk cannot be read.
    fn wait(&mut self, limit: Duration) -> Result<Vec<Changed>, Problem>;

    /// How long to wait between two [`poll`](Self::poll)s when nothing rings: a second where the desk has a bell, 20 ms
    /// where it has none.
    fn pace(&self) -> Duration;

    /// What becomes readable when something may have happened, to wait for it together with other input. `None` where
    /// the desk has no bell: then poll at the [`pace`](Self::pace).
    #[cfg(unix)]
    fn bell(&self) -> Option<std::os::fd::BorrowedFd<'_>>;
}
