//! Groups of accounts of a store.

use crate::group::{GroupChange, Groups};
use sayso_core::Problem;
use std::collections::BTreeSet;

/// Groups of a store. Every method fails if the store cannot be read or written.
pub(crate) trait GroupStore: Send + Sync {
    /// Returns the groups of an account.
    fn groups_of(&self, account: &str) -> Result<BTreeSet<String>, Problem>;

    /// Returns all groups.
    fn groups(&self) -> Result<Groups, Problem>;

    /// Adds an account to a group or removes it. Returns false if nothing changed.
    fn change_group(&self, change: GroupChange) -> Result<bool, Problem>;
}
