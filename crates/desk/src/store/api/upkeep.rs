//! Upkeep of a store while no one waits for it: its parts, which [`upkeep`](crate::store::upkeep) drives.

use jiff::Timestamp;
use sayso_core::Problem;

/// Age limits of a purge.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PurgeLimits {
    /// Limit for asks by their end, and for threads by their last message.
    pub(crate) settled_before: Timestamp,
    /// Limit for drafts of ended asks, by their last save.
    pub(crate) drafts_before: Timestamp,
    /// Limit for asks of hosts' hooks by their end, if it is later.
    pub(crate) hooks_before: Timestamp,
}

impl PurgeLimits {
    /// Returns the limit for asks of hosts' hooks.
    pub(crate) fn hooks_settled_before(&self) -> Timestamp {
        self.hooks_before.max(self.settled_before)
    }

    /// Returns the latest of the limits for asks and their drafts: nothing of a younger ask is deleted.
    pub(crate) fn latest(&self) -> Timestamp {
        self.hooks_settled_before().max(self.drafts_before)
    }
}

/// Step of a purge, which is a transaction of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PurgeStep {
    /// Asks after this row, in the order they were opened.
    Asks {
        after: i64,
    },
    /// Entries of the change log after this number whose asks are gone.
    Log {
        after: i64,
    },
    Threads,
    Tombstones,
}

impl PurgeStep {
    pub(crate) const FIRST: Self = Self::Asks { after: 0 };

    /// Parses the two numbers that a store keeps.
    pub(crate) const fn parse((stage, after): (i64, i64)) -> Self {
        match stage {
            1 => Self::Log { after },
            2 => Self::Threads,
            3 => Self::Tombstones,
            _ => Self::Asks { after },
        }
    }

    /// Returns the two numbers to store.
    pub(crate) const fn numbers(self) -> (i64, i64) {
        match self {
            Self::Asks { after } => (0, after),
            Self::Log { after } => (1, after),
            Self::Threads => (2, 0),
            Self::Tombstones => (3, 0),
        }
    }
}

/// Purge of a store as it stands.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PurgeState {
    /// End of the last whole purge.
    pub(crate) ended_at: Timestamp,
    /// Step that comes next.
    pub(crate) step: PurgeStep,
}

/// Step of a purge that ran.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PurgedStep {
    /// Number of deleted asks.
    pub(crate) asks: usize,
    /// Step that comes next; `None` at the end of the purge.
    pub(crate) next: Option<PurgeStep>,
}

/// Parts of the upkeep of a store. Each call is short.
pub(crate) trait StoreUpkeep: Send + Sync {
    /// Does what has come due of the store's own work.
    ///
    /// # Errors
    /// If the store cannot be read or written.
    fn tidy(&self) -> Result<(), Problem>;

    /// Returns how the purge stands.
    ///
    /// # Errors
    /// If the store cannot be read.
    fn purge_state(&self) -> Result<PurgeState, Problem>;

    /// Runs a step of the purge, if it is the one that comes next; `None` if someone else ran it. So the purge belongs to
    /// whoever runs its steps, and nobody has to wait for one who died.
    ///
    /// # Errors
    /// If the store cannot be written.
    fn purge_step(&self, step: PurgeStep, limits: PurgeLimits) -> Result<Option<PurgedStep>, Problem>;

    /// Prunes a batch of the asks that were cancelled before this time and that no person saw, and returns their number.
    ///
    /// # Errors
    /// If the store cannot be read or written.
    fn prune_cancelled(&self, before: Timestamp) -> Result<usize, Problem>;

    /// Gives back a part of the space that a purge freed. Returns whether there may be more.
    ///
    /// # Errors
    /// If the store cannot be read or written.
    fn give_back(&self) -> Result<bool, Problem>;

    /// Gives back the space that a burst of writes took, if no one writes. Costs next to nothing without one.
    fn release_space(&self);
}
