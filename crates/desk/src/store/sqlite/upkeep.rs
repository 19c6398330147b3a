//! Upkeep of a desk file: checkpoints, and deletion of what is no longer needed.

pub(crate) mod cancelled_asks;
pub(crate) mod purge;

use super::SqliteStore;
use super::writer::job::WriteJob;
use crate::clock;
use crate::store::{PurgeLimits, StoreUpkeep};
use jiff::{SignedDuration, Timestamp};
use purge::PurgeStep;
use sayso_core::{Problem, limits};

impl StoreUpkeep for SqliteStore {
    fn run_maintenance(&self, old: PurgeLimits) -> Result<(), Problem> {
        self.writer.checkpoint_when_idle();
        if self.read_few(|conn| purge::is_due(conn, clock::now()))? {
            self.purge_old(old)?;
        }
        let unseen = SignedDuration::from_secs(limits::UNSEEN_CANCELLED_SECONDS);
        self.prune_cancelled(clock::now().checked_sub(unseen).unwrap_or(Timestamp::MIN))
    }

    fn release_space(&self) {
        self.writer.shrink_wal();
    }
}

impl SqliteStore {
    /// Purges asks that ended, and drafts that were last saved, before these times. Returns the number of asks.
    #[cfg(test)]
    pub(crate) fn purge(
        &self,
        settled_before: Timestamp,
        drafts_before: Timestamp,
    ) -> Result<usize, Problem> {
        self.purge_old(PurgeLimits { settled_before, drafts_before, hooks_before: settled_before })
    }

    /// Purges what is older than these limits. Returns the number of asks.
    fn purge_old(&self, old: PurgeLimits) -> Result<usize, Problem> {
        let (mut all, mut step) = (0, PurgeStep::FIRST);
        while step != PurgeStep::Done {
            let (gone, next) = self.writer.run(WriteJob::Purge { old, step })?.into_purged()?;
            (all, step) = (all + gone, next);
        }
        Ok(all)
    }

    /// Prunes the asks that were cancelled before this time and that no person saw.
    pub(crate) fn prune_cancelled(&self, before: Timestamp) -> Result<(), Problem> {
        if self.read_few(|conn| cancelled_asks::has_prunable(conn, before))? {
            while self.writer.run(WriteJob::PruneCancelled { before })?.into_count()? > 0 {}
        }
        Ok(())
    }
}
