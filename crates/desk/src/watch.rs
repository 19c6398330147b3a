//! Waiting for what happens at a desk.

use sayso_core::lifecycle::Event;
use sayso_core::{AskId, Problem};
use std::fmt;
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

/// A place in what happened at one desk. Opaque: give back what a change or a watch said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cursor {
    /// Tells this desk from others, and from itself before it was restored.
    pub(crate) desk: u64,
    /// The number of the last change before it.
    pub(crate) change: i64,
}

impl Cursor {
    /// A place of no desk.
    pub const NOWHERE: Self = Self { desk: 0, change: 0 };

    /// Whether this place comes after another one of the same desk.
    pub fn is_after(self, other: Self) -> bool {
        self.desk != other.desk || self.change > other.change
    }

    /// Reads a cursor as it was written.
    pub fn parse(text: &str) -> Option<Self> {
        let (desk, change) = text.split_once('-')?;
        Some(Self { desk: u64::from_str_radix(desk, 16).ok()?, change: change.parse().ok()? })
    }
}

impl fmt::Display for Cursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}-{}", self.desk, self.change)
    }
}

/// A change that was committed.
#[derive(Debug, Clone, PartialEq)]
pub struct Changed {
    /// The place after it.
    pub cursor: Cursor,
    /// The ask.
    pub id: AskId,
    /// Whose token it was asked with, where the desk knows that.
    pub account: Option<String>,
    /// What happened to it, in order.
    pub events: Vec<Event>,
}

/// What a watch hears.
#[derive(Debug, Clone, PartialEq)]
pub enum Heard {
    /// A change.
    Changed(Changed),
    /// Something may have happened that is not known any more: read anew whatever matters.
    Gap,
}

impl Heard {
    /// The change, where it is one.
    pub fn changed(self) -> Option<Changed> {
        match self {
            Self::Changed(changed) => Some(changed),
            Self::Gap => None,
        }
    }
}

/// Watches a desk from the moment it was made, or from an earlier place on: make it first, then read what you wait for,
/// and nothing is missed.
pub trait Watch: Send {
    /// What has happened since the last call, without waiting.
    ///
    /// # Errors
    /// When the desk cannot be read.
    fn poll(&mut self) -> Result<Vec<Heard>, Problem>;

    /// Waits until something happens, for `limit` at most.
    ///
    /// # Errors
    /// When the desk cannot be read.
    fn wait(&mut self, limit: Duration) -> Result<Vec<Heard>, Problem>;

    /// The place up to which everything has been heard.
    fn cursor(&self) -> Cursor;

    /// Whether the desk is out of reach just now. What happens there meanwhile is heard once it is back, and the bell
    /// rings for both.
    fn is_away(&self) -> bool {
        false
    }

    /// How long to wait between two [`poll`](Self::poll)s when nothing rings: a second where the desk has a bell, 20 ms
    /// where it has none.
    fn pace(&self) -> Duration;

    /// What becomes readable when something may have happened, to wait for it together with other input. `None` where
    /// the desk has no bell: then poll at the [`pace`](Self::pace).
    #[cfg(unix)]
    fn bell(&self) -> Option<std::os::fd::BorrowedFd<'_>>;
}
