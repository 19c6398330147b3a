//! Replies that are not submitted: one row a question, merged by question, with a revision.

use sayso_core::{Problem, QuestionId, Replies, Reply};
use std::collections::BTreeSet;

/// Counts the saves of one ask's draft, from 1; 0 where nothing was saved yet.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct DraftRev(pub u64);

/// What a save does where somebody else saved the same question since.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Over {
    /// The last one has it.
    Write,
    /// Nothing is saved.
    Keep,
}

/// The draft of an ask.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Draft {
    /// The replies so far.
    pub replies: Replies,
    /// The questions whose reply a program gave. A person who goes on with the draft is asked them again.
    pub scripted: BTreeSet<QuestionId>,
    /// The last save they come from.
    pub rev: DraftRev,
}

impl Draft {
    /// Whether a person gave an answer in it, to a question that is asked at the moment or not.
    pub fn has_answers(&self) -> bool {
        self.replies.iter().any(|(id, reply)| reply.answer().is_some() && !self.scripted.contains(id))
    }

    /// The replies that a person typed.
    pub fn typed(self) -> impl Iterator<Item = (QuestionId, Reply)> {
        let Self { replies, scripted, .. } = self;
        replies.into_iter().filter(move |(id, _)| !scripted.contains(id))
    }
}

/// What a save did.
#[derive(Debug, Clone, PartialEq)]
pub struct Saved {
    /// The revision after it.
    pub rev: DraftRev,
    /// What is wrong with the replies that were saved. They are kept all the same.
    pub problems: Vec<Problem>,
    /// Questions in this save that somebody else had saved since the revision it was based on.
    pub overwritten: Vec<QuestionId>,
}
