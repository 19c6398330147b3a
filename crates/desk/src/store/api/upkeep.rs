//! Upkeep of a store while no one waits for it.

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

/// Upkeep of a store.
pub(crate) trait StoreUpkeep: Send + Sync {
    /// Does what has come due of the store's own work, and purges old asks once a day.
    ///
    /// # Errors
    /// If the store cannot be read or written.
    fn run_maintenance(&self, old: PurgeLimits) -> Result<(), Problem>;

    /// Gives back the space that a burst of writes took, if no one writes. Costs next to nothing without one.
    fn release_space(&self);
}
