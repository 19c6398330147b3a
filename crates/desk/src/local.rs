//! A desk in a file on this machine, shared by every process that opens it.

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

/// A desk file and the rules to use it by.
pub struct LocalDesk {
    store: Arc<dyn Store>,
    notice: Option<Text>,
}

impl fmt::Debug for LocalDesk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LocalDesk").finish_non_exhaustive()
    }
}

/// How long settled asks and old drafts are kept.
#[derive(Debug, Clone, Copy)]
pub struct Retention {
    /// Settled asks, in days.
    pub settled_days: u32,
    /// Drafts of asks that ended otherwise, in days.
    pub draft_days: u32,
}

impl Default for Retention {
    fn default() -> Self {
        Self { settled_days: 90, draft_days: 30 }
    }
}

impl LocalDesk {
    /// Opens a desk file for many callers, and makes it where there is none.
    ///
    /// # Errors
    /// When the file is no desk, of a newer version, or cannot be opened.
    pub fn open(path: &Path) -> Result<Self, Problem> {
        Self::open_for(path, Callers::Many)
    }

    /// Opens a desk file for these callers, and makes it where there is none.
    ///
    /// # Errors
    /// When the file is no desk, of a newer version, or cannot be opened.
    pub fn open_for(path: &Path, callers: Callers) -> Result<Self, Problem> {
        let store = SqliteStore::open(path)?.for_callers(callers);
        Ok(Self { notice: store.notice().cloned(), store: Arc::new(store) })
    }

    /// What whoever opened it should hear once: that files are missing without which the desk may not be whole.
    pub const fn notice(&self) -> Option<&Text> {
        self.notice.as_ref()
    }

    /// A desk over a store that a test has made.
    #[cfg(test)]
    pub(crate) fn over(store: impl Store + 'static) -> Self {
        Self { store: Arc::new(store), notice: None }
    }

    /// What has to be done now and then, when nobody waits for a reply: the log file is carried over when it is large,
    /// and once a day what is old enough goes.
    ///
    /// # Errors
    /// When the desk cannot be written.
    pub fn tidy_up(&self, retention: Retention) -> Result<(), Problem> {
        let before = |days: u32| {
            let days = SignedDuration::from_hours(i64::from(days) * 24);
            clock::now().checked_sub(days).unwrap_or(Timestamp::MIN)
        };
        self.store.tidy_up(before(retention.settled_days), before(retention.draft_days))
    }

    /// Makes the desk's log small again where a burst has made it large. It costs a look at a file.
    pub fn shrink_log(&self) {
        self.store.shrink_log();
    }

    /// The bytes that the asks of all accounts take.
    ///
    /// # Errors
    /// When the desk cannot be read.
    pub fn kept_bytes(&self) -> Result<u64, Problem> {
        self.store.kept_bytes()
    }

    /// Every event of an ask, by the time of its change: what its state could be rebuilt from.
    ///
    /// # Errors
    /// When the desk cannot be read.
    pub fn log(&self, id: AskId) -> Result<Vec<(Timestamp, Vec<Event>)>, Problem> {
        self.store.log_of(id)
    }

    /// The ask to which a person did something under a key.
    ///
    /// # Errors
    /// When the desk cannot be read.
    pub fn acted_on(&self, person: &Person, key: &str) -> Result<Option<AskId>, Problem> {
        self.store.keyed(&key_owner(&Who::Person(person.clone())), key)
    }

    /// The outcome of an ask as it was rendered in this form, where it was.
    ///
    /// # Errors
    /// When the desk cannot be read.
    pub fn rendering(&self, ask: &Ask, form: &str) -> Result<Option<Vec<u8>>, Problem> {
        must_be_form(form)?;
        self.store.rendering(ask.id, form)
    }

    /// The one ask of an account that a full id, its beginning or the beginning of its handle means. What others asked
    /// makes no difference.
    ///
    /// # Errors
    /// When there is none, or more than one.
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

    /// What to say of an ask that was taken away because it is old. Only to those who see the asks of all accounts: what is
    /// left of it does not tell whose it was.
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

    /// Where to go on reading what happened: this place, or the last change where there is none given; and whether
    /// something may have happened since that is not known any more.
    ///
    /// # Errors
    /// When the desk cannot be read.
    pub fn place(&self, since: Option<Cursor>) -> Result<(Cursor, bool), Problem> {
        watch::place(&*self.store, since)
    }

    /// What happened after a place, in order, and so many changes at most.
    ///
    /// # Errors
    /// When the desk cannot be read.
    pub fn changes_after(&self, place: Cursor, most: usize) -> Result<Vec<Changed>, Problem> {
        self.store.changes_after(place, most)
    }

    /// Does this, on a thread of its own, once the disk has not confirmed a write. From then on nothing is written here any
    /// more, and a program that serves others should end: begun anew, it reads what there really is.
    pub fn when_disk_fails(&self, act: impl FnOnce() + Send + 'static) {
        let trust = self.store.trust();
        let wait = move || {
            trust.wait_until_lost();
            act();
        };
        // Where no thread is to be had, writes fail all the same.
        let _ = std::thread::Builder::new().spawn(wait);
    }

    /// Does this after each commit of this process that changed something, on the thread that committed it and when its
    /// callers have been told. So who keeps others up to date here need not wait for the wake-up, which is there for all
    /// processes and wakes a thread of its own first. There is one such act; a second one is not done.
    pub fn after_commit(&self, act: impl Fn() + Send + Sync + 'static) {
        self.store.tell(Box::new(act));
    }

    /// Whether a commit wakes those who wait here; otherwise they look every 20 ms.
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

    /// Keeps in the draft what was refused, and never over what somebody has typed there, also in this moment. Questions
    /// that the ask does not have are left out.
    ///
    /// # Errors
    /// When there is no such ask, or the desk cannot store it.
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
            // It was found while its deadline passed, and has nothing to say: this is another question.
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
                // Whoever goes on with the ask, or asks it anew, finds what was typed. What is said is why it was refused,
                // whatever becomes of that.
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
        // A desk that cannot be written can still be read; what is due shows as open then.
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
