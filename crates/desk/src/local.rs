//! Desk in a file on this machine, shared by every process that opens it.

mod callers;
mod key;
mod opening;
mod thread;
mod token;
mod watch;

use crate::clock;
use crate::desk::{Desk, Opened, not_found};
use crate::draft::{Draft, DraftRev, Over, Saved};
use crate::offer::offer;
use crate::process;
use crate::query::{Page, Query};
use crate::store::sqlite::SqliteStore;
use crate::store::{Among, Beside, Committed, Decide, Purged, Store, Target, Together};
use crate::watch::{Changed, Cursor, Interest, Watch};
use jiff::{SignedDuration, Timestamp};
use key::{key_owner, key_use, must_be_form};
use opening::{ToOpen, opened};
use sayso_core::lifecycle::{self, Event};
use sayso_core::row::Standing;
use sayso_core::sheet::{answer_place, no_such_question};
use sayso_core::wire;
use sayso_core::{
    Ask, AskId, Asker, Code, Command, Digest, Late, Message, NewAsk, Person, Problem, QuestionId, Replies,
    Reply, Sheet, Text, Who,
};
use std::fmt;
use std::path::Path;
use std::sync::Arc;
use watch::LocalWatch;

pub use callers::Callers;

pub use key::must_be_key;

/// Handle on a desk file.
pub struct LocalDesk {
    store: Arc<dyn Store>,
    notice: Option<Text>,
}

impl fmt::Debug for LocalDesk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LocalDesk").finish_non_exhaustive()
    }
}

/// Retention of settled asks and old drafts.
#[derive(Debug, Clone, Copy)]
pub struct Retention {
    /// Days that settled asks are kept.
    pub settled_days: u32,
    /// Days that drafts of asks that ended otherwise are kept.
    pub draft_days: u32,
}

impl Default for Retention {
    fn default() -> Self {
        Self { settled_days: 90, draft_days: 30 }
    }
}

impl LocalDesk {
    /// Opens a desk file for many callers, and creates it if it does not exist.
    ///
    /// # Errors
    /// If the file is not a desk, is of a newer version, or cannot be opened.
    pub fn open(path: &Path) -> Result<Self, Problem> {
        Self::open_for(path, Callers::Many)
    }

    /// Opens a desk file for these callers, and creates it if it does not exist.
    ///
    /// # Errors
    /// If the file is not a desk, is of a newer version, or cannot be opened.
    pub fn open_for(path: &Path, callers: Callers) -> Result<Self, Problem> {
        let store = SqliteStore::open(path)?.for_callers(callers);
        Ok(Self { notice: store.notice().cloned(), store: Arc::new(store) })
    }

    /// Returns the warning to show once after opening: files are missing, so the desk may be incomplete.
    pub const fn notice(&self) -> Option<&Text> {
        self.notice.as_ref()
    }

    /// Returns a desk over a test's store.
    #[cfg(test)]
    pub(crate) fn over(store: impl Store + 'static) -> Self {
        Self { store: Arc::new(store), notice: None }
    }

    /// Runs periodic maintenance while no one waits for a reply. It checkpoints a large WAL, and purges old asks once
    /// a day.
    ///
    /// # Errors
    /// If the desk cannot be written.
    pub fn tidy_up(&self, retention: Retention) -> Result<(), Problem> {
        let before = |days: u32| {
            let days = SignedDuration::from_hours(i64::from(days) * 24);
            clock::now().checked_sub(days).unwrap_or(Timestamp::MIN)
        };
        self.store.tidy_up(before(retention.settled_days), before(retention.draft_days))
    }

    /// Shrinks the WAL after a burst. Costs one `stat` call if there is nothing to do.
    pub fn shrink_log(&self) {
        self.store.shrink_log();
    }

    /// Returns the bytes that the asks of all accounts take.
    ///
    /// # Errors
    /// If the desk cannot be read.
    pub fn kept_bytes(&self) -> Result<u64, Problem> {
        self.store.kept_bytes()
    }

    /// Returns every event of an ask with the time of its change. Its state can be rebuilt from them.
    ///
    /// # Errors
    /// If the desk cannot be read.
    pub fn log(&self, id: AskId) -> Result<Vec<(Timestamp, Vec<Event>)>, Problem> {
        self.store.log_of(id)
    }

    /// Finds the ask on which a person used a key.
    ///
    /// # Errors
    /// If the desk cannot be read.
    pub fn acted_on(&self, person: &Person, key: &str) -> Result<Option<AskId>, Problem> {
        self.store.keyed(&key_owner(&Who::Person(person.clone())), key)
    }

    /// Returns the outcome of an ask as rendered in this form, if it was rendered.
    ///
    /// # Errors
    /// If the desk cannot be read.
    pub fn rendering(&self, ask: &Ask, form: &str) -> Result<Option<Vec<u8>>, Problem> {
        must_be_form(form)?;
        self.store.rendering(ask.id, form)
    }

    /// Finds the only ask of an account that a full id, an id prefix or a handle prefix matches. Asks of other
    /// accounts are ignored.
    ///
    /// # Errors
    /// If there is none, or more than one.
    pub fn find_of(&self, account: &str, given: &str) -> Result<AskId, Problem> {
        self.find_among(given, Some(account))
    }

    fn find_among(&self, given: &str, account: Option<&str>) -> Result<AskId, Problem> {
        let mut ids = self.store.find(given, Among { pending_only: true, account })?;
        if ids.is_empty() {
            ids = self.store.find(given, Among { pending_only: false, account })?;
        }
        match ids.as_slice() {
            [] => Err(self.purged(given, account)?.unwrap_or_else(|| not_found(given))),
            [one] => Ok(*one),
            several => {
                let candidates: Vec<_> = several.iter().map(ToString::to_string).collect();
                let said = Message::AmbiguousId.with([given.to_owned(), candidates.join(", ")]);
                Err(Problem::new(Code::AmbiguousId, said))
            }
        }
    }

    /// Returns the problem of an ask that was purged because of its age. Only callers that see all accounts get it,
    /// because a tombstone does not name its account.
    fn purged(&self, given: &str, account: Option<&str>) -> Result<Option<Problem>, Problem> {
        let Some(id) = AskId::parse(given).filter(|_| account.is_none()) else { return Ok(None) };
        Ok(self.store.purged(id)?.map(|Purged { state, at }| {
            let said = match state {
                Standing::Answered => Message::AnsweredLongAgo,
                Standing::Declined => Message::DeclinedLongAgo,
                Standing::Cancelled => Message::CancelledLongAgo,
                Standing::Expired | Standing::Open | Standing::Submitted => Message::ExpiredLongAgo,
            };
            Problem::new(Code::AskNotFound, said.with([id.to_string(), at.to_string()]))
        }))
    }

    /// Returns the cursor to resume from: this one, or the latest without one. The flag says that some changes since
    /// may be unknown.
    ///
    /// # Errors
    /// If the desk cannot be read.
    pub fn place(&self, since: Option<Cursor>) -> Result<(Cursor, bool), Problem> {
        watch::place(&*self.store, since)
    }

    /// Returns the changes after a cursor, in order, at most `limit` of them.
    ///
    /// # Errors
    /// If the desk cannot be read.
    pub fn changes_after(&self, place: Cursor, most: usize) -> Result<Vec<Changed>, Problem> {
        self.store.changes_after(place, most)
    }

    /// Runs this on its own thread once the disk has failed to confirm a write. From then on this process writes
    /// nothing; a program that serves others should end. After a restart it reads the actual state.
    pub fn when_disk_fails(&self, act: impl FnOnce() + Send + 'static) {
        let trust = self.store.trust();
        let wait = move || {
            trust.wait_until_lost();
            act();
        };
        // If no thread can be started, writes fail all the same.
        let _ = std::thread::Builder::new().spawn(wait);
    }

    /// Runs this after each commit of this process that changed something, on the committing thread, after its
    /// callers have returned. It updates others in this process without the wake-up, which is for all processes and
    /// first wakes a thread. Only the first hook counts.
    pub fn after_commit(&self, act: impl Fn() + Send + Sync + 'static) {
        self.store.tell(Box::new(act));
    }

    /// Returns whether a commit wakes waiters here; otherwise they poll every 20 ms.
    pub fn has_wakeup(&self) -> bool {
        self.store.listen(&Interest::All).is_some()
    }

    fn apply(
        &self,
        who: &Who,
        id: AskId,
        key: Option<&str>,
        command: &Command,
        beside: Beside,
    ) -> Result<Committed, Problem> {
        let beside = Beside { fleeting: !command.must_last(), ..beside };
        let key = key
            .map(|key| {
                key_use(who, key, Digest::of(format!("{id}{}", wire::command::write(command)).as_bytes()))
            })
            .transpose()?;
        let decide = || -> Decide {
            let (who, command) = (who.clone(), command.clone());
            Box::new(move |ask, now| {
                let ask = ask.ok_or_else(|| not_found(&id.to_string()))?;
                lifecycle::apply(ask, &who, command.clone(), now)
            })
        };
        self.store.change(Target::Ask(id), key, beside, decide())
    }

    /// Saves refused replies in the draft, and never over text that a person typed there. Questions that the ask does
    /// not have are left out.
    ///
    /// # Errors
    /// If there is no such ask, or the desk cannot store it.
    pub fn keep_in_draft(&self, person: &Person, id: AskId, mut replies: Replies) -> Result<(), Problem> {
        let ask = self.must_get(id)?;
        replies.retain(|question, _| ask.request.questionnaire.question(question).is_some());
        loop {
            let draft = self.store.draft(id)?;
            replies.retain(|question, _| !draft.replies.contains_key(question));
            let kept = replies.clone().into_iter().collect();
            match self.store.save_draft(id, draft.rev, person, kept, Over::Keep) {
                Err(problem) if problem.code == Code::DraftChanged => {}
                done => return done.map(drop),
            }
        }
    }

    fn must_get(&self, id: AskId) -> Result<Ask, Problem> {
        self.store.read(id)?.ok_or_else(|| not_found(&id.to_string()))
    }
}

impl Desk for LocalDesk {
    fn open(&self, key: Option<&str>, new: NewAsk) -> Result<Opened, Problem> {
        let to_open = ToOpen::of(key, new)?;
        let ask = || {
            let Together { target, key, decide } = to_open.change();
            self.store.change(target, key, Beside::default(), decide)
        };
        let mut done = ask()?;
        if !done.is_new && key.is_none() && !done.ask.is_live() {
            // Its deadline expired while it was found, so it has no answer: this is a new ask.
            done = ask()?;
        }
        Ok(opened(done))
    }

    fn keyed(&self, who: &Asker, key: &str) -> Result<Option<AskId>, Problem> {
        self.store.keyed(&key_owner(&Who::Asker(who.clone())), key)
    }

    fn act(&self, who: &Who, id: AskId, key: Option<&str>, command: Command) -> Result<Ask, Problem> {
        let late = Late::of(who, &command, clock::now()).map(Box::new);
        let result = self.apply(who, id, key, &command, Beside { late, ..Beside::default() });
        match (result, command) {
            (Ok(done), _) => Ok(done.ask),
            (Err(problem), command) => {
                // The next person on this ask, or on the same ask opened again, finds the typed text. The reported
                // problem is the refusal, even if saving the text fails.
                if let (Who::Person(person), Command::Submit { replies, .. }) = (who, command)
                    && problem.code != Code::AskNotFound
                {
                    let _ = self.keep_in_draft(person, id, replies);
                }
                if problem.code == Code::AskExpired {
                    let _ = self.apply(&Who::Desk, id, None, &Command::Tick, Beside::default());
                }
                Err(problem)
            }
        }
    }

    fn save_over(
        &self,
        who: &Person,
        id: AskId,
        base: DraftRev,
        replies: Vec<(QuestionId, Reply)>,
        over: Over,
    ) -> Result<Saved, Problem> {
        let ask = self.must_get(id)?;
        let sheet = Sheet::new(ask.request.questionnaire.clone(), replies.iter().cloned().collect());
        let mut problems = Vec::new();
        for (question, _) in &replies {
            let at = sheet.place(question).ok_or_else(|| no_such_question(question))?;
            problems.extend(sheet.wrong(at).into_iter().map(|problem| problem.at(answer_place(question))));
        }
        let (rev, overwritten) = self.store.save_draft(id, base, who, replies, over)?;
        Ok(Saved { rev, problems, overwritten })
    }

    fn draft(&self, id: AskId) -> Result<Draft, Problem> {
        let draft = self.store.draft(id)?;
        if draft.rev == DraftRev(0) {
            self.must_get(id)?;
        }
        Ok(draft)
    }

    fn late(&self, id: AskId) -> Result<Vec<Late>, Problem> {
        let late = self.store.late(id)?;
        if late.is_empty() {
            self.must_get(id)?;
        }
        Ok(late)
    }

    fn get(&self, id: AskId) -> Result<Ask, Problem> {
        let ask = self.must_get(id)?;
        if ask.is_due(clock::now()) {
            return Ok(self.apply(&Who::Desk, id, None, &Command::Tick, Beside::default())?.ask);
        }
        Ok(ask)
    }

    fn find(&self, given: &str) -> Result<AskId, Problem> {
        self.find_among(given, None)
    }

    fn list(&self, query: &Query) -> Result<Page, Problem> {
        // A desk that cannot be written can still be read; asks past their deadline then show as open.
        let _ = self.store.keep_time().and_then(|()| self.store.pass_time());
        let mut page = self.store.list(query)?;
        for row in &mut page.rows {
            row.attached = row.waits(process::is_alive);
        }
        Ok(page)
    }

    fn offer(
        &self,
        who: &Asker,
        ask: &Ask,
        form: &str,
        render: &dyn Fn(&Ask) -> Vec<u8>,
    ) -> Result<Vec<u8>, Problem> {
        let put = |body: Vec<u8>| {
            let beside = Beside { rendering: Some((form.to_owned(), body)), ..Beside::default() };
            let done = self.apply(&Who::Asker(who.clone()), ask.id, None, &Command::Offer, beside)?;
            Ok(done.rendering.unwrap_or_default())
        };
        must_be_form(form)?;
        offer(ask, render, || self.store.rendering(ask.id, form), put)
    }

    fn ack(&self, who: &Asker, id: AskId) -> Result<(), Problem> {
        self.apply(&Who::Asker(who.clone()), id, None, &Command::Ack, Beside::default()).map(drop)
    }

    fn watch(&self, interest: Interest, since: Option<Cursor>) -> Result<Box<dyn Watch>, Problem> {
        Ok(Box::new(LocalWatch::begin(self.store.clone(), interest, since)?))
    }
}

#[cfg(test)]
mod tests;
