//! Desk interface that surfaces and doors use.

use crate::draft::{Draft, DraftRev, OnConflict, SaveReport};
use crate::query::{AskPage, AskQuery};
use crate::watch::{ChangeCursor, Interest, Watch};
use sayso_core::i18n::foreign;
use sayso_core::{
    Actor, Ask, AskCommand, AskId, Asker, LateSubmission, Message, NewAsk, Person, Problem, ProblemCode,
    QuestionId, Reply,
};

/// Result of opening an ask.
#[derive(Debug, Clone, PartialEq)]
pub enum OpenedAsk {
    /// A new ask.
    New(Ask),
    /// An existing ask: the same key, or the same content while it is open or undelivered.
    Existing(Ask),
}

impl OpenedAsk {
    /// Returns the ask, new or existing.
    pub fn ask(&self) -> &Ask {
        match self {
            Self::New(ask) | Self::Existing(ask) => ask,
        }
    }

    /// Converts to the ask.
    pub fn into_ask(self) -> Ask {
        match self {
            Self::New(ask) | Self::Existing(ask) => ask,
        }
    }
}

/// Interface of a desk. A call returns when its effect is committed, and synced to disk if it must survive a power
/// cut. Calls block, and many threads may call at once.
pub trait Desk: Send + Sync {
    /// Opens an ask, or finds the existing one.
    ///
    /// # Errors
    /// If the request has problems, the key was used for another one, or the desk cannot store it.
    fn open(&self, key: Option<&str>, new: NewAsk) -> Result<OpenedAsk, Problem>;

    /// Finds the ask on which an asker used a key, in any call.
    ///
    /// # Errors
    /// If the desk cannot be read.
    fn find_by_key(&self, who: &Asker, key: &str) -> Result<Option<AskId>, Problem>;

    /// Applies a command to an ask. A repetition with the same key changes nothing.
    ///
    /// # Errors
    /// If the ask does not exist, the role does not allow the command, or the ask is in another state.
    fn act(&self, who: &Actor, id: AskId, key: Option<&str>, command: AskCommand) -> Result<Ask, Problem>;

    /// Saves replies that are not submitted yet, and leaves the rest of the draft unchanged. `on_conflict` decides if
    /// another person saved one of these questions after the revision `base`.
    ///
    /// # Errors
    /// If the ask does not exist or the desk cannot store them. With [`OnConflict::Refuse`], `draft_changed` with the
    /// questions that were saved since. An ask that has ended still keeps the text.
    fn save_with(
        &self,
        who: &Person,
        id: AskId,
        base: DraftRev,
        replies: Vec<(QuestionId, Reply)>,
        on_conflict: OnConflict,
    ) -> Result<SaveReport, Problem>;

    /// Saves replies and overwrites newer ones.
    ///
    /// # Errors
    /// Same as [`save_with`](Self::save_with).
    fn save(
        &self,
        who: &Person,
        id: AskId,
        base: DraftRev,
        replies: Vec<(QuestionId, Reply)>,
    ) -> Result<SaveReport, Problem> {
        self.save_with(who, id, base, replies, OnConflict::Overwrite)
    }

    /// Saves replies, unless one of their questions was saved since.
    ///
    /// # Errors
    /// Same as [`save_with`](Self::save_with).
    fn save_unchanged(
        &self,
        who: &Person,
        id: AskId,
        base: DraftRev,
        replies: Vec<(QuestionId, Reply)>,
    ) -> Result<SaveReport, Problem> {
        self.save_with(who, id, base, replies, OnConflict::Refuse)
    }

    /// Returns the draft of an ask.
    ///
    /// # Errors
    /// If there is no such ask.
    fn draft(&self, id: AskId) -> Result<Draft, Problem>;

    /// Returns the submissions that arrived after an ask had ended, oldest first.
    ///
    /// # Errors
    /// If there is no such ask.
    fn late_submissions(&self, id: AskId) -> Result<Vec<LateSubmission>, Problem>;

    /// Returns the current state of an ask.
    ///
    /// # Errors
    /// If there is no such ask.
    fn get(&self, id: AskId) -> Result<Ask, Problem>;

    /// Finds the only ask that a full id, an id prefix or a handle prefix matches.
    ///
    /// # Errors
    /// If there is none, or more than one.
    fn find(&self, given: &str) -> Result<AskId, Problem>;

    /// Returns one page of asks.
    ///
    /// # Errors
    /// If the desk cannot be read.
    fn list(&self, query: &AskQuery) -> Result<AskPage, Problem>;

    /// Returns the outcome of an ask in the form the asker gets it. The first offer renders and stores it; every
    /// later offer gives the same bytes. `form` names the rendering if an ask can have several.
    ///
    /// # Errors
    /// If the ask has no outcome yet.
    fn offer(
        &self,
        who: &Asker,
        ask: &Ask,
        form: &str,
        render: &dyn Fn(&Ask) -> Vec<u8>,
    ) -> Result<Vec<u8>, Problem>;

    /// Records that the asker has received the outcome.
    ///
    /// # Errors
    /// If the ask has no outcome yet.
    fn ack(&self, who: &Asker, id: AskId) -> Result<(), Problem>;

    /// Watches changes from now on, or since the cursor of an earlier watch. If some changes since then are no longer
    /// known, the watch begins with a [gap](crate::WatchEvent::Gap).
    ///
    /// # Errors
    /// If the desk cannot be read.
    fn watch(&self, interest: Interest, since: Option<ChangeCursor>) -> Result<Box<dyn Watch>, Problem>;
}

/// Turns the problem of a damaged ask into `None`, so that it hides no other ask.
///
/// # Errors
/// If reading fails for another reason.
pub fn skip_damaged<T>(result: Result<T, Problem>) -> Result<Option<T>, Problem> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(problem) if problem.code == ProblemCode::AskDamaged => Ok(None),
        Err(problem) => Err(problem),
    }
}

/// Returns the problem of an unknown ask.
pub(crate) fn not_found(id: &str) -> Problem {
    Problem::new(ProblemCode::AskNotFound, Message::AskNotFound.with([foreign(id)]))
        .with_hint(Message::SeeList)
}
