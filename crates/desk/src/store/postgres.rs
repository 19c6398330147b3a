//! Store over a PostgreSQL database that several nodes share.
//!
//! Every write transaction locks the one row of the table `desk` first. So the nodes write one after another, exactly
//! as processes do at a desk file: numbers of changes have no gaps, and no two transactions can block each other. A node
//! commits the jobs of concurrent callers together, so that the lock costs little.

mod asks;
mod change_log;
mod clock;
pub(crate) mod connection;
mod error;
mod notification;
mod rates;
mod schema;
#[cfg(test)]
mod tests;
mod threads;
mod transaction;
pub(crate) mod transfer;
mod upkeep;
mod warnings;
mod writer;

use crate::CommitHook;
use crate::node_stats::NodeStats;
use crate::rate_use::RateUse;
use crate::store::api::{Store, SyncHealth};
use crate::store::desk_mark::DeskMark;
use crate::wakeup::Wakeup;
use crate::wakeup::registry::WakeRegistry;
use connection::address::PostgresAddress;
use connection::{Database, Query as _, Session};
use error::{DatabaseError, database_problem, pooled};
use jiff::SignedDuration;
use notification::Notifier;
use sayso_core::Problem;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use transaction::values;
use writer::Writer;

/// Time for which the mark of the desk is taken as read.
const MARK_AGE: Duration = Duration::from_secs(1);

/// Store over a PostgreSQL database.
pub(crate) struct PostgresStore {
    database: Arc<Database>,
    writer: Writer,
    wakeup: Arc<WakeRegistry>,
    /// Microseconds by which the server's clock is ahead of this machine's.
    clock_offset: Arc<AtomicI64>,
    /// The mark of the desk, and the time at which it was read.
    mark: Mutex<Option<(Instant, Option<DeskMark>)>>,
    /// Keeps the exchange of wake-ups with other nodes running.
    notifier: Notifier,
}

impl PostgresStore {
    /// Opens the desk in a database.
    ///
    /// # Errors
    /// If the server cannot be reached, or the database has no desk of this version.
    pub(crate) fn open(address: &PostgresAddress) -> Result<Self, Problem> {
        let database = Arc::new(Database::connect(address)?);
        let clock_offset = Arc::new(AtomicI64::new(0));
        refuse_pooler(&database)?;
        schema::check_format(&database.session()?, address)?;
        let wakeup = Arc::new(WakeRegistry::default());
        let notifier = Notifier::start(&database, wakeup.clone());
        let writer = Writer::new(database.clone(), wakeup.clone(), notifier.sender(), clock_offset.clone());
        let mark = Mutex::default();
        let store = Self { database, writer, wakeup, clock_offset, mark, notifier };
        store.synchronize_clock()?;
        Ok(store)
    }

    /// Creates the tables of a desk in a database, unless it has them.
    ///
    /// # Errors
    /// If the server cannot be reached, the role may not create tables, or the desk is of a newer version.
    pub(crate) fn migrate(address: &PostgresAddress) -> Result<(), Problem> {
        let database = Database::connect(address)?;
        schema::create(&database.session()?, address)
    }

    /// Runs reads on a connection of their own.
    fn read<T>(&self, work: impl FnOnce(&Session<'_>) -> Result<T, DatabaseError>) -> Result<T, Problem> {
        let session = self.database.session()?;
        work(&session).map_err(database_problem)
    }

    /// Runs a short read that finds who calls: it waits for no other read.
    fn look_up<T>(&self, work: impl FnOnce(&Session<'_>) -> Result<T, DatabaseError>) -> Result<T, Problem> {
        let session = self.database.lookup_session()?;
        work(&session).map_err(database_problem)
    }
}

/// Refuses a pooler that gives each transaction another process of the server: what is set for a connection, and what it
/// listens to, would be another's.
///
/// # Errors
/// If the server cannot be reached, or such a pooler is before it.
fn refuse_pooler(database: &Database) -> Result<(), Problem> {
    let [first, second] = [database.session()?, database.session()?];
    if first.shares_processes(&second).map_err(database_problem)? {
        return Err(pooled());
    }
    Ok(())
}

impl Store for PostgresStore {
    fn wakeup(&self) -> &dyn Wakeup {
        &*self.wakeup
    }

    fn add_commit_hook(&self, hook: CommitHook) {
        self.writer.add_commit_hook(hook);
    }

    fn history_number(&self) -> u64 {
        self.database.timeline()
    }

    /// A database that was replaced has another id, which each write checks.
    fn check_identity(&self) -> Result<(), Problem> {
        Ok(())
    }

    /// Reads the mark once in a second at most: every waiter asks for it.
    fn mark(&self) -> Result<Option<DeskMark>, Problem> {
        let mut known = self.mark.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((at, mark)) = &*known
            && at.elapsed() < MARK_AGE
        {
            return Ok(mark.clone());
        }
        let mark = self.read(transfer::read_mark)?;
        *known = Some((Instant::now(), mark.clone()));
        Ok(mark)
    }

    fn try_write(&self) -> Result<(), Problem> {
        self.writer.run(|tx| {
            // A standby that is gone is reported by itself.
            tx.queue("SET LOCAL synchronous_commit = local", values![]);
            tx.queue(
                "INSERT INTO tombstone (id, outcome, created_at, settled_at) VALUES ('', '', 0, 0) \
                 ON CONFLICT DO NOTHING",
                values![],
            );
            tx.queue("DELETE FROM tombstone WHERE id = ''", values![]);
            Ok(())
        })
    }

    fn warnings(&self) -> Result<Vec<Problem>, Problem> {
        self.find_warnings()
    }

    fn node_stats(&self) -> Option<NodeStats> {
        let (commits, changes) = self.writer.counts();
        Some(NodeStats {
            pool: self.database.pool_state(),
            commits,
            changes,
            clock_ahead: SignedDuration::from_micros(self.clock_offset.load(Ordering::Relaxed)),
            hears_others: self.wakeup.hears_others(),
        })
    }

    fn seal_key(&self) -> Result<Option<Vec<u8>>, Problem> {
        self.read(|session| {
            session.row("SELECT seal_key FROM desk", &[])?.map(|row| row.try_get(0)).transpose()
        })
    }

    fn share_rates(&self, uses: &[RateUse]) -> Result<Vec<RateUse>, Problem> {
        self.add_rates(uses)
    }

    /// The server confirms each write or reports its failure, so nothing is known to this process that could be lost.
    fn sync_health(&self) -> Arc<SyncHealth> {
        Arc::default()
    }
}
