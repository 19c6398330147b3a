//! What callers of a real desk were told, held by the same judge against what the desk has afterwards.

use crate::judge::Judge;
use crate::store::{Content, Record};
use jiff::Timestamp;
use sayso_core::lifecycle::AskEvent;
use sayso_core::{Ask, AskId, LateSubmission, Replies};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Ask as a desk has it in the end.
#[derive(Debug)]
pub struct SeenAsk {
    /// The ask.
    pub ask: Ask,
    /// Its draft.
    pub draft: Replies,
    /// Submissions that came too late.
    pub late: Vec<LateSubmission>,
    /// All its events, with the times of their changes.
    pub log: Vec<(Timestamp, Vec<AskEvent>)>,
}

/// What callers were told.
#[derive(Debug, Default)]
pub struct Testimony {
    /// Asks that are stored.
    pub opened: Vec<AskId>,
    /// Answers that are the outcome.
    pub answered: Vec<(AskId, Replies)>,
    /// Asks that have ended.
    pub ended: Vec<AskId>,
    /// Answers that came too late and are kept.
    pub late: Vec<(AskId, Replies)>,
}

impl Testimony {
    /// Judges what a desk has.
    ///
    /// # Errors
    /// What is wrong first: something is missing that a caller was told, an ask has two outcomes, or its log tells
    /// another story.
    pub fn judge(&self, seen: Vec<SeenAsk>) -> Result<(), String> {
        let places: BTreeMap<AskId, usize> =
            seen.iter().enumerate().map(|(at, seen)| (seen.ask.id, at)).collect();
        let place = |id: &AskId| places.get(id).copied().ok_or_else(|| format!("the ask {id} is gone"));
        let records = seen.into_iter().map(|seen| Arc::new(to_record(seen))).collect();
        let (content, mut judge) = (Content { records, ..Content::default() }, Judge::default());
        for id in &self.opened {
            judge.opened(place(id)?, None);
        }
        for (id, replies) in &self.answered {
            judge.answered(place(id)?, replies.clone());
        }
        for id in &self.ended {
            judge.ended(place(id)?);
        }
        for (id, replies) in &self.late {
            judge.came_late(place(id)?, replies.clone());
        }
        for (at, record) in content.records.iter().enumerate() {
            judge.examine_log(at, record);
        }
        judge.holds(&content);
        judge.wrong.map_or(Ok(()), Err)
    }
}

fn to_record(seen: SeenAsk) -> Record {
    let draft = seen.draft.into_iter().map(|(question, reply)| (question, (reply, 0))).collect();
    Record { ask: seen.ask, draft, rev: 0, late: seen.late, rendering: None, log: seen.log }
}
