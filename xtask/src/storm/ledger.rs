//! Ledger of what was acknowledged before any death: the desk has to know all of it afterwards.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use anyhow::bail;

use interleavings::Dice;

/// By which door an ask came in.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Door {
    Command,
    Mcp,
    Http,
}

/// A line that a person typed.
#[derive(Debug, Clone)]
pub(super) struct Typed {
    pub(super) question: &'static str,
    pub(super) text: String,
    /// The person was told that it is kept.
    pub(super) acknowledged: bool,
}

/// End of an ask as it was reported to somebody.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum End {
    /// Answered, with this text.
    Answered(String),
    /// Answered, with what stood in the draft when so many lines had been typed.
    Sent(usize),
    Declined(String),
    Cancelled,
}

/// Known facts about one ask.
#[derive(Debug, Clone)]
pub(super) struct Note {
    /// Its key and its title.
    pub(super) key: String,
    pub(super) door: Door,
    /// Longest time for which it may stay open.
    pub(super) limit: Option<&'static str>,
    /// Its id, since somebody was told.
    pub(super) id: Option<String>,
    pub(super) typed: Vec<Typed>,
    /// Somebody types there.
    pub(super) is_typed: bool,
    pub(super) ends: Vec<End>,
    /// Late submissions that were reported as kept.
    pub(super) late: Vec<String>,
    /// Outcomes that the asker received, by their form.
    pub(super) given: BTreeMap<&'static str, String>,
    /// It was told that the asker has it.
    pub(super) is_delivered: bool,
}

/// Count of acknowledgements.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Tally {
    pub(super) kills: u64,
    pub(super) asks: u64,
    pub(super) lines: u64,
    pub(super) ends: u64,
    pub(super) late: u64,
    pub(super) given: u64,
    pub(super) delivered: u64,
}

impl std::ops::AddAssign for Tally {
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
struct Book {
    notes: Vec<Note>,
    tally: Tally,
    /// Lifetimes of the programs that end by themselves.
    paces: BTreeMap<&'static str, Duration>,
    has_failed: bool,
}

/// All that was acknowledged.
#[derive(Debug)]
pub(super) struct Ledger {
    book: Mutex<Book>,
    kills: u64,
}

/// So many of the last asks are what everybody is at.
const LIVELY: usize = 24;
/// Nobody's end is waited for longer.
const PACE_MOST: Duration = Duration::from_millis(1_500);

impl Ledger {
    /// A ledger for so many kills.
    pub(super) fn new(kills: u64) -> Self {
        Self { book: Mutex::default(), kills }
    }

    fn book(&self) -> MutexGuard<'_, Book> {
        self.book.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns whether enough were killed, or something is wrong.
    pub(super) fn is_over(&self) -> bool {
        let book = self.book();
        book.has_failed || book.tally.kills >= self.kills
    }

    /// Something is wrong: all stop.
    pub(super) fn fail(&self) {
        self.book().has_failed = true;
    }

    /// All notes, and how much there is of each.
    pub(super) fn close(self) -> (Vec<Note>, Tally) {
        let mut book = self.book.into_inner().unwrap_or_else(PoisonError::into_inner);
        for note in &book.notes {
            book.tally.asks += u64::from(note.id.is_some());
            book.tally.lines += note.typed.iter().filter(|line| line.acknowledged).count() as u64;
            book.tally.ends += note.ends.len() as u64;
            book.tally.late += note.late.len() as u64;
            book.tally.given += note.given.len() as u64;
            book.tally.delivered += u64::from(note.is_delivered);
        }
        (book.notes, book.tally)
    }

    /// Returns the time for which a program of this kind may live now: sometimes longer than needed, mostly not.
    pub(super) fn life(&self, kind: &'static str, dice: &mut Dice) -> Duration {
        let pace = *self.book().paces.entry(kind).or_insert(Duration::from_millis(80));
        dice.time_within(pace.mul_f64(1.6))
    }

    /// Somebody of this kind ended: by itself after so long, or killed.
    pub(super) fn ended(&self, kind: &'static str, lived: Option<Duration>) {
        let mut book = self.book();
        book.tally.kills += u64::from(lived.is_none());
        let pace = book.paces.entry(kind).or_default();
        *pace = match lived {
            Some(lived) => pace.mul_f64(0.8) + lived.mul_f64(0.2),
            None => pace.mul_f64(1.03),
        }
        .min(PACE_MOST);
    }

    /// A new ask by this door.
    pub(super) fn new_ask(&self, door: Door, limit: Option<&'static str>) -> (usize, Note) {
        let mut book = self.book();
        let place = book.notes.len();
        let note = Note {
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
        book.notes.push(note.clone());
        (place, note)
    }

    /// One of the last asks that fit, as it is now.
    pub(super) fn one_where(&self, dice: &mut Dice, fits: impl Fn(&Note) -> bool) -> Option<(usize, Note)> {
        let book = self.book();
        let last = book.notes.iter().enumerate().rev().filter(|(_, note)| fits(note)).take(LIVELY);
        let last: Vec<_> = last.collect();
        dice.one_of(&last).map(|(place, note)| (*place, (*note).clone()))
    }

    fn on<T>(&self, place: usize, write: impl FnOnce(&mut Note) -> T) -> Option<T> {
        self.book().notes.get_mut(place).map(write)
    }

    /// Somebody was told the id of an ask.
    pub(super) fn asked(&self, place: usize, id: &str) -> anyhow::Result<()> {
        let known = self.on(place, |note| note.id.get_or_insert_with(|| id.to_owned()).clone());
        match known {
            Some(known) if known != id => bail!("ask {place} has two ids: {known} and {id}"),
            _ => Ok(()),
        }
    }

    /// Takes an ask to type there, unless somebody else does.
    pub(super) fn begin_typing(&self, place: usize) -> bool {
        self.on(place, |note| !std::mem::replace(&mut note.is_typed, true)).unwrap_or(false)
    }

    pub(super) fn end_typing(&self, place: usize) {
        self.on(place, |note| note.is_typed = false);
    }

    /// A line is about to be typed; its number.
    pub(super) fn types(&self, place: usize, question: &'static str, text: &str) -> usize {
        let line = Typed { question, text: text.to_owned(), acknowledged: false };
        self.on(place, |note| {
            note.typed.push(line);
            note.typed.len() - 1
        })
        .unwrap_or_default()
    }

    /// The person was told that the line is kept.
    pub(super) fn typed(&self, place: usize, line: usize) {
        self.on(place, |note| {
            if let Some(line) = note.typed.get_mut(line) {
                line.acknowledged = true;
            }
        });
    }

    /// Somebody was told to have ended it.
    pub(super) fn has_ended(&self, place: usize, end: End) {
        self.on(place, |note| note.ends.push(end));
    }

    /// A person sent what stood in the draft.
    pub(super) fn has_sent(&self, place: usize) {
        self.on(place, |note| note.ends.push(End::Sent(note.typed.len())));
    }

    /// Somebody came too late, and was told that it is kept.
    pub(super) fn came_late(&self, place: usize, text: &str) {
        self.on(place, |note| note.late.push(text.to_owned()));
    }

    /// The asker was given this: always the same.
    pub(super) fn given(&self, place: usize, form: &'static str, said: &str) -> anyhow::Result<()> {
        let first = self.on(place, |note| note.given.entry(form).or_insert_with(|| said.to_owned()).clone());
        match first {
            Some(first) if first != said => {
                bail!("ask {place} was given twice otherwise: {first} and {said}")
            }
            _ => Ok(()),
        }
    }

    /// It was told that the asker has the outcome.
    pub(super) fn delivered(&self, place: usize) {
        self.on(place, |note| note.is_delivered = true);
    }
}
