//! Known state of a draft at the desk, which tells saves of other surfaces from our own.

use sayso_core::{QuestionId, Replies, Reply};

/// Replies at the desk, as last read or saved.
#[derive(Debug, Clone, Default)]
pub(crate) struct DraftSync {
    known: Replies,
    /// Replies of others that our newer, unsaved ones will overwrite.
    skipped: Replies,
}

impl DraftSync {
    /// Creates the state from a draft that was just read.
    pub(crate) fn new(known: Replies) -> Self {
        Self { known, skipped: Replies::new() }
    }

    /// Records a reply that was read.
    pub(crate) fn record_read(&mut self, id: &QuestionId, reply: &Reply) {
        self.known.insert(id.clone(), reply.clone());
    }

    /// Records a reply that is not shown because a newer one is unsaved here. Unless it was known, it is another
    /// person's.
    pub(crate) fn record_skipped(&mut self, id: &QuestionId, reply: &Reply) {
        if self.known.get(id) != Some(reply) {
            self.skipped.insert(id.clone(), reply.clone());
        }
        self.record_read(id, reply);
    }

    /// Takes a skipped reply whose replacement was cancelled.
    pub(crate) fn take_skipped(&mut self, id: &QuestionId) -> Option<Reply> {
        self.skipped.remove(id)
    }

    /// Records a save. Returns the questions at which it overwrote unseen replies of others; `overwritten` are those
    /// that the desk reports.
    pub(crate) fn record_save(&mut self, replies: &Replies, overwritten: Vec<QuestionId>) -> Vec<QuestionId> {
        let mut replaced_ids = overwritten;
        for (id, reply) in replies {
            if let Some(remote_reply) = self.skipped.remove(id)
                && remote_reply != *reply
                && !replaced_ids.contains(id)
            {
                replaced_ids.push(id.clone());
            }
            self.record_read(id, reply);
        }
        replaced_ids
    }
}
