//! Write jobs of the store.

use crate::store::commit_queue::OutputSlot;
use crate::store::logic::statements::WriteNeeds;
use crate::store::row_value::UnreadableColumn;
use crate::store::sqlite::asks::request_cache::RequestCache;
use crate::store::sqlite::error::{self, database_problem, disk_full};
use crate::store::sqlite::files::reserve::DiskReserve;
use crate::store::sqlite::transaction::SqliteTransaction;
use jiff::Timestamp;
use rusqlite::Connection;
use rusqlite::types::Type;
use sayso_core::Problem;

/// State that the writer keeps in addition to its connection.
#[derive(Clone, Copy)]
pub(crate) struct JobContext<'a> {
    pub(crate) reserve: &'a DiskReserve,
    pub(crate) requests: &'a RequestCache,
}

/// Write job. It may run more than once; only the last run counts.
pub(crate) struct WriteJob {
    needs: WriteNeeds,
    work: Box<JobWork>,
}

/// Statements of a job.
type JobWork = dyn FnMut(&SqliteTransaction<'_>) -> Result<(), JobError> + Send;

impl WriteJob {
    /// Returns a job that does this work, and where its output will be.
    pub(crate) fn new<T: Send + 'static>(
        needs: WriteNeeds,
        mut work: impl FnMut(&SqliteTransaction<'_>) -> Result<T, JobError> + Send + 'static,
    ) -> (Self, OutputSlot<T>) {
        let slot = OutputSlot::default();
        let output = slot.clone();
        let work = Box::new(move |tx: &SqliteTransaction<'_>| {
            output.put(work(tx)?);
            Ok(())
        });
        (Self { needs, work }, slot)
    }

    /// Returns whether the job must be synced to disk before its caller returns.
    pub(crate) const fn must_sync(&self) -> bool {
        self.needs.syncs
    }

    /// Returns whether the job may use the reserve, because it completes existing asks or turns. For a new ask the change
    /// itself decides.
    pub(crate) const fn may_use_reserve(&self) -> bool {
        !self.needs.takes_space
    }

    /// Runs the job inside a transaction.
    pub(crate) fn run(
        &mut self,
        conn: &Connection,
        context: JobContext<'_>,
        now: Timestamp,
    ) -> Result<(), JobError> {
        if self.needs.takes_space && !context.reserve.fill() {
            return Err(disk_full().into());
        }
        (self.work)(&SqliteTransaction::new(conn, context, now))
    }
}

/// Error of a job: its own problem, which leaves other jobs unaffected, or a database error, which aborts the
/// transaction.
pub(crate) enum JobError {
    Problem(Problem),
    Database(rusqlite::Error),
}

impl JobError {
    /// Returns the problem for a caller.
    pub(crate) fn into_problem(self) -> Problem {
        match self {
            Self::Problem(problem) => problem,
            Self::Database(error) => database_problem(error),
        }
    }
}

impl From<rusqlite::Error> for JobError {
    fn from(error: rusqlite::Error) -> Self {
        match error::find_damage(&error) {
            Some(damage) => Self::Problem(damage.to_problem()),
            None => Self::Database(error),
        }
    }
}

impl From<UnreadableColumn> for JobError {
    fn from(column: UnreadableColumn) -> Self {
        Self::Database(rusqlite::Error::InvalidColumnType(column.0, String::new(), Type::Null))
    }
}

impl From<Problem> for JobError {
    fn from(problem: Problem) -> Self {
        Self::Problem(problem)
    }
}
