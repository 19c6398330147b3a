//! What the desk is known to have of a draft, so that what somebody else put there is told from what was saved here.

use sayso_core::{QuestionId, Replies, Reply};

/// The replies at the desk, as they were last read or saved.
#[derive(Debug, Clone, Default)]
pub(crate) struct AtDesk {
    known: Replies,
    /// What somebody else put where something newer is held here, which will replace it.
    passed_over: Replies,
}

impl AtDesk {
    /// A draft that has been read.
    pub(crate) fn of(known: Replies) -> Self {
        Self { known, passed_over: Replies::new() }
    }

    /// Takes note of a reply that has been read.
    pub(crate) fn read(&mut self, id: &QuestionId, reply: &Reply) {
        self.known.insert(id.clone(), reply.clone());
    }

    /// The same, where it is not shown because something newer is held here. It is somebody else's unless it was known.
    pub(crate) fn pass_over(&mut self, id: &QuestionId, reply: &Reply) {
        if self.known.get(id) != Some(reply) {
            self.passed_over.insert(id.clone(), reply.clone());
        }
        self.read(id, reply);
    }

    /// What was passed over at a question and will not be replaced after all: nothing new has been said here.
    pub(crate) fn come_back_to(&mut self, id: &QuestionId) -> Option<Reply> {
        self.passed_over.remove(id)
    }

    /// Takes note of a save. The questions at which it replaced what somebody else had said, and nobody here has seen;
    /// `overwritten` are those that the desk tells of.
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
