//! Clock of a desk file: its anchor, and what is due.

pub(crate) mod anchor;

use super::SqliteStore;
use super::writer::job::WriteJob;
use crate::clock;
use crate::store::StoreClock;
use crate::store::logic::asks::deadlines;
use jiff::Timestamp;
use sayso_core::Problem;

impl StoreClock for SqliteStore {
    fn now(&self) -> Timestamp {
        clock::now()
    }

    fn adjust_for_clock_change(&self) -> Result<(), Problem> {
        if self.read_few(|conn| self.writer.is_clock_set(conn))? {
            self.writer.run(WriteJob::AdjustForClockChange)?;
        }
        Ok(())
    }

    fn run_due(&self) -> Result<usize, Problem> {
        self.writer.check_file_identity()?;
        if !self.read_few(|conn| deadlines::has_due(conn, clock::now()))? {
            return Ok(0);
        }
        self.writer.run(WriteJob::RunDue)?.into_count()
    }
}
