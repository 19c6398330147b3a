//! Transactions on the writer's connection: commits of one batch of jobs, with or without a sync.

use super::job::{JobContext, JobError, WriteJob};
use crate::clock;
use crate::store::DeskLoss;
use crate::store::api::SyncHealth;
use crate::store::commit_queue::JoinBatch;
use crate::store::sqlite::asks::request_cache::RequestCache;
use crate::store::sqlite::change_log;
use crate::store::sqlite::clock::anchor::{self, AnchorCache};
use crate::store::sqlite::connection::is_cut_short;
use crate::store::sqlite::error::{database_problem, desk_failed, disk_full, is_full, is_sync_failure};
use crate::store::sqlite::files::commit_mark::{CommitMark, CommitProgress};
use crate::store::sqlite::files::file_identity::FileIdentity;
use crate::store::sqlite::files::file_state;
use crate::store::sqlite::files::folder_sync::FolderSync;
use crate::store::sqlite::files::reserve::DiskReserve;
use crate::store::sqlite::transaction::SqliteTransaction;
use crate::store::sqlite::transfer;
use crate::wakeup::Wakeup;
use jiff::Timestamp;
use rusqlite::Connection;
use sayso_core::{Problem, ProblemCode};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};

/// Runner of transactions on the only connection that writes.
pub(crate) struct TransactionRunner {
    conn: Mutex<Connection>,
    wakeup: Arc<dyn Wakeup>,
    /// True if the connection syncs each commit at present; changes only while the connection is locked.
    syncs_commits: AtomicBool,
    /// Once it has failed, this process writes nothing.
    sync_health: Arc<SyncHealth>,
    anchor_cache: AnchorCache,
    reserve: DiskReserve,
    requests: RequestCache,
    folder: FolderSync,
    mark: CommitMark,
    file_identity: FileIdentity,
    /// True if a commit changed something that no hook has reported yet.
    has_unreported_commit: AtomicBool,
}

impl TransactionRunner {
    pub(crate) fn new(
        conn: Connection,
        wakeup: Arc<dyn Wakeup>,
        path: &Path,
        folder: FolderSync,
        mark: CommitMark,
    ) -> Self {
        Self {
            conn: Mutex::new(conn),
            wakeup,
            syncs_commits: AtomicBool::new(true),
            sync_health: Arc::default(),
            anchor_cache: AnchorCache::default(),
            reserve: DiskReserve::new(path),
            requests: RequestCache::default(),
            folder,
            mark,
            file_identity: FileIdentity::new(path),
            has_unreported_commit: AtomicBool::new(false),
        }
    }

    pub(crate) const fn sync_health(&self) -> &Arc<SyncHealth> {
        &self.sync_health
    }

    pub(crate) const fn requests(&self) -> &RequestCache {
        &self.requests
    }

    /// Checks that the file is still where others look for it.
    pub(crate) fn check_file_identity(&self) -> Result<(), Problem> {
        self.file_identity.check().inspect_err(|_| {
            if self.file_identity.is_replaced() {
                self.sync_health.mark_lost(DeskLoss::Replaced);
            }
        })
    }

    /// Returns the connection, once no commit is running.
    pub(crate) fn connection(&self) -> MutexGuard<'_, Connection> {
        self.conn.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the connection, unless a commit is running.
    pub(crate) fn try_connection(&self) -> Option<MutexGuard<'_, Connection>> {
        match self.conn.try_lock() {
            Ok(conn) => Some(conn),
            Err(TryLockError::Poisoned(poisoned)) => Some(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => None,
        }
    }

    /// Returns whether a commit since the last call changed something.
    pub(crate) fn take_unreported_commit(&self) -> bool {
        self.has_unreported_commit.swap(false, Ordering::AcqRel)
    }

    /// Returns whether the clock was set since the last write here.
    pub(crate) fn is_clock_set(&self, conn: &Connection) -> rusqlite::Result<bool> {
        self.anchor_cache.needs_update(conn, &clock::read_clocks())
    }

    /// Ends the transaction in which a job panicked, and returns the problem of its batch.
    pub(crate) fn abandon(&self) -> Problem {
        roll_back(&self.connection());
        desk_failed("a change broke off")
    }

    /// Commits these jobs and those that join.
    pub(crate) fn commit(
        &self,
        jobs: &mut Vec<WriteJob>,
        join: &mut JoinBatch<'_, WriteJob>,
    ) -> Vec<Result<(), Problem>> {
        if let Err(problem) = self.check_file_identity() {
            return fail_all(jobs, &problem);
        }
        if self.sync_health.has_failed() {
            return fail_all(jobs, &desk_failed("an earlier write was not confirmed by the disk"));
        }
        let conn = self.connection();
        match self.commit_with_reserve(&conn, jobs, join) {
            Ok(results) => results,
            // Each job alone would only wait as long again.
            Err(problem) if problem.code == ProblemCode::DeskBusy => fail_all(jobs, &problem),
            // One job's error must not fail the others.
            Err(_) if jobs.len() > 1 && !self.sync_health.has_failed() => self.commit_each(&conn, jobs),
            Err(problem) => fail_all(jobs, &problem),
        }
    }

    /// Commits each job in a transaction of its own.
    fn commit_each(&self, conn: &Connection, jobs: &mut Vec<WriteJob>) -> Vec<Result<(), Problem>> {
        let mut results = Vec::with_capacity(jobs.len());
        for job in std::mem::take(jobs) {
            let mut batch = vec![job];
            match self.commit_with_reserve(conn, &mut batch, &mut |_, _| {}) {
                Ok(result) => results.extend(result),
                Err(problem) => results.push(Err(problem)),
            }
            jobs.append(&mut batch);
        }
        results
    }

    /// Sets whether commits sync. Not a cached statement: this pragma takes effect when it is compiled.
    fn sync_on_commit(&self, conn: &Connection, syncs: bool) -> rusqlite::Result<()> {
        if self.syncs_commits.load(Ordering::Acquire) != syncs {
            conn.pragma_update(None, "synchronous", if syncs { "FULL" } else { "NORMAL" })?;
            self.syncs_commits.store(syncs, Ordering::Release);
        }
        Ok(())
    }

    /// Runs a transaction, and on a full disk again with the reserve released.
    fn commit_with_reserve(
        &self,
        conn: &Connection,
        jobs: &mut Vec<WriteJob>,
        join: &mut JoinBatch<'_, WriteJob>,
    ) -> Result<Vec<Result<(), Problem>>, Problem> {
        match self.commit_once(conn, jobs, join) {
            Err(problem)
                if problem.code == ProblemCode::DeskFull
                    && jobs.iter().all(WriteJob::may_use_reserve)
                    && self.reserve.release() =>
            {
                self.commit_once(conn, jobs, join)
            }
            results => results,
        }
    }

    /// Runs one transaction for all jobs. On an error none of them took effect, or the outcome is unknown.
    fn commit_once(
        &self,
        conn: &Connection,
        jobs: &mut Vec<WriteJob>,
        join: &mut JoinBatch<'_, WriteJob>,
    ) -> Result<Vec<Result<(), Problem>>, Problem> {
        let error = match self.run_transaction(conn, jobs, join) {
            Ok(results) => return Ok(results),
            Err(error) => error,
        };
        if let JobError::Database(error) = &error
            && is_sync_failure(error)
        {
            self.sync_health.mark_lost(DeskLoss::Unconfirmed);
            tracing::error!("the disk did not confirm a commit, so this process writes nothing more");
        }
        roll_back(conn);
        Err(self.to_problem(conn, error))
    }

    /// Returns the problem of a transaction that failed.
    fn to_problem(&self, conn: &Connection, error: JobError) -> Problem {
        match error {
            JobError::Problem(problem) => problem,
            JobError::Database(error)
                if error.sqlite_error_code() == Some(rusqlite::ErrorCode::ReadOnly) && is_cut_short(conn) =>
            {
                file_state::cut_short(self.file_identity.path())
            }
            JobError::Database(error) if is_full(&error, self.file_identity.path()) => disk_full(),
            JobError::Database(error) => self.file_identity.add_hint(database_problem(error)),
        }
    }

    /// Runs one transaction for all jobs and those that join, and tells others of it.
    fn run_transaction(
        &self,
        conn: &Connection,
        jobs: &mut Vec<WriteJob>,
        join: &mut JoinBatch<'_, WriteJob>,
    ) -> Result<Vec<Result<(), Problem>>, JobError> {
        // Without a sync a commit is in the WAL, visible to every process but not durable; the next commit with a
        // sync makes it durable too.
        let must_last = jobs.iter().any(WriteJob::must_sync);
        let syncs = must_last || self.anchor_cache.needs_update(conn, &clock::read_clocks())?;
        self.sync_on_commit(conn, syncs)?;
        execute(conn, "BEGIN IMMEDIATE")?;
        let row_changes = conn.total_changes();
        let log_end = change_log::last_number(conn)?;
        let mut anchor = None;
        let mut results = Vec::with_capacity(jobs.len());
        let refusal = transfer::read_mark(conn)?.map(|mark| mark.to_problem());
        loop {
            let reading = clock::read_clocks();
            if refusal.is_none() && self.anchor_cache.needs_update(conn, &reading)? {
                let tx = SqliteTransaction::new(conn, self.job_context(), reading.wall);
                anchor = Some(anchor::update_anchor(&tx, &reading)?);
            }
            self.run_jobs(conn, jobs, &mut results, (reading.wall, refusal.as_ref()))?;
            // Jobs that arrived meanwhile need no commit of their own, unless one must last and this one does not.
            join(jobs, &|job| syncs || !job.must_sync());
            if jobs.len() == results.len() {
                break;
            }
        }
        let has_written = conn.total_changes() != row_changes;
        let wake_scope = if has_written { Some(change_log::wake_scope_after(conn, log_end)?) } else { None };
        let progress = if has_written && syncs { Some(advance_number(conn, log_end)?) } else { None };
        execute(conn, "COMMIT")?;
        if syncs {
            self.folder.sync_if_young();
        }
        if let Some(wake_scope) = wake_scope {
            self.wakeup.wake(&wake_scope);
            self.has_unreported_commit.store(true, Ordering::Release);
        }
        if let Some(progress) = progress {
            self.mark.advance(progress);
        }
        if let Some(anchor) = anchor {
            self.anchor_cache.store(anchor);
        }
        Ok(results)
    }

    const fn job_context(&self) -> JobContext<'_> {
        JobContext { reserve: &self.reserve, requests: &self.requests }
    }

    /// Runs the remaining jobs inside the transaction, unless the desk refuses all writes.
    fn run_jobs(
        &self,
        conn: &Connection,
        jobs: &mut [WriteJob],
        results: &mut Vec<Result<(), Problem>>,
        (now, refusal): (Timestamp, Option<&Problem>),
    ) -> rusqlite::Result<()> {
        if let Some(problem) = refusal {
            results.resize(jobs.len(), Err(problem.clone()));
            return Ok(());
        }
        let context = self.job_context();
        for job in jobs.iter_mut().skip(results.len()) {
            match job.run(conn, context, now) {
                Ok(()) => results.push(Ok(())),
                Err(JobError::Problem(problem)) => results.push(Err(problem)),
                Err(JobError::Database(error)) => return Err(error),
            }
        }
        Ok(())
    }
}

/// Returns this problem for each job.
fn fail_all(jobs: &[WriteJob], problem: &Problem) -> Vec<Result<(), Problem>> {
    vec![Err(problem.clone()); jobs.len()]
}

/// Returns the number of a transaction: that of its last log entry, or a new one if it added none.
fn advance_number(conn: &Connection, log_end: i64) -> rusqlite::Result<CommitProgress> {
    if change_log::last_number(conn)? == log_end {
        execute(conn, "UPDATE chore SET value = value + 1 WHERE name = 'unlogged'")?;
    }
    CommitProgress::read(conn)
}

/// Ends a transaction that failed. If this fails too, the connection stays in it and the next BEGIN reports it.
fn roll_back(conn: &Connection) {
    if !conn.is_autocommit()
        && let Err(error) = execute(conn, "ROLLBACK")
    {
        tracing::error!(code = ?error.sqlite_error_code(), "a transaction was not rolled back");
    }
}

fn execute(conn: &Connection, sql: &str) -> rusqlite::Result<()> {
    conn.prepare_cached(sql)?.raw_execute().map(drop)
}
