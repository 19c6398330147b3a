//! One writer a process, with group commit by leader–follower: the first caller leads and commits for all who arrive
//! meanwhile. There is no writer thread, so a lone caller pays for no thread switch.

pub(crate) mod checkpoint;
pub(crate) mod job;
mod transaction;

use super::asks::request_cache::RequestCache;
use super::files::commit_mark::CommitMark;
use super::files::folder_sync::FolderSync;
use crate::CommitHook;
use crate::store::SyncHealth;
use crate::store::commit_hooks::CommitHooks;
use crate::wakeup::Wakeup;
use checkpoint::Checkpointer;
use job::WriteJob;
use rusqlite::Connection;
use sayso_core::Problem;
use std::collections::VecDeque;
use std::path::Path;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use transaction::{Durability, TransactionRunner};

/// Largest number of jobs committed together.
const BATCH_JOBS: usize = 256;

/// Message to a waiting caller.
enum Leadership {
    Wait,
    Lead,
    Done(Result<(), Problem>),
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

/// Writer of a desk file, which commits the jobs of concurrent callers together.
pub(crate) struct GroupCommitter {
    queue: Mutex<JobQueue>,
    transactions: TransactionRunner,
    checkpoint: Checkpointer,
    hooks: CommitHooks,
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
        let transactions = TransactionRunner::new(conn, wakeup, path, folder, mark);
        Self {
            queue: Mutex::default(),
            checkpoint: Checkpointer::new(path, transactions.sync_health().clone()),
            transactions,
            hooks: CommitHooks::default(),
        }
    }

    pub(crate) fn sync_health(&self) -> Arc<SyncHealth> {
        self.transactions.sync_health().clone()
    }

    /// Adds a hook that runs after each commit here, by any caller.
    pub(crate) fn add_commit_hook(&self, hook: CommitHook) {
        self.hooks.add(hook);
    }

    pub(crate) const fn requests(&self) -> &RequestCache {
        self.transactions.requests()
    }

    /// Checks that the file is still where others look for it.
    pub(crate) fn check_file_identity(&self) -> Result<(), Problem> {
        self.transactions.check_file_identity()
    }

    /// Returns the connection, unless a commit is running.
    pub(crate) fn try_connection(&self) -> Option<MutexGuard<'_, Connection>> {
        self.transactions.try_connection()
    }

    /// Returns whether the clock was set since the last write here.
    pub(crate) fn is_clock_set(&self, conn: &Connection) -> rusqlite::Result<bool> {
        self.transactions.is_clock_set(conn)
    }

    /// Runs a job. When it returns, the job is committed, and synced if it must survive a power cut.
    pub(crate) fn run(&self, job: WriteJob) -> Result<(), Problem> {
        let waiter =
            Arc::new(CommitWaiter { leadership: Mutex::new(Leadership::Wait), changed: Condvar::new() });
        let leads = {
            let mut queue = lock(&self.queue);
            queue.waiting.push_back(QueuedJob { job, waiter: waiter.clone() });
            !std::mem::replace(&mut queue.has_leader, true)
        };
        if leads {
            self.lead();
        }
        let mut turn = lock(&waiter.leadership);
        loop {
            match std::mem::replace(&mut *turn, Leadership::Wait) {
                Leadership::Done(result) => return result,
                Leadership::Lead => {
                    drop(turn);
                    self.lead();
                    turn = lock(&waiter.leadership);
                }
                Leadership::Wait => turn = waiter.changed.wait(turn).unwrap_or_else(PoisonError::into_inner),
            }
        }
    }

    /// Commits the waiting jobs and those that join, then passes the leadership to the next in the queue, if any.
    fn lead(&self) {
        let (mut jobs, mut waiters) = (Vec::new(), Vec::new());
        let mut join = |jobs: &mut Vec<WriteJob>, durability: Durability| {
            let mut queue = lock(&self.queue);
            let most = BATCH_JOBS.saturating_sub(jobs.len());
            let next = queue.waiting.iter().take(most);
            let count = next.take_while(|waiting| durability.suits(&waiting.job)).count();
            for QueuedJob { job, waiter } in queue.waiting.drain(..count) {
                jobs.push(job);
                waiters.push(waiter);
            }
        };
        join(&mut jobs, Durability::Synced);
        let results = self.transactions.commit_or_fail(&mut jobs, &mut join);
        let count = jobs.len();
        // The next batch starts while the callers of this one are woken.
        self.pass_leadership();
        for (place, (waiter, result)) in waiters.iter().zip(results).enumerate() {
            *lock(&waiter.leadership) = Leadership::Done(result);
            // The first in the queue is the leader itself, which is awake.
            if place > 0 {
                waiter.changed.notify_one();
            }
        }
        if self.transactions.take_unreported_commit() {
            self.hooks.run_all();
        }
        self.checkpoint.after_commit(&self.transactions, count);
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

    /// Counts the jobs that wait for the leader.
    #[cfg(test)]
    pub(crate) fn queue_len(&self) -> usize {
        lock(&self.queue).waiting.len()
    }

    /// Commits jobs without the queue.
    #[cfg(test)]
    pub(crate) fn commit(
        &self,
        jobs: &mut Vec<WriteJob>,
        join: &mut transaction::JoinBatch<'_>,
    ) -> Vec<Result<(), Problem>> {
        self.transactions.commit(jobs, join)
    }

    /// Checkpoints a WAL that existed at opening, if it is large.
    pub(crate) fn checkpoint_after_opening(&self, log_bytes: u64) {
        self.checkpoint.run_after_opening(log_bytes, &self.transactions.connection());
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
