//! One writer a process, with group commit by leader–follower: the first caller leads and commits for all who arrive
//! meanwhile. There is no writer thread, so a lone caller pays for no thread switch.

pub(crate) mod checkpoint;
pub(crate) mod job;

use crate::clock;
use crate::store::sqlite::asks::request_cache::RequestCache;
use crate::store::sqlite::change_log;
use crate::store::sqlite::clock::anchor::{self, AnchorCache};
use crate::store::sqlite::error::{database_problem, desk_failed, is_sync_failure};
use crate::store::sqlite::files::commit_mark::{CommitMark, CommitProgress};
use crate::store::sqlite::files::file_identity::FileIdentity;
use crate::store::sqlite::files::folder_sync::FolderSync;
use crate::store::sqlite::files::reserve::DiskReserve;
use crate::store::{CommitHook, SyncHealth};
use crate::wakeup::Wakeup;
use checkpoint::Checkpointer;
use jiff::Timestamp;
use job::{JobContext, JobError, JobOutput, WriteJob};
use rusqlite::Connection;
use sayso_core::{Problem, ProblemCode};
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};

/// Largest number of jobs committed together.
const BATCH_JOBS: usize = 256;

/// Callback that adds waiting jobs to a transaction, if their durability suits it.
pub(crate) type JoinBatch<'a> = dyn FnMut(&mut Vec<WriteJob>, Durability) + 'a;

/// Durability of a transaction.
#[derive(Clone, Copy)]
pub(crate) enum Durability {
    Synced,
    Unsynced,
}

impl Durability {
    const fn suits(self, job: &WriteJob) -> bool {
        matches!(self, Self::Synced) || !job.must_sync()
    }
}

/// Message to a waiting caller.
enum Leadership {
    Wait,
    Lead,
    Done(Result<JobOutput, Problem>),
}

struct CommitWaiter {
    leadership: Mutex<Leadership>,
    changed: Condvar,
}

struct QueuedJob {
    job: WriteJob,
    waiter: Arc<CommitWaiter>,
}

#[derive(Default)]
struct JobQueue {
    waiting: VecDeque<QueuedJob>,
    has_leader: bool,
}

pub(crate) struct GroupCommitter {
    queue: Mutex<JobQueue>,
    conn: Mutex<Connection>,
    wakeup: Arc<dyn Wakeup>,
    checkpoint: Checkpointer,
    /// True if the connection syncs each commit at present; changes only while the connection is locked.
    syncs_commits: AtomicBool,
    /// Once it has failed, this process writes nothing.
    sync_health: Arc<SyncHealth>,
    anchor_cache: AnchorCache,
    reserve: DiskReserve,
    requests: RequestCache,
    folder: FolderSync,
    mark: CommitMark,
    pub(crate) file_identity: FileIdentity,
    /// True if a commit changed something that the hook has not reported yet.
    has_unreported_commit: AtomicBool,
    /// Hook to run after such a commit.
    commit_hook: OnceLock<CommitHook>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl GroupCommitter {
    pub(crate) fn new(
        conn: Connection,
        wakeup: Arc<dyn Wakeup>,
        path: &Path,
        folder: FolderSync,
        mark: CommitMark,
    ) -> Self {
        let trust = Arc::<SyncHealth>::default();
        Self {
            queue: Mutex::default(),
            conn: Mutex::new(conn),
            wakeup,
            checkpoint: Checkpointer::new(path, trust.clone()),
            syncs_commits: AtomicBool::new(true),
            sync_health: trust,
            anchor_cache: AnchorCache::default(),
            reserve: DiskReserve::new(path),
            requests: RequestCache::default(),
            folder,
            mark,
            file_identity: FileIdentity::new(path),
            has_unreported_commit: AtomicBool::new(false),
            commit_hook: OnceLock::new(),
        }
    }

    pub(crate) fn sync_health(&self) -> Arc<SyncHealth> {
        self.sync_health.clone()
    }

    /// Sets the hook that runs after each commit here, by any caller.
    pub(crate) fn set_commit_hook(&self, told: CommitHook) {
        // Only the first hook counts.
        let _ = self.commit_hook.set(told);
    }

    pub(crate) const fn requests(&self) -> &RequestCache {
        &self.requests
    }

    /// Returns the connection, unless a commit is running.
    pub(crate) fn try_connection(&self) -> Option<MutexGuard<'_, Connection>> {
        match self.conn.try_lock() {
            Ok(conn) => Some(conn),
            Err(std::sync::TryLockError::Poisoned(poisoned)) => Some(poisoned.into_inner()),
            Err(std::sync::TryLockError::WouldBlock) => None,
        }
    }

    /// Runs a job. When it returns, the job is committed, and synced if it must survive a power cut.
    pub(crate) fn run(&self, job: WriteJob) -> Result<JobOutput, Problem> {
        let seat =
            Arc::new(CommitWaiter { leadership: Mutex::new(Leadership::Wait), changed: Condvar::new() });
        let leads = {
            let mut queue = lock(&self.queue);
            queue.waiting.push_back(QueuedJob { job, waiter: seat.clone() });
            !std::mem::replace(&mut queue.has_leader, true)
        };
        if leads {
            self.lead();
        }
        let mut turn = lock(&seat.leadership);
        loop {
            match std::mem::replace(&mut *turn, Leadership::Wait) {
                Leadership::Done(result) => return result,
                Leadership::Lead => {
                    drop(turn);
                    self.lead();
                    turn = lock(&seat.leadership);
                }
                Leadership::Wait => turn = seat.changed.wait(turn).unwrap_or_else(PoisonError::into_inner),
            }
        }
    }

    /// Commits the waiting jobs and those that join, then passes the leadership to the next in the queue, if any.
    fn lead(&self) {
        let (mut jobs, mut seats) = (Vec::new(), Vec::new());
        let mut join = |jobs: &mut Vec<WriteJob>, lasting: Durability| {
            let mut queue = lock(&self.queue);
            let most = BATCH_JOBS.saturating_sub(jobs.len());
            let next = queue.waiting.iter().take(most);
            let count = next.take_while(|waiting| lasting.suits(&waiting.job)).count();
            for QueuedJob { job, waiter: seat } in queue.waiting.drain(..count) {
                jobs.push(job);
                seats.push(seat);
            }
        };
        join(&mut jobs, Durability::Synced);
        let results = self.commit_or_fail(&mut jobs, &mut join);
        let count = jobs.len();
        // The next batch starts while the callers of this one are woken.
        self.pass_leadership();
        for (place, (seat, result)) in seats.iter().zip(results).enumerate() {
            *lock(&seat.leadership) = Leadership::Done(result);
            // The first in the queue is the leader itself, which is awake.
            if place > 0 {
                seat.changed.notify_one();
            }
        }
        if self.has_unreported_commit.swap(false, Ordering::AcqRel)
            && let Some(told) = self.commit_hook.get()
        {
            told();
        }
        self.checkpoint.after_commit(&self.conn, count);
    }

    fn pass_leadership(&self) {
        let mut queue = lock(&self.queue);
        match queue.waiting.front() {
            Some(next) => {
                *lock(&next.waiter.leadership) = Leadership::Lead;
                next.waiter.changed.notify_one();
            }
            None => queue.has_leader = false,
        }
    }

    /// Commits. If a job panics, every job of the batch fails: no caller waits forever for a dead leader or an open
    /// transaction.
    fn commit_or_fail(
        &self,
        jobs: &mut Vec<WriteJob>,
        join: &mut JoinBatch<'_>,
    ) -> Vec<Result<JobOutput, Problem>> {
        catch_unwind(AssertUnwindSafe(|| self.commit(jobs, join))).unwrap_or_else(|_| {
            let conn = lock(&self.conn);
            if !conn.is_autocommit() {
                let _ = execute(&conn, "ROLLBACK");
            }
            vec![desk_failed("a change broke off"); jobs.len()].into_iter().map(Err).collect()
        })
    }

    /// Commits these jobs and those that join.
    pub(crate) fn commit(
        &self,
        jobs: &mut Vec<WriteJob>,
        join: &mut JoinBatch<'_>,
    ) -> Vec<Result<JobOutput, Problem>> {
        if self.sync_health.has_failed() {
            return jobs
                .iter()
                .map(|_| Err(desk_failed("an earlier write was not confirmed by the disk")))
                .collect();
        }
        if let Err(problem) = self.file_identity.check() {
            return jobs.iter().map(|_| Err(problem.clone())).collect();
        }
        let conn = lock(&self.conn);
        match self.commit_with_reserve(&conn, jobs, join) {
            Ok(done) => done,
            // Each job alone would only wait as long again.
            Err(problem) if problem.code == ProblemCode::DeskBusy => {
                jobs.iter().map(|_| Err(problem.clone())).collect()
            }
            // One job's error must not fail the others.
            Err(_) if jobs.len() > 1 && !self.sync_health.has_failed() => {
                let mut done = Vec::with_capacity(jobs.len());
                for job in std::mem::take(jobs) {
                    let mut one = vec![job];
                    let result = self.commit_with_reserve(&conn, &mut one, &mut |_, _| {});
                    done.extend(result.unwrap_or_else(|problem| vec![Err(problem)]));
                    jobs.append(&mut one);
                }
                done
            }
            Err(problem) => jobs.iter().map(|_| Err(problem.clone())).collect(),
        }
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
        join: &mut JoinBatch<'_>,
    ) -> Result<Vec<Result<JobOutput, Problem>>, Problem> {
        match self.commit_once(conn, jobs, join) {
            Err(problem)
                if problem.code == ProblemCode::DeskFull
                    && jobs.iter().all(WriteJob::may_use_reserve)
                    && self.reserve.release() =>
            {
                self.commit_once(conn, jobs, join)
            }
            done => done,
        }
    }

    /// Runs one transaction for all jobs. On an error none of them took effect, or the outcome is unknown.
    fn commit_once(
        &self,
        conn: &Connection,
        jobs: &mut Vec<WriteJob>,
        join: &mut JoinBatch<'_>,
    ) -> Result<Vec<Result<JobOutput, Problem>>, Problem> {
        // Without a sync a commit is in the WAL, visible to every process but not durable; the next commit with a
        // sync makes it durable too.
        let must_last = jobs.iter().any(WriteJob::must_sync);
        let mut work = || -> rusqlite::Result<Vec<Result<JobOutput, Problem>>> {
            let syncs = must_last || self.anchor_cache.needs_update(conn, &clock::read_clocks())?;
            self.sync_on_commit(conn, syncs)?;
            execute(conn, "BEGIN IMMEDIATE")?;
            let (before, logged) = (conn.total_changes(), change_log::last_number(conn)?);
            let mut updated_anchor = None;
            let mut done = Vec::with_capacity(jobs.len());
            loop {
                let reading = clock::read_clocks();
                if self.anchor_cache.needs_update(conn, &reading)? {
                    updated_anchor = Some(anchor::update_anchor(conn, &self.requests, &reading)?);
                }
                self.run_jobs(conn, jobs, &mut done, reading.wall)?;
                // Jobs that arrived meanwhile need no commit of their own.
                join(jobs, if syncs { Durability::Synced } else { Durability::Unsynced });
                if jobs.len() == done.len() {
                    break;
                }
            }
            let wrote = conn.total_changes() != before;
            let woken = wrote.then(|| change_log::wake_scope_after(conn, logged)).transpose()?;
            let progress = (wrote && syncs).then(|| advance_number(conn, logged)).transpose()?;
            execute(conn, "COMMIT")?;
            if syncs {
                self.folder.sync_if_young();
            }
            if let Some(woken) = woken {
                self.wakeup.wake(&woken);
                self.has_unreported_commit.store(true, Ordering::Release);
            }
            if let Some(progress) = progress {
                self.mark.advance(progress);
            }
            if let Some(anchor) = updated_anchor {
                self.anchor_cache.store(anchor);
            }
            Ok(done)
        };
        work().map_err(|error| {
            if is_sync_failure(&error) {
                self.sync_health.mark_failed();
            }
            if !conn.is_autocommit() {
                // If this fails too, the connection stays in its transaction and the next BEGIN reports it.
                let _ = execute(conn, "ROLLBACK");
            }
            self.file_identity.add_hint(database_problem(&error))
        })
    }

    /// Runs the remaining jobs inside the transaction.
    fn run_jobs(
        &self,
        conn: &Connection,
        jobs: &mut [WriteJob],
        done: &mut Vec<Result<JobOutput, Problem>>,
        now: Timestamp,
    ) -> rusqlite::Result<()> {
        let context = JobContext { reserve: &self.reserve, requests: &self.requests };
        for job in jobs.iter_mut().skip(done.len()) {
            match job.run(conn, context, now) {
                Ok(result) => done.push(Ok(result)),
                Err(JobError::Problem(problem)) => done.push(Err(problem)),
                Err(JobError::Database(error)) => return Err(error),
            }
        }
        Ok(())
    }

    /// Counts the jobs that wait for the leader.
    #[cfg(test)]
    pub(crate) fn queue_len(&self) -> usize {
        lock(&self.queue).waiting.len()
    }

    /// Returns whether the clock was set since the last write here.
    pub(crate) fn is_clock_set(&self, conn: &Connection) -> rusqlite::Result<bool> {
        self.anchor_cache.needs_update(conn, &clock::read_clocks())
    }

    /// Checkpoints a WAL that existed at opening, if it is large.
    pub(crate) fn checkpoint_after_opening(&self, log_bytes: u64) {
        self.checkpoint.run_after_opening(log_bytes, &lock(&self.conn));
    }

    /// Checkpoints if the WAL file is over its limit; otherwise it only reads the file's size.
    pub(crate) fn shrink_wal(&self) {
        if self.checkpoint.is_large() {
            self.checkpoint_when_idle();
        }
    }

    /// Checkpoints a large WAL. Runs while no one waits for a reply.
    pub(crate) fn checkpoint_when_idle(&self) {
        if let Some(conn) = self.try_connection() {
            self.checkpoint.run_when_idle(&conn);
        }
    }
}

/// Returns the number of a transaction: that of its last log entry, or a new one if it added none.
fn advance_number(conn: &Connection, logged: i64) -> rusqlite::Result<CommitProgress> {
    if change_log::last_number(conn)? == logged {
        execute(conn, "UPDATE chore SET value = value + 1 WHERE name = 'unlogged'")?;
    }
    CommitProgress::read(conn)
}

fn execute(conn: &Connection, sql: &str) -> rusqlite::Result<()> {
    conn.prepare_cached(sql)?.raw_execute().map(drop)
}
