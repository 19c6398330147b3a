//! Upkeep of a desk file: checkpoints, deletion of what is no longer needed, and the space that it leaves.

pub(crate) mod free_pages;
pub(crate) mod purge;

use super::SqliteStore;
use crate::store::api::{PurgeLimits, PurgeState, PurgeStep, PurgedStep, StoreUpkeep};
use crate::store::logic;
use crate::store::logic::asks::cancelled_asks;
use crate::store::logic::statements::{StatementStore as _, WriteNeeds};
use jiff::Timestamp;
use sayso_core::Problem;

impl StoreUpkeep for SqliteStore {
    fn tidy(&self) -> Result<(), Problem> {
        self.writer.checkpoint_when_idle();
        Ok(())
    }

    fn purge_state(&self) -> Result<PurgeState, Problem> {
        self.read_few(purge::read_state)
    }

    fn purge_step(&self, step: PurgeStep, limits: PurgeLimits) -> Result<Option<PurgedStep>, Problem> {
        self.run_write(WriteNeeds::RELAXED, move |tx| logic::purge::run_step(tx, limits, step))
    }

    fn prune_cancelled(&self, before: Timestamp) -> Result<usize, Problem> {
        if !self.read_few(|conn| cancelled_asks::has_prunable(conn, before))? {
            return Ok(0);
        }
        self.run_write(WriteNeeds::RELAXED, move |tx| cancelled_asks::prune_cancelled_before(tx, before))
    }

    fn give_back(&self) -> Result<bool, Problem> {
        if !self.read_few(free_pages::are_many)? {
            return Ok(false);
        }
        let page_count = self.run_write(WriteNeeds::RELAXED, |tx| Ok(free_pages::give_back(tx.conn)?))?;
        // The file becomes shorter at a checkpoint.
        self.writer.checkpoint_when_idle();
        Ok(page_count > 0)
    }

    fn release_space(&self) {
        self.writer.shrink_wal();
    }
}

#[cfg(test)]
impl SqliteStore {
    /// Purges asks that ended, and drafts that were last saved, before these times. Returns the number of asks.
    pub(crate) fn purge(
        &self,
        settled_before: Timestamp,
        drafts_before: Timestamp,
    ) -> Result<usize, Problem> {
        let limits = PurgeLimits { settled_before, drafts_before, hooks_before: settled_before };
        crate::store::upkeep::purge(self, limits)
    }
}
