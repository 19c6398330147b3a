//! Interface of a store: what a desk needs to keep asks, threads and tokens durable for many processes at once.
//!
//! **Invariant:** a store has no rules of an ask's life. It runs the given decision inside the write transaction and
//! stores the result. The decision may run more than once; only the last run counts.

mod asks;
mod browser_sessions;
mod caller_count;
mod changes;
mod clock;
mod drafts;
mod groups;
mod sync_health;
mod threads;
mod tokens;
mod upkeep;

pub(crate) use asks::{
    AskStore, AskTombstone, BatchChange, BatchResult, ChangeOptions, ChangeTarget, CommittedChange, DecideFn,
    IdScope, KeyUse,
};
pub(crate) use browser_sessions::{
    BrowserSessionOutput, BrowserSessionStore, BrowserSessionWrite, NewBrowserSession,
};
pub use caller_count::CallerCount;
pub(crate) use changes::ChangeStore;
pub(crate) use clock::StoreClock;
pub(crate) use drafts::DraftStore;
pub(crate) use groups::GroupStore;
pub use sync_health::DeskLoss;
pub(crate) use sync_health::SyncHealth;
pub(crate) use threads::ThreadStore;
pub(crate) use tokens::{GoneAccounts, TokenStore};
pub(crate) use upkeep::{PurgeLimits, PurgeState, PurgeStep, PurgedStep, StoreUpkeep};

use crate::CommitHook;
use crate::node_stats::NodeStats;
use crate::rate_use::RateUse;
use crate::store::desk_mark::DeskMark;
use crate::wakeup::Wakeup;
use sayso_core::Problem;
use std::sync::Arc;

/// Durable store of a desk, safe for several processes at once.
pub(crate) trait Store:
    AskStore
    + DraftStore
    + ChangeStore
    + ThreadStore
    + TokenStore
    + GroupStore
    + BrowserSessionStore
    + StoreClock
    + StoreUpkeep
{
    /// Returns the wake-up of those who wait for a change.
    fn wakeup(&self) -> &dyn Wakeup;

    /// Adds a hook that runs after each commit of this process, on the committing thread, in the order of addition.
    fn add_commit_hook(&self, hook: CommitHook);

    /// Returns the number of this history of the desk. Another server that took over may lack the last changes of the
    /// one before it, and gives their numbers to others: then the number is another one.
    fn history_number(&self) -> u64 {
        0
    }

    /// Checks that this is still the store that others open.
    ///
    /// # Errors
    /// If it was removed or replaced: then no one else will see what is written to it.
    fn check_identity(&self) -> Result<(), Problem>;

    /// Returns the mark of a desk that takes no writes.
    ///
    /// # Errors
    /// If the desk cannot be read.
    fn mark(&self) -> Result<Option<DeskMark>, Problem>;

    /// Writes something and takes it back, durably.
    ///
    /// # Errors
    /// If the desk takes no write.
    fn try_write(&self) -> Result<(), Problem>;

    /// Finds what an operator of the desk should change.
    ///
    /// # Errors
    /// If the desk cannot be read.
    fn warnings(&self) -> Result<Vec<Problem>, Problem> {
        Ok(Vec::new())
    }

    /// Returns the figures of this node, if several may work on the desk.
    fn node_stats(&self) -> Option<NodeStats> {
        None
    }

    /// Returns the secret key that all nodes share, if several may work on the desk.
    ///
    /// # Errors
    /// If the desk cannot be read.
    fn seal_key(&self) -> Result<Option<Vec<u8>>, Problem> {
        Ok(None)
    }

    /// Adds uses of rate limits to those of other nodes, if several may work on the desk, and returns the time until
    /// each limit has recovered from all of them.
    ///
    /// # Errors
    /// If the desk cannot be reached.
    fn share_rates(&self, _uses: &[RateUse]) -> Result<Vec<RateUse>, Problem> {
        Ok(Vec::new())
    }

    /// Returns whether every write so far is known to be durable.
    fn sync_health(&self) -> Arc<SyncHealth>;
}
