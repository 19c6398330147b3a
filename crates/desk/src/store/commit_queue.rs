//! Group commit by leader and follower: the first caller leads and commits for all who arrive meanwhile. There is no
//! writer thread, so a lone caller pays for no thread switch.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// Largest number of jobs committed together.
const BATCH_JOBS: usize = 256;

/// Message to a waiting caller.
enum Leadership<R> {
    Wait,
    Lead,
    Done(R),
}

struct CommitWaiter<R> {
    leadership: Mutex<Leadership<R>>,
    changed: Condvar,
}

struct QueuedJob<J, R> {
    job: J,
    waiter: Arc<CommitWaiter<R>>,
}

struct JobQueue<J, R> {
    waiting: VecDeque<QueuedJob<J, R>>,
    has_leader: bool,
}

/// Queue of the jobs of concurrent callers.
pub(crate) struct CommitQueue<J, R> {
    queue: Mutex<JobQueue<J, R>>,
}

impl<J, R> Default for CommitQueue<J, R> {
    fn default() -> Self {
        Self { queue: Mutex::new(JobQueue { waiting: VecDeque::new(), has_leader: false }) }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<J, R> CommitQueue<J, R> {
    /// Runs a job, together with others if this caller leads. `commit` returns a result for each job, in their order.
    pub(crate) fn run(&self, job: J, commit: impl Fn(&mut [J]) -> Vec<R>) -> R {
        let waiter =
            Arc::new(CommitWaiter { leadership: Mutex::new(Leadership::Wait), changed: Condvar::new() });
        let leads = {
            let mut queue = lock(&self.queue);
            queue.waiting.push_back(QueuedJob { job, waiter: waiter.clone() });
            !std::mem::replace(&mut queue.has_leader, true)
        };
        if leads {
            self.lead(&commit);
        }
        let mut turn = lock(&waiter.leadership);
        loop {
            match std::mem::replace(&mut *turn, Leadership::Wait) {
                Leadership::Done(result) => return result,
                Leadership::Lead => {
                    drop(turn);
                    self.lead(&commit);
                    turn = lock(&waiter.leadership);
                }
                Leadership::Wait => turn = waiter.changed.wait(turn).unwrap_or_else(PoisonError::into_inner),
            }
        }
    }

    /// Commits the waiting jobs, then passes the leadership to the next in the queue, if any.
    fn lead(&self, commit: &impl Fn(&mut [J]) -> Vec<R>) {
        let (mut jobs, mut waiters) = (Vec::new(), Vec::new());
        {
            let mut queue = lock(&self.queue);
            let count = queue.waiting.len().min(BATCH_JOBS);
            for QueuedJob { job, waiter } in queue.waiting.drain(..count) {
                jobs.push(job);
                waiters.push(waiter);
            }
        }
        let results = commit(&mut jobs);
        self.pass_leadership();
        for (place, (waiter, result)) in waiters.iter().zip(results).enumerate() {
            *lock(&waiter.leadership) = Leadership::Done(result);
            // The first in the queue is the leader itself, which is awake.
            if place > 0 {
                waiter.changed.notify_one();
            }
        }
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
}
