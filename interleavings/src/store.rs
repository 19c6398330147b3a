//! A store in memory whose transactions go step by step: lock, decide, sync, commit, ring. Between any two steps others
//! act, processes die, or the power goes.

use crate::judge::Judge;
use crate::plant::Plant;
use jiff::Timestamp;
use sayso_core::{
    Actor, Ask, Asker, Digest, LateSubmission, NewAsk, Problem, QuestionId, Questionnaire, Reply,
};
use sayso_core::{AskCommand, lifecycle::AskEvent};
use std::collections::BTreeMap;
use std::sync::Arc;

/// One ask, with all that stands beside it.
#[derive(Debug, Clone)]
pub(crate) struct Record {
    pub(crate) ask: Ask,
    pub(crate) draft: BTreeMap<QuestionId, (Reply, u64)>,
    pub(crate) rev: u64,
    pub(crate) late: Vec<LateSubmission>,
    pub(crate) rendering: Option<String>,
    pub(crate) log: Vec<(Timestamp, Vec<AskEvent>)>,
}

/// Everything at the desk.
#[derive(Debug, Clone, Default)]
pub(crate) struct Content {
    pub(crate) records: Vec<Arc<Record>>,
    pub(crate) keys: BTreeMap<u8, usize>,
    /// On which ask something was done with a key.
    pub(crate) acted: BTreeMap<u8, usize>,
    /// Of which ask each change was.
    pub(crate) changes: Vec<usize>,
}

/// Content of a write.
#[derive(Debug, Clone)]
pub(crate) enum Job {
    Open {
        key: Option<u8>,
    },
    Act {
        at: usize,
        who: Actor,
        key: Option<u8>,
        command: AskCommand,
    },
    Offer {
        at: usize,
    },
    /// A line that somebody typed, or, with a revision, a refused answer that is kept where nobody has typed since.
    Save {
        at: usize,
        line: (QuestionId, Reply),
        unless_since: Option<u64>,
    },
}

impl Job {
    /// Returns whether it must be synced before anyone is told.
    pub(crate) fn must_last(&self, plant: Option<Plant>) -> bool {
        match self {
            Self::Act { command: AskCommand::Submit { .. }, .. } if plant == Some(Plant::FleetingAnswer) => {
                false
            }
            Self::Act { command, .. } => command.must_be_durable(),
            Self::Offer { .. } => false,
            Self::Open { .. } | Self::Save { .. } => true,
        }
    }
}

/// Result of a job.
#[derive(Debug, Clone)]
pub(crate) enum Done {
    Ask {
        at: usize,
        is_new: bool,
    },
    Rendered(String),
    Saved,
    /// Somebody has typed there since.
    Changed,
    Refused(Problem),
}

/// State that all actors share.
#[derive(Debug)]
pub(crate) struct Store {
    /// Content that all actors see.
    pub(crate) seen: Content,
    /// Content that survives a power cut.
    pub(crate) synced: Content,
    pub(crate) now: i64,
    pub(crate) locked: bool,
    /// True for each listening waiter that was woken.
    pub(crate) ears: Vec<Option<bool>>,
    pub(crate) plant: Option<Plant>,
    /// No commit waits for the disk any more.
    pub(crate) syncs_forgotten: bool,
    pub(crate) judge: Judge,
    pub(crate) time_limit_ms: Option<i64>,
    pub(crate) judged: bool,
    pub(crate) questions: Arc<Questionnaire>,
    pub(crate) digest: Digest,
}

/// The asker of all asks.
pub(crate) fn asker() -> Asker {
    Asker { name: "agent".to_owned(), ..Asker::default() }
}

/// A moment, in milliseconds.
pub(crate) fn moment(ms: i64) -> Timestamp {
    Timestamp::from_millisecond(ms).unwrap_or_default()
}

impl Store {
    pub(crate) fn new(questions: &Arc<Questionnaire>, digest: Digest, plant: Option<Plant>) -> Self {
        Self {
            seen: Content::default(),
            synced: Content::default(),
            now: 1_000,
            locked: false,
            ears: Vec::new(),
            plant,
            syncs_forgotten: false,
            judge: Judge::default(),
            time_limit_ms: None,
            judged: false,
            questions: questions.clone(),
            digest,
        }
    }

    pub(crate) fn has(&self, plant: Plant) -> bool {
        self.plant == Some(plant)
    }

    pub(crate) fn record(&self, at: usize) -> Option<&Record> {
        self.seen.records.get(at).map(|record| &**record)
    }

    /// Wakes every waiter.
    pub(crate) fn ring(&mut self) {
        let wakes_one = self.has(Plant::WakesOne);
        for ear in self.ears.iter_mut().flatten() {
            *ear = true;
            if wakes_one {
                return;
            }
        }
    }

    /// Request of all askers.
    pub(crate) fn new_ask(&self) -> NewAsk {
        NewAsk {
            questionnaire: self.questions.clone(),
            dialect: "sayso".to_owned(),
            asker: asker(),
            needs_verdict: self.judged,
            time_limit_ms: self.time_limit_ms,
            process: None,
            is_waiting: true,
            quota: None,
            random_id: false,
            draft_key: None,
            program: None,
            audience: None,
        }
    }

    /// The power goes: what was not synced is gone, and so are all processes.
    pub(crate) fn lose_power(&mut self) {
        self.seen = self.synced.clone();
        self.locked = false;
        self.syncs_forgotten = false;
        self.ears.iter_mut().for_each(|ear| *ear = None);
        self.judge.after_power_cut(&self.seen);
    }
}

/// The key of an ask, stored in a transaction of its own.
pub(crate) fn store_key_apart(store: &mut Store, key: u8, at: usize) {
    store.seen.keys.entry(key).or_insert(at);
    store.synced.keys.entry(key).or_insert(at);
}
