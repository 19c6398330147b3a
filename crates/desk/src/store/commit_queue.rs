//! Group commit by leader and follower: the first caller leads and commits for all who arrive meanwhile. There is no
//! writer thread, so a lone caller pays for no thread switch.

use sayso_core::Problem;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// Largest number of jobs committed together.
const BATCH_JOBS: usize = 256;

/// Function that adds the next jobs of the queue to a batch that is being committed, up to the first that does not suit.
pub(crate) type JoinBatch<'a, J> = dyn FnMut(&mut Vec<J>, &dyn Fn(&J) -> bool) + 'a;

/// Store that commits jobs together.
pub(crate) trait BatchCommitter<J> {
    /// Commits jobs, with those that join meanwhile. Returns a result for each, in their order.
    fn commit_batch(&self, jobs: &mut Vec<J>, join: &mut JoinBatch<'_, J>) -> Vec<Result<(), Problem>>;

    /// Rolls back a batch of which a job panicked, and returns the problem for its callers.
    fn abandon_batch(&self) -> Problem;

    /// Does what no caller has to wait for, after a batch of so many jobs.
    fn finish_batch(&self, _jobs: usize) {}
}

/// Output of a job, which its caller takes once the job is committed.
pub(crate) struct OutputSlot<T>(Arc<Mutex<Option<T>>>);

impl<T> Default for OutputSlot<T> {
    fn default() -> Self {
        Self(Arc::default())
    }
}

impl<T> Clone for OutputSlot<T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<T> OutputSlot<T> {
    /// Stores the output of a run, in place of that of an earlier one.
    pub(crate) fn put(&self, output: T) {
        *lock(&self.0) = Some(output);
    }

    /// Takes the output; `None` if the job did not run to its end.
    pub(crate) fn take(&self) -> Option<T> {
        lock(&self.0).take()
    }
}

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

struct QueuedJob<J> {
    job: J,
    waiter: Arc<CommitWaiter>,
}

struct JobQueue<J> {
    waiting: VecDeque<QueuedJob<J>>,
    has_leader: bool,
}

/// Queue of the jobs of concurrent callers.
pub(crate) struct CommitQueue<J> {
    queue: Mutex<JobQueue<J>>,
}

impl<J> Default for CommitQueue<J> {
    fn default() -> Self {
        Self { queue: Mutex::new(JobQueue { waiting: VecDeque::new(), has_leader: false }) }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<J> CommitQueue<J> {
    /// Runs a job, together with others if this caller leads.
    ///
    /// # Errors
    /// If the job fails, or any job of its batch panics.
    pub(crate) fn run(&self, job: J, committer: &impl BatchCommitter<J>) -> Result<(), Problem> {
        let waiter =
            Arc::new(CommitWaiter { leadership: Mutex::new(Leadership::Wait), changed: Condvar::new() });
        let leads = {
            let mut queue = lock(&self.queue);
            queue.waiting.push_back(QueuedJob { job, waiter: waiter.clone() });
            !std::mem::replace(&mut queue.has_leader, true)
        };
        if leads {
            self.lead(committer);
        }
        let mut turn = lock(&waiter.leadership);
        loop {
            match std::mem::replace(&mut *turn, Leadership::Wait) {
                Leadership::Done(result) => return result,
                Leadership::Lead => {
                    drop(turn);
                    self.lead(committer);
                    turn = lock(&waiter.leadership);
                }
                Leadership::Wait => turn = waiter.changed.wait(turn).unwrap_or_else(PoisonError::into_inner),
            }
        }
    }

    /// Commits the waiting jobs and those that join, then passes the leadership to the next in the queue, if any.
    fn lead(&self, committer: &impl BatchCommitter<J>) {
        let mut jobs = Vec::new();
        let mut waiters = Vec::new();
        let mut join = |jobs: &mut Vec<J>, suits: &dyn Fn(&J) -> bool| {
            let mut queue = lock(&self.queue);
            while jobs.len() < BATCH_JOBS
                && queue.waiting.front().is_some_and(|next| suits(&next.job))
                && let Some(QueuedJob { job, waiter }) = queue.waiting.pop_front()
            {
                jobs.push(job);
                waiters.push(waiter);
            }
        };
        join(&mut jobs, &|_| true);
        let results = match catch_unwind(AssertUnwindSafe(|| committer.commit_batch(&mut jobs, &mut join))) {
            Ok(results) => results,
            // Otherwise they would wait forever for a dead leader. The committer may have dropped some of the jobs.
            Err(_) => {
                tracing::error!(jobs = waiters.len(), "a job panicked, and its batch was rolled back");
                vec![Err(committer.abandon_batch()); waiters.len()]
            }
        };
        // The next batch starts while the callers of this one are woken.
        self.pass_leadership();
        for (place, (waiter, result)) in waiters.iter().zip(results).enumerate() {
            *lock(&waiter.leadership) = Leadership::Done(result);
            // The first in the queue is the leader itself, which is awake.
            if place > 0 {
                waiter.changed.notify_one();
            }
        }
        committer.finish_batch(waiters.len());
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
    pub(crate) fn len(&self) -> usize {
        lock(&self.queue).waiting.len()
    }
}
