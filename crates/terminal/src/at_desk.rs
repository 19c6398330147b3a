//! Known state of a draft at the desk, which tells saves of other surfaces from our own.

use sayso_core::{QuestionId, Replies, Reply};

/// Replies at the desk, as last read or saved.
#[derive(Debug, Clone, Default)]
pub(crate) struct AtDesk {
    known: Replies,
    /// Replies of others that our newer, unsaved ones will overwrite.
    passed_over: Replies,
}

impl AtDesk {
    /// Creates the state from a draft that was just read.
    pub(crate) fn of(known: Replies) -> Self {
        Self { known, passed_over: Replies::new() }
    }

    /// Records a reply that was read.
    pub(crate) fn read(&mut self, id: &QuestionId, reply: &Reply) {
        self.known.insert(id.clone(), reply.clone());
    }

    /// Records a reply that is not shown because a newer one is unsaved here. Unless it was known, it is another
    /// person's.
    pub(crate) fn pass_over(&mut self, id: &QuestionId, reply: &Reply) {
        if self.known.get(id) != Some(reply) {
            self.passed_over.insert(id.clone(), reply.clone());
        }
        self.read(id, reply);
    }

    /// Takes a skipped reply whose replacement was cancelled.
    pub(crate) fn come_back_to(&mut self, id: &QuestionId) -> Option<Reply> {
        self.passed_over.remove(id)
    }

    /// Records a save. Returns the questions at which it overwrote unseen replies of others; `overwritten` are those
    /// that the desk reports.
    pub(crate) fn saved(&mut self, sent: &Replies, overwritten: Vec<QuestionId>) -> Vec<QuestionId> {
        let mut replaced = overwritten;
        for (id, reply) in sent {
            let theirs = self.passed_over.remove(id);
            if theirs.is_some_and(|theirs| theirs != *reply) && !replaced.contains(id) {
                replaced.push(id.clone());
            }
            self.read(id, reply);
        }
        replaced
    }
}
