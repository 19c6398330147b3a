//! Clock of the desk: the server's, so that all nodes agree on what is due.

use super::PostgresStore;
use super::connection::Query as _;
use crate::clock;
use crate::store::api::StoreClock;
use crate::store::logic::asks::deadlines;
use crate::store::logic::statements::StatementStore as _;
use jiff::{SignedDuration, Timestamp};
use sayso_core::Problem;
use std::sync::atomic::Ordering;

impl PostgresStore {
    /// Measures the difference between the server's clock and this machine's.
    pub(super) fn synchronize_clock(&self) -> Result<(), Problem> {
        let sql = "SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint";
        let now: i64 = self.read(|session| session.row(sql, &[])?.map_or(Ok(0), |row| row.try_get(0)))?;
        self.clock_offset.store(now - clock::now().as_microsecond(), Ordering::Relaxed);
        Ok(())
    }
}

impl StoreClock for PostgresStore {
    fn now(&self) -> Timestamp {
        let offset = SignedDuration::from_micros(self.clock_offset.load(Ordering::Relaxed));
        clock::now().checked_add(offset).unwrap_or_else(|_| clock::now())
    }

    /// The server's clock is kept by its operator: deadlines stay where they are.
    fn adjust_for_clock_change(&self) -> Result<(), Problem> {
        Ok(())
    }

    fn run_due(&self) -> Result<usize, Problem> {
        let now = self.now();
        if !self.run_read(|session| deadlines::has_due(session, now))? {
            return Ok(0);
        }
        self.writer.run(|tx| deadlines::run_due(tx))
    }
}
