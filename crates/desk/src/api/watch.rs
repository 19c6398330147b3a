//! Watches: waiting for changes at a desk.

use sayso_core::lifecycle::AskEvent;
use sayso_core::{AskId, Audience, Problem};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// Scope of a watch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Interest {
    /// One ask.
    Ask(AskId),
    /// Every ask.
    All,
}

impl Interest {
    /// Returns whether this ask is in scope.
    pub fn includes(&self, id: AskId) -> bool {
        match self {
            Self::Ask(one) => *one == id,
            Self::All => true,
        }
    }
}

/// Position in the change log of one desk. Opaque: pass back the one from a change or a watch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChangeCursor {
    /// Id of the desk. A restore changes it.
    pub(crate) desk: u64,
    /// Number of the last change before it.
    pub(crate) change: i64,
}

impl ChangeCursor {
    /// Cursor of no desk.
    pub const NONE: Self = Self { desk: 0, change: 0 };

    /// Returns whether this cursor comes after another one of the same desk.
    pub fn is_after(self, other: Self) -> bool {
        self.desk != other.desk || self.change > other.change
    }

    /// Parses a cursor.
    pub fn parse(text: &str) -> Option<Self> {
        let (desk, change) = text.split_once('-')?;
        Some(Self { desk: u64::from_str_radix(desk, 16).ok()?, change: change.parse().ok()? })
    }
}

impl fmt::Display for ChangeCursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}-{}", self.desk, self.change)
    }
}

/// Committed change of an ask.
#[derive(Debug, Clone, PartialEq)]
pub struct AskChange {
    /// Cursor after it.
    pub cursor: ChangeCursor,
    /// Id of the ask.
    pub id: AskId,
    /// Account whose token asked, if the desk knows it.
    pub account: Option<String>,
    /// Audience of the ask; of no one if it was purged.
    pub audience: Option<Audience>,
    /// Events of the change, in order.
    pub events: Vec<AskEvent>,
}

/// Event of a watch.
#[derive(Debug, Clone, PartialEq)]
pub enum WatchEvent {
    /// Change.
    Change(AskChange),
    /// Changes may be missing: read again whatever matters.
    Gap,
}

impl WatchEvent {
    /// Returns the change, unless this is a gap.
    pub fn into_change(self) -> Option<AskChange> {
        match self {
            Self::Change(changed) => Some(changed),
            Self::Gap => None,
        }
    }
}

/// Hook that runs after each commit of this process that changed something.
pub type CommitHook = Arc<dyn Fn() + Send + Sync>;

/// Stream of changes of a desk, from its creation or from an earlier cursor. Create it first, then read what you wait
/// for: then no change is missed.
pub trait Watch: Send {
    /// Returns the changes since the last call, without waiting.
    ///
    /// # Errors
    /// If the desk cannot be read.
    fn poll(&mut self) -> Result<Vec<WatchEvent>, Problem>;

    /// Waits until a change arrives, for `limit` at most. It may return none earlier: then call it again.
    ///
    /// # Errors
    /// If the desk cannot be read.
    fn wait(&mut self, limit: Duration) -> Result<Vec<WatchEvent>, Problem>;

    /// Returns the cursor after the last event that was returned.
    fn cursor(&self) -> ChangeCursor;

    /// Returns whether the desk is disconnected. Changes meanwhile are reported after the reconnection; both events
    /// make the [`bell`](Self::wakeup_fd) readable.
    fn is_disconnected(&self) -> bool {
        false
    }

    /// Returns the interval between two [`poll`](Self::poll)s without a wake-up: a second for a desk with a bell, 20
    /// ms without.
    fn poll_interval(&self) -> Duration;

    /// Returns a descriptor that becomes readable when a change may have arrived, to wait for it together with other
    /// input. `None` if the desk has none: then poll at the [`pace`](Self::poll_interval).
    #[cfg(unix)]
    fn wakeup_fd(&self) -> Option<std::os::fd::BorrowedFd<'_>>;
}
