//! Writer of a node, which commits the jobs of concurrent callers in one transaction.

use super::connection::Database;
use super::error::{WriteError, failed};
use super::notification::WakeSender;
use super::transaction::WriteTransaction;
use crate::CommitHook;
use crate::clock;
use crate::store::commit_hooks::CommitHooks;
use crate::store::commit_queue::{BatchCommitter, CommitQueue, JoinBatch, OutputSlot};
use crate::wakeup::registry::WakeRegistry;
use crate::wakeup::{WakeScope, Wakeup as _};
use sayso_core::Problem;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};

/// Job inside a transaction. It may run more than once; only the last run counts.
type WriteJob = Box<dyn FnMut(&WriteTransaction<'_>) -> Result<(), WriteError> + Send>;

/// Writer of a node.
pub(crate) struct Writer {
    database: Arc<Database>,
    queue: CommitQueue<WriteJob>,
    wakeup: Arc<WakeRegistry>,
    nodes: WakeSender,
    clock_offset: Arc<AtomicI64>,
    hooks: CommitHooks,
    commits: AtomicU64,
    changes: AtomicU64,
}

impl Writer {
    pub(crate) fn new(
        database: Arc<Database>,
        wakeup: Arc<WakeRegistry>,
        nodes: WakeSender,
        clock_offset: Arc<AtomicI64>,
    ) -> Self {
        Self {
            database,
            queue: CommitQueue::default(),
            wakeup,
            nodes,
            clock_offset,
            hooks: CommitHooks::default(),
            commits: AtomicU64::default(),
            changes: AtomicU64::default(),
        }
    }

    /// Returns the numbers of transactions and of changes in them.
    pub(crate) fn counts(&self) -> (u64, u64) {
        (self.commits.load(Ordering::Relaxed), self.changes.load(Ordering::Relaxed))
    }

    /// Adds a hook that runs after each commit here, by any caller.
    pub(crate) fn add_commit_hook(&self, hook: CommitHook) {
        self.hooks.add(hook);
    }

    /// Runs a job. When it returns, the job is committed.
    ///
    /// # Errors
    /// If the job is refused, or the transaction fails: then it has no effect, unless the connection broke during the
    /// commit.
    pub(crate) fn run<T: Send + 'static>(
        &self,
        mut work: impl FnMut(&WriteTransaction<'_>) -> Result<T, WriteError> + Send + 'static,
    ) -> Result<T, Problem> {
        let slot = OutputSlot::default();
        let output = slot.clone();
        let job = Box::new(move |tx: &WriteTransaction<'_>| {
            output.put(work(tx)?);
            Ok(())
        });
        self.queue.run(job, self)?;
        slot.take().ok_or_else(|| failed("a job without a result"))
    }

    fn commit(&self, jobs: &mut [WriteJob]) -> Vec<Result<(), Problem>> {
        match self.commit_once(jobs) {
            Ok(results) => results,
            // One job's error must not fail the others.
            Err(WriteError::Database(error)) if jobs.len() > 1 && error.code().is_some() => {
                let mut results = Vec::with_capacity(jobs.len());
                for job in jobs {
                    match self.commit_once(std::slice::from_mut(job)) {
                        Ok(result) => results.extend(result),
                        Err(error) => results.push(Err(error.into_problem())),
                    }
                }
                results
            }
            Err(error) => vec![Err(error.into_problem()); jobs.len()],
        }
    }

    /// Runs one transaction for all jobs. On an error none of them took effect, or the outcome is unknown.
    fn commit_once(&self, jobs: &mut [WriteJob]) -> Result<Vec<Result<(), Problem>>, WriteError> {
        let tx = WriteTransaction::begin(&self.database)?;
        let offset = tx.now().as_microsecond() - clock::now().as_microsecond();
        self.clock_offset.store(offset, Ordering::Relaxed);
        let mut results = Vec::with_capacity(jobs.len());
        for job in jobs {
            match job(&tx) {
                Ok(()) => results.push(Ok(())),
                Err(WriteError::Problem(problem)) => results.push(Err(problem)),
                Err(error) => return Err(error),
            }
        }
        if let Some(woken) = tx.commit()? {
            self.commits.fetch_add(1, Ordering::Relaxed);
            let changes = results.iter().filter(|result| result.is_ok()).count() as u64;
            self.changes.fetch_add(changes, Ordering::Relaxed);
            self.report(&woken);
        }
        Ok(results)
    }

    /// Wakes the waiters here and on other nodes.
    fn report(&self, woken: &WakeScope) {
        self.wakeup.wake(woken);
        self.nodes.send(woken);
        self.hooks.run_all();
    }
}

impl BatchCommitter<WriteJob> for Writer {
    /// Commits jobs. Those that arrive meanwhile wait for the next batch.
    fn commit_batch(
        &self,
        jobs: &mut Vec<WriteJob>,
        _: &mut JoinBatch<'_, WriteJob>,
    ) -> Vec<Result<(), Problem>> {
        self.commit(jobs)
    }

    // The panic has dropped the transaction, which rolled it back.
    fn abandon_batch(&self) -> Problem {
        failed("a change broke off")
    }
}
