//! One transaction, step by step. Between any two steps others act.

use crate::decide;
use crate::judge::Held;
use crate::plant::Plant;
use crate::store::{Content, Done, Job, Store};
use sayso_core::AskCommand;

/// Progress of a transaction.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Step {
    Lock,
    Decide,
    Sync,
    Commit,
    Ring,
    Reply,
    AfterReply,
}

/// One transaction.
#[derive(Debug, Clone)]
pub(crate) struct Transaction {
    pub(crate) job: Job,
    step: Step,
    holds_lock: bool,
    /// State that some bugs read too early.
    early: Option<(Content, i64)>,
    work: Option<Content>,
    locked_at: i64,
    done: Option<Done>,
}

impl Transaction {
    pub(crate) fn of(job: Job) -> Self {
        Self { job, step: Step::Lock, holds_lock: false, early: None, work: None, locked_at: 0, done: None }
    }

    /// Returns whether it can continue.
    pub(crate) fn is_ready(&self, store: &Store) -> bool {
        self.step != Step::Lock
            || self.early.is_none() && reads_early(store.plant)
            || !store.locked
            || store.has(Plant::NoLock)
    }

    /// Its process dies: the lock is let go, what was not committed is gone.
    pub(crate) fn die(&mut self, store: &mut Store) {
        if std::mem::take(&mut self.holds_lock) {
            store.locked = false;
        }
        if self.step == Step::Ring {
            // An actor that dies before the wake-up wakes no one; waiters poll once a second.
            store.ring();
        }
    }

    /// One step on; what came of it, when it is time to tell.
    pub(crate) fn step(&mut self, store: &mut Store) -> Option<Done> {
        match self.step {
            Step::Lock if self.early.is_none() && reads_early(store.plant) => {
                self.early = Some((store.seen.clone(), store.now));
            }
            Step::Lock => {
                self.holds_lock = !store.has(Plant::NoLock);
                store.locked |= self.holds_lock;
                self.locked_at = store.now;
                self.step = Step::Decide;
            }
            Step::Decide => {
                self.decide(store);
                let acks_early = store.has(Plant::AckBeforeCommit) || store.has(Plant::AckBeforeSync);
                self.step = if acks_early { Step::Reply } else { Step::Sync };
            }
            Step::Sync => {
                self.sync(store);
                let rings_early = store.has(Plant::RingBeforeCommit);
                self.step = if rings_early { Step::Ring } else { Step::Commit };
            }
            Step::Commit => {
                self.commit(store);
                self.step = if store.has(Plant::RingBeforeCommit) { Step::Reply } else { Step::Ring };
            }
            Step::Ring => {
                let is_cancel = matches!(&self.job, Job::Act { command: AskCommand::Cancel { .. }, .. });
                if !(is_cancel && store.has(Plant::SilentCancel)) {
                    store.ring();
                }
                self.step = if store.has(Plant::RingBeforeCommit) { Step::Commit } else { Step::Reply };
            }
            Step::Reply => {
                self.step = Step::AfterReply;
                return self.done.clone();
            }
            Step::AfterReply => return None,
        }
        None
    }

    /// Returns whether something remains to be done after the reply, by bugs that reply too early.
    pub(crate) fn goes_on(&mut self, store: &mut Store) -> bool {
        match store.plant {
            Some(Plant::AckBeforeCommit) if self.work.is_some() => {
                self.sync(store);
                self.commit(store);
                store.ring();
            }
            Some(Plant::AckBeforeSync) if self.work.is_some() => {
                let work = self.work.clone();
                self.commit(store);
                self.work = work;
                self.sync(store);
                self.work = None;
                store.ring();
            }
            _ => return false,
        }
        true
    }

    fn sync(&mut self, store: &mut Store) {
        let must_last = self.job.must_last(store.plant);
        if !must_last && store.has(Plant::SyncsForgotten) {
            store.syncs_forgotten = true;
        }
        if let Some(work) = self.work.as_ref().filter(|_| must_last && !store.syncs_forgotten) {
            store.synced = work.clone();
        }
    }

    fn commit(&mut self, store: &mut Store) {
        if let Some(work) = self.work.take() {
            let held = Held { since: self.locked_at, until: store.now };
            store.judge.on_commit(&store.seen, &work, &self.job, held);
            store.seen = work;
        }
        if std::mem::take(&mut self.holds_lock) {
            store.locked = false;
        }
    }

    /// Decides on what there is, as core says, and makes ready what comes of it.
    fn decide(&mut self, store: &Store) {
        let early = self.early.as_ref();
        let reads_before = store.has(Plant::ReadBeforeLock);
        let base = early.map_or(&store.seen, |(content, _)| if reads_before { content } else { &store.seen });
        let now = early.filter(|_| store.has(Plant::TimeBeforeLock)).map_or(store.now, |(_, now)| *now);
        let mut work = base.clone();
        self.done = Some(match &self.job {
            Job::Open { key } => decide::open(store, &mut work, *key, early.map(|(content, _)| content), now),
            Job::Act { key: Some(key), .. }
                if !store.has(Plant::ActedAgain) && work.acted.contains_key(key) =>
            {
                Done::Ask { at: work.acted.get(key).copied().unwrap_or_default(), is_new: false }
            }
            Job::Act { at, who, key, command } => {
                let done = decide::act(store, &mut work, *at, who, command, early, now);
                if let (Some(key), Done::Ask { .. }) = (key, &done) {
                    work.acted.insert(*key, *at);
                }
                done
            }
            Job::Offer { at } => decide::offer(store, &mut work, *at, now),
            Job::Save { at, line, unless_since } => {
                decide::save(store, &mut work, *at, line, *unless_since, now)
            }
        });
        self.work = Some(work);
    }
}

fn reads_early(plant: Option<Plant>) -> bool {
    matches!(
        plant,
        Some(
            Plant::ReadBeforeLock
                | Plant::TimeBeforeLock
                | Plant::KeyBeforeLock
                | Plant::ContentBeforeLock
                | Plant::DueSeenBefore
        )
    )
}
