//! One writer a process, with group commit by leader–follower: the first caller leads and commits for all who arrive
//! meanwhile. There is no writer thread, so a lone caller pays for no thread switch.

use super::checkpoint::Checkpoint;
use super::clocks::{self, Known};
use super::error::{failed, is_sync_failure, problem_of};
use super::folder::Folder;
use super::job::{Done, Failure, Job, Kept};
use super::log;
use super::mark::{Mark, Progress};
use super::place::Place;
use super::requests::Requests;
use super::reserve::Reserve;
use crate::clock;
use crate::store::Told;
use crate::store::trust::Trust;
use crate::wakeup::Wakeup;
use jiff::Timestamp;
use rusqlite::Connection;
use sayso_core::{Code, Problem};
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};

/// Largest number of jobs committed together.
const BATCH_JOBS: usize = 256;

/// Callback that adds waiting jobs to a transaction, if their durability suits it.
pub(super) type Join<'a> = dyn FnMut(&mut Vec<Job>, Lasting) + 'a;

/// Durability of a transaction.
#[derive(Clone, Copy)]
pub(super) enum Lasting {
    Synced,
    Unsynced,
}

impl Lasting {
    const fn suits(self, job: &Job) -> bool {
        matches!(self, Self::Synced) || !job.must_last()
    }
}

/// Message to a waiting caller.
enum Turn {
    Wait,
    Lead,
    Done(Result<Done, Problem>),
}

struct Seat {
    turn: Mutex<Turn>,
    called: Condvar,
}

struct Waiting {
    job: Job,
    seat: Arc<Seat>,
}

#[derive(Default)]
struct Queue {
    waiting: VecDeque<Waiting>,
    led: bool,
}

pub(super) struct Writer {
    queue: Mutex<Queue>,
    conn: Mutex<Connection>,
    wakeup: Arc<dyn Wakeup>,
    checkpoint: Checkpoint,
    /// True if the connection syncs each commit at present; changes only while the connection is locked.
    syncs: AtomicBool,
    /// Once it has failed, this process writes nothing.
    trust: Arc<Trust>,
    known: Known,
    reserve: Reserve,
    requests: Requests,
    folder: Folder,
    mark: Mark,
    pub(super) place: Place,
    /// True if a commit changed something that the hook has not reported yet.
    is_news: AtomicBool,
    /// Hook to run after such a commit.
    told: OnceLock<Told>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Writer {
    pub(super) fn new(
        conn: Connection,
        wakeup: Arc<dyn Wakeup>,
        path: &Path,
        folder: Folder,
        mark: Mark,
    ) -> Self {
        let trust = Arc::<Trust>::default();
        Self {
            queue: Mutex::default(),
            conn: Mutex::new(conn),
            wakeup,
            checkpoint: Checkpoint::of(path, trust.clone()),
            syncs: AtomicBool::new(true),
            trust,
            known: Known::default(),
            reserve: Reserve::of(path),
            requests: Requests::default(),
            folder,
            mark,
            place: Place::of(path),
            is_news: AtomicBool::new(false),
            told: OnceLock::new(),
        }
    }

    pub(super) fn trust(&self) -> Arc<Trust> {
        self.trust.clone()
    }

    /// Sets the hook that runs after each commit here, by any caller.
    pub(super) fn tell(&self, told: Told) {
        // Only the first hook counts.
        let _ = self.told.set(told);
    }

    pub(super) const fn requests(&self) -> &Requests {
        &self.requests
    }

    /// Returns the connection, unless a commit is running.
    pub(super) fn try_connection(&self) -> Option<MutexGuard<'_, Connection>> {
        match self.conn.try_lock() {
            Ok(conn) => Some(conn),
            Err(std::sync::TryLockError::Poisoned(poisoned)) => Some(poisoned.into_inner()),
            Err(std::sync::TryLockError::WouldBlock) => None,
        }
    }

    /// Runs a job. When it returns, the job is committed, and synced if it must survive a power cut.
    pub(super) fn run(&self, job: Job) -> Result<Done, Problem> {
        let seat = Arc::new(Seat { turn: Mutex::new(Turn::Wait), called: Condvar::new() });
        let leads = {
            let mut queue = lock(&self.queue);
            queue.waiting.push_back(Waiting { job, seat: seat.clone() });
            !std::mem::replace(&mut queue.led, true)
        };
        if leads {
            self.lead();
        }
        let mut turn = lock(&seat.turn);
        loop {
            match std::mem::replace(&mut *turn, Turn::Wait) {
                Turn::Done(result) => return result,
                Turn::Lead => {
                    drop(turn);
                    self.lead();
                    turn = lock(&seat.turn);
                }
                Turn::Wait => turn = seat.called.wait(turn).unwrap_or_else(PoisonError::into_inner),
            }
        }
    }

    /// Commits the waiting jobs and those that join, then passes the leadership to the next in the queue, if any.
    fn lead(&self) {
        let (mut jobs, mut seats) = (Vec::new(), Vec::new());
        let mut join = |jobs: &mut Vec<Job>, lasting: Lasting| {
            let mut queue = lock(&self.queue);
            let most = BATCH_JOBS.saturating_sub(jobs.len());
            let next = queue.waiting.iter().take(most);
            let count = next.take_while(|waiting| lasting.suits(&waiting.job)).count();
            for Waiting { job, seat } in queue.waiting.drain(..count) {
                jobs.push(job);
                seats.push(seat);
            }
        };
        join(&mut jobs, Lasting::Synced);
        let results = self.commit_or_fail(&mut jobs, &mut join);
        let count = jobs.len();
        // The next batch starts while the callers of this one are woken.
        self.hand_over();
        for (place, (seat, result)) in seats.iter().zip(results).enumerate() {
            *lock(&seat.turn) = Turn::Done(result);
            // The first in the queue is the leader itself, which is awake.
            if place > 0 {
                seat.called.notify_one();
            }
        }
        if self.is_news.swap(false, Ordering::AcqRel)
            && let Some(told) = self.told.get()
        {
            told();
        }
        self.checkpoint.after_commit(&self.conn, count);
    }

    fn hand_over(&self) {
        let mut queue = lock(&self.queue);
        match queue.waiting.front() {
            Some(next) => {
                *lock(&next.seat.turn) = Turn::Lead;
                next.seat.called.notify_one();
            }
            None => queue.led = false,
        }
    }

    /// Commits. If a job panics, every job of the batch fails: no caller waits forever for a dead leader or an open
    /// transaction.
    fn commit_or_fail(&self, jobs: &mut Vec<Job>, join: &mut Join<'_>) -> Vec<Result<Done, Problem>> {
        catch_unwind(AssertUnwindSafe(|| self.commit(jobs, join))).unwrap_or_else(|_| {
            let conn = lock(&self.conn);
            if !conn.is_autocommit() {
                let _ = execute(&conn, "ROLLBACK");
            }
            vec![failed("a change broke off"); jobs.len()].into_iter().map(Err).collect()
        })
    }

    /// Commits these jobs and those that join.
    pub(super) fn commit(&self, jobs: &mut Vec<Job>, join: &mut Join<'_>) -> Vec<Result<Done, Problem>> {
        if self.trust.is_lost() {
            return jobs
                .iter()
                .map(|_| Err(failed("an earlier write was not confirmed by the disk")))
                .collect();
        }
        if let Err(problem) = self.place.must_be_there() {
            return jobs.iter().map(|_| Err(problem.clone())).collect();
        }
        let conn = lock(&self.conn);
        match self.attempt(&conn, jobs, join) {
            Ok(done) => done,
            // Each job alone would only wait as long again.
            Err(problem) if problem.code == Code::DeskBusy => {
                jobs.iter().map(|_| Err(problem.clone())).collect()
            }
            // One job's error must not fail the others.
            Err(_) if jobs.len() > 1 && !self.trust.is_lost() => {
                let mut done = Vec::with_capacity(jobs.len());
                for job in std::mem::take(jobs) {
                    let mut one = vec![job];
                    let result = self.attempt(&conn, &mut one, &mut |_, _| {});
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
        if self.syncs.load(Ordering::Acquire) != syncs {
            conn.pragma_update(None, "synchronous", if syncs { "FULL" } else { "NORMAL" })?;
            self.syncs.store(syncs, Ordering::Release);
        }
        Ok(())
    }

    /// Runs a transaction, and on a full disk again with the reserve released.
    fn attempt(
        &self,
        conn: &Connection,
        jobs: &mut Vec<Job>,
        join: &mut Join<'_>,
    ) -> Result<Vec<Result<Done, Problem>>, Problem> {
        match self.transaction(conn, jobs, join) {
            Err(problem)
                if problem.code == Code::DeskFull
                    && jobs.iter().all(Job::may_use_reserve)
                    && self.reserve.release() =>
            {
                self.transaction(conn, jobs, join)
            }
            done => done,
        }
    }

    /// Runs one transaction for all jobs. On an error none of them took effect, or the outcome is unknown.
    fn transaction(
        &self,
        conn: &Connection,
        jobs: &mut Vec<Job>,
        join: &mut Join<'_>,
    ) -> Result<Vec<Result<Done, Problem>>, Problem> {
        // Without a sync a commit is in the WAL, visible to every process but not durable; the next commit with a
        // sync makes it durable too.
        let must_last = jobs.iter().any(Job::must_last);
        let mut work = || -> rusqlite::Result<Vec<Result<Done, Problem>>> {
            let syncs = must_last || self.known.is_past(conn, &clock::read())?;
            self.sync_on_commit(conn, syncs)?;
            execute(conn, "BEGIN IMMEDIATE")?;
            let (before, logged) = (conn.total_changes(), log::last_number(conn)?);
            let mut anchor = None;
            let mut done = Vec::with_capacity(jobs.len());
            loop {
                let reading = clock::read();
                if self.known.is_past(conn, &reading)? {
                    anchor = Some(clocks::look(conn, &self.requests, &reading)?);
                }
                self.take_turns(conn, jobs, &mut done, reading.wall)?;
                // Jobs that arrived meanwhile need no commit of their own.
                join(jobs, if syncs { Lasting::Synced } else { Lasting::Unsynced });
                if jobs.len() == done.len() {
                    break;
                }
            }
            let wrote = conn.total_changes() != before;
            let woken = wrote.then(|| log::woken_after(conn, logged)).transpose()?;
            let progress = (wrote && syncs).then(|| number(conn, logged)).transpose()?;
            execute(conn, "COMMIT")?;
            if syncs {
                self.folder.settle();
            }
            if let Some(progress) = progress {
                self.mark.advance(progress);
            }
            if let Some(woken) = woken {
                self.wakeup.wake(&woken);
                self.is_news.store(true, Ordering::Release);
            }
            if let Some(anchor) = anchor {
                self.known.learn(anchor);
            }
            Ok(done)
        };
        work().map_err(|error| {
            if is_sync_failure(&error) {
                self.trust.lose();
            }
            if !conn.is_autocommit() {
                // If this fails too, the connection stays in its transaction and the next BEGIN reports it.
                let _ = execute(conn, "ROLLBACK");
            }
            self.place.explain(problem_of(&error))
        })
    }

    /// Runs the remaining jobs inside the transaction.
    fn take_turns(
        &self,
        conn: &Connection,
        jobs: &mut [Job],
        done: &mut Vec<Result<Done, Problem>>,
        now: Timestamp,
    ) -> rusqlite::Result<()> {
        let kept = Kept { reserve: &self.reserve, requests: &self.requests };
        for job in jobs.iter_mut().skip(done.len()) {
            match job.run(conn, kept, now) {
                Ok(result) => done.push(Ok(result)),
                Err(Failure::Problem(problem)) => done.push(Err(problem)),
                Err(Failure::Database(error)) => return Err(error),
            }
        }
        Ok(())
    }

    /// Counts the jobs that wait for the leader.
    #[cfg(test)]
    pub(super) fn waiting(&self) -> usize {
        lock(&self.queue).waiting.len()
    }

    /// Returns whether the clock was set since the last write here.
    pub(super) fn clock_is_set(&self, conn: &Connection) -> rusqlite::Result<bool> {
        self.known.is_past(conn, &clock::read())
    }

    /// Checkpoints a WAL that existed at opening, if it is large.
    pub(super) fn opened_on(&self, log_bytes: u64) {
        self.checkpoint.opened_on(log_bytes, &lock(&self.conn));
    }

    /// Checkpoints if the WAL file is over its limit; otherwise it only reads the file's size.
    pub(super) fn shrink_log(&self) {
        if self.checkpoint.is_large() {
            self.checkpoint();
        }
    }

    /// Checkpoints a large WAL. Runs while no one waits for a reply.
    pub(super) fn checkpoint(&self) {
        if let Some(conn) = self.try_connection() {
            self.checkpoint.at_leisure(&conn);
        }
    }
}

/// Returns the number of a transaction: that of its last log entry, or a new one if it added none.
fn number(conn: &Connection, logged: i64) -> rusqlite::Result<Progress> {
    if log::last_number(conn)? == logged {
        execute(conn, "UPDATE chore SET value = value + 1 WHERE name = 'unlogged'")?;
    }
    Progress::read(conn)
}

fn execute(conn: &Connection, sql: &str) -> rusqlite::Result<()> {
    conn.prepare_cached(sql)?.raw_execute().map(drop)
}
