//! Write jobs of the store, and their results.

use crate::draft::{DraftRev, OnConflict};
use crate::store::logic::asks::{ask_change, cancelled_asks, deadlines, drafts};
use crate::store::logic::purge;
use crate::store::logic::statements::WriteNeeds;
use crate::store::row_value::UnreadableColumn;
use crate::store::sqlite::asks::request_cache::RequestCache;
use crate::store::sqlite::error::{self, database_problem, desk_failed, disk_full};
use crate::store::sqlite::files::reserve::DiskReserve;
use crate::store::sqlite::transaction::SqliteTransaction;
use crate::store::sqlite::upkeep::free_pages;
use crate::store::{
    BatchChange, BatchResult, ChangeOptions, ChangeTarget, CommittedChange, DecideFn, KeyUse, PurgeLimits,
    PurgeStep, PurgedStep,
};
use jiff::Timestamp;
use rusqlite::Connection;
use rusqlite::types::Type;
use sayso_core::{AskId, Person, Problem, QuestionId, Reply};

/// State that the writer keeps in addition to its connection.
#[derive(Clone, Copy)]
pub(crate) struct JobContext<'a> {
    pub(crate) reserve: &'a DiskReserve,
    pub(crate) requests: &'a RequestCache,
}

/// Statements of a job, which may run more than once.
pub(crate) type RunStatements = Box<dyn FnMut(&SqliteTransaction<'_>) -> Result<(), JobError> + Send>;

/// Write job.
#[expect(clippy::large_enum_variant, reason = "most jobs are changes, and a job is moved once")]
pub(crate) enum WriteJob {
    Change {
        target: ChangeTarget,
        key: Option<KeyUse>,
        options: ChangeOptions,
        decide: DecideFn,
    },
    ChangeAll(Vec<BatchChange>),
    SaveDraft {
        id: AskId,
        base: DraftRev,
        by: Person,
        replies: Vec<(QuestionId, Reply)>,
        on_conflict: OnConflict,
    },
    Purge {
        limits: PurgeLimits,
        step: PurgeStep,
    },
    /// Gives back free pages of the file.
    FreePages,
    /// Writes something and takes it back.
    TryWrite,
    /// Prunes a batch of unseen asks that were cancelled before this time.
    PruneCancelled {
        before: Timestamp,
    },
    /// Runs what is due, on a batch of asks.
    RunDue,
    /// Does nothing beyond every transaction's clock check, which moves deadlines if the clock was set.
    AdjustForClockChange,
    /// Runs statements.
    Run(WriteNeeds, RunStatements),
}

impl WriteJob {
    /// Returns whether the job must be synced to disk before its caller returns.
    pub(crate) const fn must_sync(&self) -> bool {
        match self {
            Self::Change { options: beside, .. } => !beside.skip_sync,
            Self::ChangeAll(_) | Self::SaveDraft { .. } | Self::RunDue | Self::TryWrite => true,
            Self::Run(needs, _) => needs.syncs,
            // A purge that a power cut undoes is repeated.
            Self::AdjustForClockChange
            | Self::Purge { .. }
            | Self::FreePages
            | Self::PruneCancelled { .. } => false,
        }
    }

    /// Returns whether the job adds data, for which free space outside the reserve is needed. For asks the change
    /// itself decides.
    const fn needs_free_space(&self) -> bool {
        match self {
            Self::Run(needs, _) => needs.takes_space,
            _ => false,
        }
    }

    /// Returns whether the job may use the reserve, because it completes existing asks or turns.
    pub(crate) const fn may_use_reserve(&self) -> bool {
        !self.needs_free_space()
    }

    /// Runs the job inside a transaction.
    pub(crate) fn run(
        &mut self,
        conn: &Connection,
        context: JobContext<'_>,
        now: Timestamp,
    ) -> Result<JobOutput, JobError> {
        if self.needs_free_space() && !context.reserve.fill() {
            return Err(disk_full().into());
        }
        let tx = &SqliteTransaction::new(conn, context, now);
        match self {
            Self::Change { target, key, options, decide } => {
                ask_change::change(tx, target, key.as_ref(), options, decide)
                    .map(|done| JobOutput::Committed(Box::new(done)))
            }
            Self::ChangeAll(changes) => ask_change::change_all(tx, changes).map(JobOutput::Batch),
            Self::SaveDraft { id, base, by, replies, on_conflict } => {
                drafts::save(tx, *id, (*base, *on_conflict), by, replies)
                    .map(|(rev, overwritten)| JobOutput::Saved(rev, overwritten))
            }
            Self::Purge { limits, step } => purge::run_step(tx, *limits, *step).map(JobOutput::Purged),
            Self::TryWrite => {
                conn.execute(
                    "INSERT OR IGNORE INTO tombstone (id, outcome, digest, created_at, settled_at) \
                     VALUES (x'', '', x'', 0, 0)",
                    [],
                )?;
                Ok(JobOutput::Count(conn.execute("DELETE FROM tombstone WHERE id = x''", [])?))
            }
            Self::FreePages => Ok(JobOutput::Count(free_pages::give_back(conn)?)),
            Self::PruneCancelled { before } => {
                cancelled_asks::prune_cancelled_before(tx, *before).map(JobOutput::Count)
            }
            Self::Run(_, run) => run(tx).map(|()| JobOutput::Count(0)),
            Self::AdjustForClockChange => Ok(JobOutput::Count(0)),
            Self::RunDue => deadlines::run_due(tx).map(JobOutput::Count),
        }
    }
}

/// Result of a job.
pub(crate) enum JobOutput {
    Committed(Box<CommittedChange>),
    Batch(BatchResult),
    Saved(DraftRev, Vec<QuestionId>),
    Count(usize),
    Purged(Option<PurgedStep>),
}

impl JobOutput {
    pub(crate) fn into_committed(self) -> Result<CommittedChange, Problem> {
        if let Self::Committed(committed) = self {
            Ok(*committed)
        } else {
            Err(desk_failed("mixed-up reply"))
        }
    }

    pub(crate) fn into_batch(self) -> Result<BatchResult, Problem> {
        if let Self::Batch(done) = self { Ok(done) } else { Err(desk_failed("mixed-up reply")) }
    }

    pub(crate) fn into_saved(self) -> Result<(DraftRev, Vec<QuestionId>), Problem> {
        if let Self::Saved(rev, overwritten) = self {
            Ok((rev, overwritten))
        } else {
            Err(desk_failed("mixed-up reply"))
        }
    }

    pub(crate) fn into_count(self) -> Result<usize, Problem> {
        if let Self::Count(count) = self { Ok(count) } else { Err(desk_failed("mixed-up reply")) }
    }

    pub(crate) fn into_purged(self) -> Result<Option<PurgedStep>, Problem> {
        if let Self::Purged(done) = self { Ok(done) } else { Err(desk_failed("mixed-up reply")) }
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
            Self::Database(error) => database_problem(&error),
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
