//! Upkeep of a desk in a database: deletion of what is no longer needed. The server uses the space of deleted rows again.

mod purge;

use super::PostgresStore;
use super::threads::turn_log;
use crate::store::api::{PurgeLimits, PurgeState, PurgeStep, PurgedStep, StoreUpkeep};
use crate::store::logic;
use crate::store::logic::asks::cancelled_asks;
use crate::store::logic::statements::StatementStore as _;
use jiff::Timestamp;
use sayso_core::Problem;

impl StoreUpkeep for PostgresStore {
    fn tidy(&self) -> Result<(), Problem> {
        self.forget_rates()?;
        self.writer.run(|tx| {
            turn_log::purge(tx);
            Ok(())
        })
    }

    fn purge_state(&self) -> Result<PurgeState, Problem> {
        self.read(|session| purge::read_state(session))
    }

    fn purge_step(&self, step: PurgeStep, limits: PurgeLimits) -> Result<Option<PurgedStep>, Problem> {
        self.writer.run(move |tx| logic::purge::run_step(tx, limits, step))
    }

    fn prune_cancelled(&self, before: Timestamp) -> Result<usize, Problem> {
        if !self.run_read(|session| cancelled_asks::has_prunable(session, before))? {
            return Ok(0);
        }
        self.writer.run(move |tx| cancelled_asks::prune_cancelled_before(tx, before))
    }

    fn give_back(&self) -> Result<bool, Problem> {
        Ok(false)
    }

    fn release_space(&self) {}
}
