//! Upkeep of a store while no one waits for it.

use jiff::Timestamp;
use sayso_core::Problem;

/// Upkeep of a store.
pub(crate) trait StoreUpkeep: Send + Sync {
    /// Does what has come due of the store's own work, and purges old asks once a day.
    ///
    /// # Errors
    /// If the store cannot be read or written.
    fn run_maintenance(&self, settled_before: Timestamp, drafts_before: Timestamp) -> Result<(), Problem>;

    /// Gives back the space that a burst of writes took, if no one writes. Costs next to nothing without one.
    fn release_space(&self);
}
