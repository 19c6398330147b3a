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
    /// Something that cannot be read any more.
    Damaged,
}

const POSTED: &str = "posted";
const CLAIMED: &str = "claimed";
const RENEWED: &str = "renewed";
const PUBLISHED: &str = "published";
const ASKED: &str = "asked";
const ENDED: &str = "ended";
const FAILED: &str = "failed";
const DELETED: &str = "deleted";
const DAMAGED: &str = "damaged";

impl TurnNewsKind {
    /// Returns the name of the kind, as stores have it.
    pub(crate) const fn kind(&self) -> &'static str {
        match self {
            Self::Posted => POSTED,
            Self::Claimed => CLAIMED,
            Self::Renewed => RENEWED,
            Self::Published(_) => PUBLISHED,
            Self::Asked(_) => ASKED,
            Self::Ended => ENDED,
            Self::Failed(_) => FAILED,
            Self::Deleted => DELETED,
            Self::Damaged => DAMAGED,
        }
    }

    /// Returns what stores keep beside the kind.
    pub(crate) fn body(&self) -> &[u8] {
        match self {
            Self::Published(event) => event,
            Self::Asked(ask) => ask.as_bytes(),
            Self::Failed(reason) => reason.as_bytes(),
            Self::Posted | Self::Claimed | Self::Renewed | Self::Ended | Self::Deleted | Self::Damaged => &[],
        }
    }

    /// Reads what a store has.
    pub(crate) fn read(kind: &str, body: Vec<u8>) -> Self {
        Self::parse(kind, body).unwrap_or(Self::Damaged)
    }

    fn parse(kind: &str, body: Vec<u8>) -> Option<Self> {
        Some(match kind {
            POSTED => Self::Posted,
            CLAIMED => Self::Claimed,
            RENEWED => Self::Renewed,
            PUBLISHED => Self::Published(body),
            ASKED => Self::Asked(AskId::from_bytes(&body)?),
            ENDED => Self::Ended,
            FAILED => Self::Failed(String::from_utf8(body).ok()?),
            DELETED => Self::Deleted,
            _ => return None,
        })
    }
}

/// Events of turns since an earlier read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TurnNewsPage {
    /// Events of other nodes, in order.
    pub news: Vec<TurnNews>,
    /// Place up to which all was read.
    pub last: i64,
}
