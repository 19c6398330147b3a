//! Local desk as a server uses it: several accounts, the change log, and upkeep.

use super::StoreDesk;
use super::key::{check_form_name, key_owner};
use super::opening::{OpenRequest, into_opened_ask};
use super::watch;
use crate::desk::OpenedAsk;
use crate::draft::OnConflict;
use crate::node_stats::NodeStats;
use crate::rate_use::RateUse;
use crate::store::upkeep;
use crate::watch::{AskChange, ChangeCursor};
use crate::{CommitHook, RetentionPolicy};
use sayso_core::{Actor, Ask, AskId, AskReader, NewAsk, Person, Problem, ProblemCode, QuestionId, Replies};
use std::sync::PoisonError;
use std::time::Duration;

impl StoreDesk {
    /// Opens each ask with its key, or finds the ask on which its key was used, all in one transaction.
    ///
    /// # Errors
    /// The index and the problem of the first refused one. Then none was opened, and all keys are unchanged.
    pub fn open_all(&self, all: Vec<(String, NewAsk)>) -> Result<Vec<OpenedAsk>, Box<(usize, Problem)>> {
        let mut changes = Vec::with_capacity(all.len());
        for (place, (key, new)) in all.into_iter().enumerate() {
            match OpenRequest::prepare(Some(&key), new) {
                Ok(request) => changes.push(request.change()),
                Err(problem) => return Err(Box::new((place, problem))),
            }
        }
        match self.store.change_all(changes) {
            Ok(result) => Ok(result?.into_iter().map(into_opened_ask).collect()),
            Err(problem) => Err(Box::new((0, problem))),
        }
    }

    /// Finds the only ask that the reader may see and a full id, an id prefix or a handle prefix matches. Other asks
    /// are ignored.
    ///
    /// # Errors
    /// If there is none, or more than one.
    pub fn find_for(&self, reader: &AskReader, text: &str) -> Result<AskId, Problem> {
        self.find_in_scope(text, reader)
    }

    /// Finds the ask on which a person used a key.
    ///
    /// # Errors
    /// If the desk cannot be read.
    pub fn find_by_person_key(&self, person: &Person, key: &str) -> Result<Option<AskId>, Problem> {
        self.store.find_by_key(&key_owner(&Actor::Person(person.clone())), key)
    }

    /// Returns the outcome of an ask as rendered in this form, if it was rendered.
    ///
    /// # Errors
    /// If the desk cannot be read.
    pub fn rendering(&self, ask: &Ask, form: &str) -> Result<Option<Vec<u8>>, Problem> {
        check_form_name(form)?;
        self.store.rendering(ask.id, form)
    }

    /// Saves refused replies in the draft, and never over text that a person typed there. Questions that the ask does
    /// not have are left out.
    ///
    /// # Errors
    /// If there is no such ask, or the desk cannot store it.
    pub fn save_refused_replies(
        &self,
        person: &Person,
        id: AskId,
        mut replies: Replies,
    ) -> Result<(), Problem> {
        let ask = self.get_ask(id)?;
        let asked = &ask.request.questionnaire;
        replies.retain(|question, reply| {
            let is_form_note = *question == QuestionId::FORM && reply.is_unanswered();
            is_form_note || asked.question(question).is_some()
        });
        loop {
            let draft = self.store.draft(id)?;
            replies.retain(|question, _| !draft.replies.contains_key(question));
            let new_replies = replies.clone().into_iter().collect();
            match self.store.save_draft(id, draft.rev, person, new_replies, OnConflict::Refuse) {
                Ok(_) => return Ok(()),
                // Another person typed meanwhile.
                Err(problem) if problem.code == ProblemCode::DraftChanged => {}
                Err(problem) => return Err(problem),
            }
        }
    }

    /// Returns the cursor to resume from: this one, or the latest without one. The flag says that some changes since
    /// may be unknown.
    ///
    /// # Errors
    /// If the desk cannot be read.
    pub fn resume_cursor(&self, since: Option<ChangeCursor>) -> Result<(ChangeCursor, bool), Problem> {
        watch::resume_cursor(&*self.store, since)
    }

    /// Returns the changes after a cursor, in order, at most `limit` of them.
    ///
    /// # Errors
    /// If the desk cannot be read.
    pub fn changes_after(&self, cursor: ChangeCursor, limit: usize) -> Result<Vec<AskChange>, Problem> {
        self.store.changes_after(cursor, limit)
    }

    /// Runs this after each commit of this process that changed something, on the committing thread, after its
    /// callers have returned. It updates others in this process without the wake-up, which is for all processes and
    /// first wakes a thread. Several hooks run in the order of their addition.
    pub fn add_commit_hook(&self, hook: CommitHook) {
        self.store.add_commit_hook(hook);
    }

    /// Runs deadlines that have passed, in short steps, none of which begins after this time. Returns whether some may be
    /// left. A list runs a few of them.
    ///
    /// # Errors
    /// If the desk cannot be written.
    pub fn run_due(&self, limit: Duration) -> Result<bool, Problem> {
        self.store.adjust_for_clock_change()?;
        let _guard = self.due.lock().unwrap_or_else(PoisonError::into_inner);
        upkeep::run_due(&*self.store, limit)
    }

    /// Runs periodic maintenance in short steps, none of which begins after this time. Returns whether something is left,
    /// which the next maintenance does. It runs deadlines, checkpoints a large WAL, and purges old asks once a day. Each
    /// error is logged, and stops no other part.
    pub fn run_maintenance(&self, retention: RetentionPolicy, limit: Duration) -> bool {
        upkeep::run(&*self.store, retention, limit)
    }

    /// Gives back the space that a burst of writes took. Costs next to nothing if there is nothing to do.
    pub fn release_space(&self) {
        self.store.release_space();
    }

    /// Returns the figures of this node, if the desk lies in a database.
    pub fn node_stats(&self) -> Option<NodeStats> {
        self.store.node_stats()
    }

    /// Returns the secret key by which servers of this desk seal what hosts carry for them, if the desk keeps one. A desk
    /// file has it in another file next to it.
    ///
    /// # Errors
    /// If the desk cannot be read.
    pub fn seal_key(&self) -> Result<Option<Vec<u8>>, Problem> {
        self.store.seal_key()
    }

    /// Adds uses of rate limits to those of other nodes, and returns the time until each limit has recovered from all
    /// of them. Returns nothing if this is the only node.
    ///
    /// # Errors
    /// If the desk cannot be reached.
    pub fn share_rates(&self, uses: &[RateUse]) -> Result<Vec<RateUse>, Problem> {
        self.store.share_rates(uses)
    }

    /// Returns the bytes that the asks of all accounts take.
    ///
    /// # Errors
    /// If the desk cannot be read.
    pub fn kept_bytes(&self) -> Result<u64, Problem> {
        self.store.kept_bytes()
    }
}
