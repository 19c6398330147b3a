//! One writer a process, which commits the jobs of concurrent callers together.

pub(crate) mod checkpoint;
pub(crate) mod job;
mod transaction;

use super::asks::request_cache::RequestCache;
use super::files::commit_mark::CommitMark;
use super::files::folder_sync::FolderSync;
use crate::CommitHook;
use crate::store::api::SyncHealth;
use crate::store::commit_hooks::CommitHooks;
use crate::store::commit_queue::{BatchCommitter, CommitQueue, JoinBatch};
use crate::wakeup::Wakeup;
use checkpoint::Checkpointer;
use job::WriteJob;
use rusqlite::Connection;
use sayso_core::Problem;
use std::path::Path;
use std::sync::{Arc, MutexGuard};
use transaction::TransactionRunner;

/// Writer of a desk file, which commits the jobs of concurrent callers together.
pub(crate) struct GroupCommitter {
    queue: CommitQueue<WriteJob>,
    transactions: TransactionRunner,
    checkpoint: Checkpointer,
    hooks: CommitHooks,
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
            queue: CommitQueue::default(),
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
        self.queue.run(job, self)
    }

    /// Counts the jobs that wait for the leader.
    #[cfg(test)]
    pub(crate) fn queue_len(&self) -> usize {
        self.queue.len()
    }

    /// Commits jobs without the queue.
    #[cfg(test)]
    pub(crate) fn commit(
        &self,
        jobs: &mut Vec<WriteJob>,
        join: &mut JoinBatch<'_, WriteJob>,
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

impl BatchCommitter<WriteJob> for GroupCommitter {
    fn commit_batch(
        &self,
        jobs: &mut Vec<WriteJob>,
        join: &mut JoinBatch<'_, WriteJob>,
    ) -> Vec<Result<(), Problem>> {
        self.transactions.commit(jobs, join)
    }

    fn abandon_batch(&self) -> Problem {
        self.transactions.abandon()
    }

    fn finish_batch(&self, jobs: usize) {
        if self.transactions.take_unreported_commit() {
            self.hooks.run_all();
        }
        self.checkpoint.after_commit(&self.transactions, jobs);
    }
}
