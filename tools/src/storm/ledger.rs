//! Ledger of what was acknowledged before any death: the desk has to know all of it afterwards.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use anyhow::bail;

use interleavings::Dice;

/// Door by which an ask came in.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Door {
    Command,
    Mcp,
    Http,
}

/// A line that a person typed.
#[derive(Debug, Clone)]
pub(super) struct TypedLine {
    pub(super) question: &'static str,
    pub(super) text: String,
    /// True once the person was told that it is saved.
    pub(super) acknowledged: bool,
}

/// End of an ask as a program reported it.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum ReportedEnd {
    /// Answered, with this text.
    Answered(String),
    /// Answered with the draft, after this number of lines had been typed.
    Sent(usize),
    Declined(String),
    Cancelled,
}

/// Known facts about one ask.
#[derive(Debug, Clone)]
pub(super) struct AskRecord {
    /// Its key and its title.
    pub(super) key: String,
    pub(super) door: Door,
    /// Longest time for which it may stay open.
    pub(super) limit: Option<&'static str>,
    /// Its id, once a program has printed it.
    pub(super) id: Option<String>,
    pub(super) typed: Vec<TypedLine>,
    /// True while a person types at it.
    pub(super) is_typed: bool,
    pub(super) ends: Vec<ReportedEnd>,
    /// Late submissions that were reported as kept.
    pub(super) late: Vec<String>,
    /// Outcomes that the asker received, by their form.
    pub(super) given: BTreeMap<&'static str, String>,
    /// True once the asker was told that its receipt is stored.
    pub(super) is_delivered: bool,
}

/// Numbers of acknowledgements.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Counters {
    pub(super) kills: u64,
    pub(super) asks: u64,
    pub(super) lines: u64,
    pub(super) ends: u64,
    pub(super) late: u64,
    pub(super) given: u64,
    pub(super) delivered: u64,
}

impl std::ops::AddAssign for Counters {
    fn add_assign(&mut self, other: Self) {
        self.kills += other.kills;
        self.asks += other.asks;
        self.lines += other.lines;
        self.ends += other.ends;
        self.late += other.late;
        self.given += other.given;
        self.delivered += other.delivered;
    }
}

#[derive(Debug, Default)]
struct LedgerState {
    records: Vec<AskRecord>,
    counters: Counters,
    /// Usual lifetimes of programs that end by themselves.
    paces: BTreeMap<&'static str, Duration>,
    has_failed: bool,
}

/// All that was acknowledged.
#[derive(Debug)]
pub(super) struct Ledger {
    state: Mutex<LedgerState>,
    kills: u64,
}

/// Number of the last asks that all lanes work on.
const RECENT_ASKS: usize = 24;
/// Longest usual lifetime of a program.
const MAX_PACE: Duration = Duration::from_millis(1_500);

impl Ledger {
    /// Creates a ledger for this number of kills.
    pub(super) fn new(kills: u64) -> Self {
        Self { state: Mutex::default(), kills }
    }

    fn state(&self) -> MutexGuard<'_, LedgerState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns whether enough were killed, or something is wrong.
    pub(super) fn is_over(&self) -> bool {
        let state = self.state();
        state.has_failed || state.counters.kills >= self.kills
    }

    /// Records a failure, so that all lanes stop.
    pub(super) fn fail(&self) {
        self.state().has_failed = true;
    }

    /// Returns all records and the numbers of what they have.
    pub(super) fn close(self) -> (Vec<AskRecord>, Counters) {
        let mut state = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        for record in &state.records {
            state.counters.asks += u64::from(record.id.is_some());
            state.counters.lines += record.typed.iter().filter(|line| line.acknowledged).count() as u64;
            state.counters.ends += record.ends.len() as u64;
            state.counters.late += record.late.len() as u64;
            state.counters.given += record.given.len() as u64;
            state.counters.delivered += u64::from(record.is_delivered);
        }
        (state.records, state.counters)
    }

    /// Returns the time for which a program of this kind may live now: sometimes longer than needed, mostly not.
    pub(super) fn choose_lifetime(&self, kind: &'static str, dice: &mut Dice) -> Duration {
        let pace = *self.state().paces.entry(kind).or_insert(Duration::from_millis(80));
        dice.time_within(pace.mul_f64(1.6))
    }

    /// Records the end of a program: by itself after this lifetime, or killed.
    pub(super) fn record_exit(&self, kind: &'static str, lived: Option<Duration>) {
        let mut state = self.state();
        state.counters.kills += u64::from(lived.is_none());
        let pace = state.paces.entry(kind).or_default();
        *pace = match lived {
            Some(lived) => pace.mul_f64(0.8) + lived.mul_f64(0.2),
            None => pace.mul_f64(1.03),
        }
        .min(MAX_PACE);
    }

    /// Adds an ask by this door.
    pub(super) fn new_ask(&self, door: Door, limit: Option<&'static str>) -> (usize, AskRecord) {
        let mut state = self.state();
        let place = state.records.len();
        let record = AskRecord {
            key: format!("ask-{place}"),
            door,
            limit,
            id: None,
            typed: Vec::new(),
            is_typed: false,
            ends: Vec::new(),
            late: Vec::new(),
            given: BTreeMap::new(),
            is_delivered: false,
        };
        state.records.push(record.clone());
        (place, record)
    }

    /// Returns one of the last asks that fit, as it is now.
    pub(super) fn pick_recent(
        &self,
        dice: &mut Dice,
        fits: impl Fn(&AskRecord) -> bool,
    ) -> Option<(usize, AskRecord)> {
        let state = self.state();
        let last =
            state.records.iter().enumerate().rev().filter(|(_, record)| fits(record)).take(RECENT_ASKS);
        let last: Vec<_> = last.collect();
        dice.one_of(&last).map(|(place, record)| (*place, (*record).clone()))
    }

    fn update<T>(&self, place: usize, write: impl FnOnce(&mut AskRecord) -> T) -> Option<T> {
        self.state().records.get_mut(place).map(write)
    }

    /// Records the id of an ask that a program printed; it is always the same one.
    pub(super) fn record_id(&self, place: usize, id: &str) -> anyhow::Result<()> {
        let known = self.update(place, |record| record.id.get_or_insert_with(|| id.to_owned()).clone());
        match known {
            Some(known) if known != id => bail!("ask {place} has two ids: {known} and {id}"),
            _ => Ok(()),
        }
    }

    /// Reserves an ask for typing; returns false if another lane types at it.
    pub(super) fn begin_typing(&self, place: usize) -> bool {
        self.update(place, |record| !std::mem::replace(&mut record.is_typed, true)).unwrap_or(false)
    }

    pub(super) fn end_typing(&self, place: usize) {
        self.update(place, |record| record.is_typed = false);
    }

    /// Records a line before it is typed, and returns its number.
    pub(super) fn begin_line(&self, place: usize, question: &'static str, text: &str) -> usize {
        let line = TypedLine { question, text: text.to_owned(), acknowledged: false };
        self.update(place, |record| {
            record.typed.push(line);
            record.typed.len() - 1
        })
        .unwrap_or_default()
    }

    /// Records that the person was told that the line is saved.
    pub(super) fn acknowledge_line(&self, place: usize, line: usize) {
        self.update(place, |record| {
            if let Some(line) = record.typed.get_mut(line) {
                line.acknowledged = true;
            }
        });
    }

    /// Records an end that a program reported.
    pub(super) fn record_end(&self, place: usize, end: ReportedEnd) {
        self.update(place, |record| record.ends.push(end));
    }

    /// Records that a person submitted the draft.
    pub(super) fn record_submit(&self, place: usize) {
        self.update(place, |record| record.ends.push(ReportedEnd::Sent(record.typed.len())));
    }

    /// Records a text that came too late and was reported as kept.
    pub(super) fn record_late(&self, place: usize, text: &str) {
        self.update(place, |record| record.late.push(text.to_owned()));
    }

    /// Records the outcome that the asker received in a form; it is always the same one.
    pub(super) fn record_outcome(
        &self,
        place: usize,
        form: &'static str,
        outcome: &str,
    ) -> anyhow::Result<()> {
        let first = self
            .update(place, |record| record.given.entry(form).or_insert_with(|| outcome.to_owned()).clone());
        match first {
            Some(first) if first != outcome => {
                bail!("ask {place} has two outcomes: {first} and {outcome}")
            }
            _ => Ok(()),
        }
    }

    /// Records that the delivery was acknowledged.
    pub(super) fn record_delivery(&self, place: usize) {
        self.update(place, |record| record.is_delivered = true);
    }
}
