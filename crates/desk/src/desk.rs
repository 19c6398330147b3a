//! The desk as surfaces and doors see it.

use crate::draft::{Draft, DraftRev, Over, Saved};
use crate::query::{Page, Query};
use crate::watch::{Cursor, Interest, Watch};
use sayso_core::{
    Ask, AskId, Asker, Code, Command, Late, Message, NewAsk, Person, Problem, QuestionId, Reply, Who,
};

/// What asking led to.
#[derive(Debug, Clone, PartialEq)]
pub enum Opened {
    /// A new ask.
    New(Ask),
    /// One that was there: the same key, or the same content while it is open or not delivered.
    Same(Ask),
}

impl Opened {
    /// The ask, new or not.
    pub fn ask(&self) -> &Ask {
        match self {
            Self::New(ask) | Self::Same(ask) => ask,
        }
    }

    /// The ask itself.
    pub fn into_ask(self) -> Ask {
        match self {
            Self::New(ask) | Self::Same(ask) => ask,
        }
    }
}

/// A desk. Calls return when their effect is committed, and on the disk where it must last; they block, and may be made
/// from many threads at once.
pub trait Desk: Send + Sync {
    /// Asks, or finds the ask that is there already.
    ///
    /// # Errors
    /// When the request has problems, the key was used for another one, or the desk cannot store it.
    fn open(&self, key: Option<&str>, new: NewAsk) -> Result<Opened, Problem>;

    /// The ask that an asker used a key on, in whatever call.
    ///
    /// # Errors
    /// When the desk cannot be read.
    fn keyed(&self, who: &Asker, key: &str) -> Result<Option<AskId>, Problem>;

    /// Does something to an ask. With a key, a repetition changes nothing.
    ///
    /// # Errors
    /// When there is no such ask, this role may not do it, or the ask is no longer where it would have to be.
    fn act(&self, who: &Who, id: AskId, key: Option<&str>, command: Command) -> Result<Ask, Problem>;

    /// Saves replies that are not submitted yet. The rest of the draft stays as it is. `over` says what happens where
    /// somebody else has saved one of these questions since the revision it is based on.
    ///
    /// # Errors
    /// When there is no such ask or the desk cannot store them; where nothing is to be saved over, `draft_changed` with
    /// the questions that were saved since. An ask that ended keeps the text all the same.
    fn save_over(
        &self,
        who: &Person,
        id: AskId,
        base: DraftRev,
        replies: Vec<(QuestionId, Reply)>,
        over: Over,
    ) -> Result<Saved, Problem>;

    /// Saves replies, over whatever was saved since.
    ///
    /// # Errors
    /// As [`save_over`](Self::save_over).
    fn save(
        &self,
        who: &Person,
        id: AskId,
        base: DraftRev,
        replies: Vec<(QuestionId, Reply)>,
    ) -> Result<Saved, Problem> {
        self.save_over(who, id, base, replies, Over::Write)
    }

    /// Saves replies, unless one of their questions was saved since.
    ///
    /// # Errors
    /// As [`save_over`](Self::save_over).
    fn save_unchanged(
        &self,
        who: &Person,
        id: AskId,
        base: DraftRev,
        replies: Vec<(QuestionId, Reply)>,
    ) -> Result<Saved, Problem> {
        self.save_over(who, id, base, replies, Over::Keep)
    }

    /// The draft of an ask.
    ///
    /// # Errors
    /// When there is no such ask.
    fn draft(&self, id: AskId) -> Result<Draft, Problem>;

    /// What people said to an ask that could not be answered any more, in its order.
    ///
    /// # Errors
    /// When there is no such ask.
    fn late(&self, id: AskId) -> Result<Vec<Late>, Problem>;

    /// An ask as it stands.
    ///
    /// # Errors
    /// When there is no such ask.
    fn get(&self, id: AskId) -> Result<Ask, Problem>;

    /// The one ask that a full id, its beginning or the beginning of its handle means.
    ///
    /// # Errors
    /// When there is none, or more than one.
    fn find(&self, given: &str) -> Result<AskId, Problem>;

    /// A page of asks.
    ///
    /// # Errors
    /// When the desk cannot be read.
    fn list(&self, query: &Query) -> Result<Page, Problem>;

    /// The outcome of an ask, as it was read, in the form the asker gets it. It is rendered at the first offer and
    /// stored; every later offer gives the same bytes. `form` names the rendering where one ask can have several.
    ///
    /// # Errors
    /// When the ask has no outcome yet.
    fn offer(
        &self,
        who: &Asker,
        ask: &Ask,
        form: &str,
        render: &dyn Fn(&Ask) -> Vec<u8>,
    ) -> Result<Vec<u8>, Problem>;

    /// The asker has the outcome.
    ///
    /// # Errors
    /// When the ask has no outcome yet.
    fn ack(&self, who: &Asker, id: AskId) -> Result<(), Problem>;

    /// Watches what happens from now on, or since a place that an earlier watch told. Where not all that happened since
    /// is known any more, it begins with a [gap](crate::Heard::Gap).
    ///
    /// # Errors
    /// When the desk cannot be read.
    fn watch(&self, interest: Interest, since: Option<Cursor>) -> Result<Box<dyn Watch>, Problem>;
}

/// What was read of one of several asks; nothing where that ask is damaged, so that it hides no other.
///
/// # Errors
/// When it cannot be read for another reason.
pub fn unless_damaged<T>(read: Result<T, Problem>) -> Result<Option<T>, Problem> {
    match read {
        Ok(read) => Ok(Some(read)),
        Err(problem) if problem.code == Code::AskDamaged => Ok(None),
        Err(problem) => Err(problem),
    }
}

/// No ask is called so.
pub(crate) fn not_found(given: &str) -> Problem {
    Problem::new(Code::AskNotFound, Message::AskNotFound.with([given])).hint(Message::SeeList)
}
