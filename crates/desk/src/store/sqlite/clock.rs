//! Clock of a desk file: its anchor, and what is due.

pub(crate) mod anchor;

use super::SqliteStore;
use crate::clock;
use crate::store::api::StoreClock;
use crate::store::logic::asks::deadlines;
use crate::store::logic::statements::{StatementStore as _, WriteNeeds};
use jiff::Timestamp;
use sayso_core::Problem;

impl StoreClock for SqliteStore {
    fn now(&self) -> Timestamp {
        clock::now()
    }

    fn adjust_for_clock_change(&self) -> Result<(), Problem> {
        if self.read_few(|conn| self.writer.is_clock_set(conn))? {
            // Every transaction moves deadlines if the clock was set.
            self.run_write(WriteNeeds::RELAXED, |_| Ok(()))?;
        }
        Ok(())
    }

    fn run_due(&self) -> Result<usize, Problem> {
        self.writer.check_file_identity()?;
        if !self.read_few(|conn| deadlines::has_due(conn, clock::now()))? {
            return Ok(0);
        }
        self.run_write(WriteNeeds::DURABLE, |tx| deadlines::run_due(tx))
    }
}
