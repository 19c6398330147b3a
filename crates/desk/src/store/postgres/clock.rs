//! Clock of the desk: the server's, so that all nodes agree on what is due.

use super::PostgresStore;
use super::asks::ask_rows;
use super::connection::Query as _;
use super::error::WriteError;
use super::transaction::WriteTransaction;
use crate::clock;
use crate::store::StoreClock;
use jiff::{SignedDuration, Timestamp};
use sayso_core::{Actor, AskCommand, Problem, lifecycle};
use std::sync::atomic::Ordering;

/// Largest number of asks updated in one transaction, so that no one waits long for it.
const BATCH_ASKS: i64 = 50;

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
        let now = self.now().as_microsecond();
        // Without the order, the plan that the server keeps for a prepared statement reads all asks.
        let sql = "SELECT 1 FROM ask WHERE due_at <= $1 ORDER BY due_at LIMIT 1";
        if !self.read(|session| session.has_row(sql, &[&now]))? {
            return Ok(0);
        }
        self.writer.run(run_due)
    }
}

/// Runs what is due, the most overdue first, and returns the number of changed asks; 0 when nothing readable is left.
fn run_due(tx: &WriteTransaction<'_>) -> Result<usize, WriteError> {
    let condition = "due_at <= $1 ORDER BY due_at, ask.seq LIMIT $2";
    let due = ask_rows::read_where(tx, condition, &[&tx.now().as_microsecond(), &BATCH_ASKS])?;
    let mut changed = 0;
    for stored in due {
        // An unreadable ask cannot be answered either, and must not block others.
        let Ok((seq, ask)) = stored.into_ask() else { continue };
        let Ok(change) = lifecycle::apply_command(&ask, &Actor::Desk, AskCommand::Tick, tx.now()) else {
            continue;
        };
        changed += usize::from(!change.events.is_empty());
        ask_rows::store(tx, (seq, &ask), &change)?;
    }
    Ok(changed)
}
