//! What happens in turns, as one node of a desk tells the others.

use sayso_core::AskId;

/// Something that happened in a turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TurnNews {
    /// Place in the order of everything that happens at the desk.
    pub place: i64,
    /// Number of the turn.
    pub turn: i64,
    /// Event.
    pub kind: TurnNewsKind,
}

/// Kind of what happened in a turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TurnNewsKind {
    /// Its message was posted.
    Posted,
    /// A process of the agent took it.
    Claimed,
    /// Its holder is alive.
    Renewed,
    /// Its holder published this event, as the server writes it.
    Published(Vec<u8>),
    /// Its holder asked.
    Asked(AskId),
    /// Its holder ended it.
    Ended,
    /// It ended without its agent, for this reason.
    Failed(String),
    /// Its thread was deleted.
    Deleted,
}

/// Events of turns since an earlier read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TurnNewsPage {
    /// Events of other nodes, in order.
    pub news: Vec<TurnNews>,
    /// Place up to which all was read.
    pub last: i64,
}
