//! Desk in a file on this machine, shared by every process that opens it.

mod key;
mod opening;
mod thread;
mod token;
mod watch;

use crate::api::offer::offer;
use crate::clock;
use crate::desk::{Desk, OpenedAsk, not_found};
use crate::draft::{Draft, DraftRev, OnConflict, SaveReport};
use crate::process;
use crate::query::{AskPage, AskQuery};
use crate::store::sqlite::SqliteStore;
use crate::store::{
    AskTombstone, BatchChange, ChangeOptions, ChangeTarget, CommittedChange, DecideFn, IdScope, Store,
};
use crate::watch::{AskChange, ChangeCursor, Interest, Watch};
use jiff::{SignedDuration, Timestamp};
use key::{check_form_name, key_owner, key_use};
use opening::{OpenRequest, into_opened_ask};
use sayso_core::ask_summary::AskStatus;
use sayso_core::lifecycle::{self, AskEvent};
use sayso_core::sheet::{answer_path, unknown_question_problem};
use sayso_core::wire;
use sayso_core::{
    Actor, Ask, AskCommand, AskId, Asker, Digest, LateSubmission, LocalizedText, Message, NewAsk, Person,
    Problem, ProblemCode, QuestionId, Replies, Reply, Sheet,
};
use std::fmt;
use std::path::Path;
use std::sync::Arc;
use watch::LocalWatch;

pub use crate::store::CallerCount;
pub use key::check_key;

/// Handle on a desk file.
pub struct LocalDesk {
    store: Arc<dyn Store>,
    notice: Option<LocalizedText>,
}

impl fmt::Debug for LocalDesk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LocalDesk").finish_non_exhaustive()
    }
}

/// Retention of settled asks and old drafts.
#[derive(Debug, Clone, Copy)]
pub struct RetentionPolicy {
    /// Days that settled asks are kept.
    pub settled_days: u32,
    /// Days that drafts of asks that ended otherwise are kept.
    pub draft_days: u32,
}

impl Default for RetentionPolicy {
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
        Self::open_for(path, CallerCount::Many)
    }

    /// Opens a desk file for these callers, and creates it if it does not exist.
    ///
    /// # Errors
    /// If the file is not a desk, is of a newer version, or cannot be opened.
    pub fn open_for(path: &Path, callers: CallerCount) -> Result<Self, Problem> {
        let store = SqliteStore::open(path)?.with_callers(callers);
        Ok(Self { notice: store.notice().cloned(), store: Arc::new(store) })
    }

    /// Returns the warning to show once after opening: files are missing, so the desk may be incomplete.
    pub const fn notice(&self) -> Option<&LocalizedText> {
        self.notice.as_ref()
    }

    /// Returns a desk over a test's store.
    #[cfg(test)]
    pub(crate) fn with_store(store: impl Store + 'static) -> Self {
        Self { store: Arc::new(store), notice: None }
    }

    /// Runs periodic maintenance while no one waits for a reply. It checkpoints a large WAL, and purges old asks once
    /// a day.
    ///
    /// # Errors
    /// If the desk cannot be written.
    pub fn run_maintenance(&self, retention: RetentionPolicy) -> Result<(), Problem> {
        let before = |days: u32| {
            let days = SignedDuration::from_hours(i64::from(days) * 24);
            clock::now().checked_sub(days).unwrap_or(Timestamp::MIN)
        };
        self.store.run_maintenance(before(retention.settled_days), before(retention.draft_days))
    }

    /// Shrinks the WAL after a burst. Costs one `stat` call if there is nothing to do.
    pub fn shrink_wal(&self) {
        self.store.shrink_wal();
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
    pub fn history(&self, id: AskId) -> Result<Vec<(Timestamp, Vec<AskEvent>)>, Problem> {
        self.store.history(id)
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

    /// Finds the only ask of an account that a full id, an id prefix or a handle prefix matches. Asks of other
    /// accounts are ignored.
    ///
    /// # Errors
    /// If there is none, or more than one.
    pub fn find_in_account(&self, account: &str, given: &str) -> Result<AskId, Problem> {
        self.find_in_scope(given, Some(account))
    }

    fn find_in_scope(&self, given: &str, account: Option<&str>) -> Result<AskId, Problem> {
        let mut ids = self.store.find(given, IdScope { pending_only: true, account })?;
        if ids.is_empty() {
            ids = self.store.find(given, IdScope { pending_only: false, account })?;
        }
        match ids.as_slice() {
            [] => Err(self.purged_problem(given, account)?.unwrap_or_else(|| not_found(given))),
            [one] => Ok(*one),
            several => {
                let candidates: Vec<_> = several.iter().map(ToString::to_string).collect();
                let message = Message::AmbiguousId.with([given.to_owned(), candidates.join(", ")]);
                Err(Problem::new(ProblemCode::AmbiguousId, message))
            }
        }
    }

    /// Returns the problem of an ask that was purged because of its age. Only callers that see all accounts get it,
    /// because a tombstone does not name its account.
    fn purged_problem(&self, given: &str, account: Option<&str>) -> Result<Option<Problem>, Problem> {
        let Some(id) = AskId::parse(given).filter(|_| account.is_none()) else { return Ok(None) };
        Ok(self.store.find_tombstone(id)?.map(|AskTombstone { state, at }| {
            let message = match state {
                AskStatus::Answered => Message::AnsweredLongAgo,
                AskStatus::Declined => Message::DeclinedLongAgo,
                AskStatus::Cancelled => Message::CancelledLongAgo,
                AskStatus::Expired | AskStatus::Open | AskStatus::Submitted => Message::ExpiredLongAgo,
            };
            Problem::new(ProblemCode::AskNotFound, message.with([id.to_string(), at.to_string()]))
        }))
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

    /// Runs this on its own thread once the disk has failed to confirm a write. From then on this process writes
    /// nothing; a program that serves others should end. After a restart it reads the actual state.
    pub fn on_disk_failure(&self, act: impl FnOnce() + Send + 'static) {
        let sync_health = self.store.sync_health();
        let wait = move || {
            sync_health.wait_for_failure();
            act();
        };
        // If no thread can be started, writes fail all the same.
        let _ = std::thread::Builder::new().spawn(wait);
    }

    /// Runs this after each commit of this process that changed something, on the committing thread, after its
    /// callers have returned. It updates others in this process without the wake-up, which is for all processes and
    /// first wakes a thread. Only the first hook counts.
    pub fn set_commit_hook(&self, act: impl Fn() + Send + Sync + 'static) {
        self.store.set_commit_hook(Box::new(act));
    }

    /// Returns whether a commit wakes waiters here; otherwise they poll every 20 ms.
    pub fn has_wakeup(&self) -> bool {
        self.store.listen(&Interest::All).is_some()
    }

    fn apply_command(
        &self,
        who: &Actor,
        id: AskId,
        key: Option<&str>,
        command: &AskCommand,
        options: ChangeOptions,
    ) -> Result<CommittedChange, Problem> {
        let options = ChangeOptions { skip_sync: !command.must_be_durable(), ..options };
        let key = key
            .map(|key| {
                key_use(
                    who,
                    key,
                    Digest::compute(format!("{id}{}", wire::command::write(command)).as_bytes()),
                )
            })
            .transpose()?;
        let decide = || -> DecideFn {
            let (who, command) = (who.clone(), command.clone());
            Box::new(move |ask, now| {
                let ask = ask.ok_or_else(|| not_found(&id.to_string()))?;
                lifecycle::apply_command(ask, &who, command.clone(), now)
            })
        };
        self.store.change(ChangeTarget::Ask(id), key, options, decide())
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
        replies.retain(|question, _| ask.request.questionnaire.question(question).is_some());
        loop {
            let draft = self.store.draft(id)?;
            replies.retain(|question, _| !draft.replies.contains_key(question));
            let kept = replies.clone().into_iter().collect();
            match self.store.save_draft(id, draft.rev, person, kept, OnConflict::Refuse) {
                Err(problem) if problem.code == ProblemCode::DraftChanged => {}
                done => return done.map(drop),
            }
        }
    }

    fn get_ask(&self, id: AskId) -> Result<Ask, Problem> {
        self.store.read(id)?.ok_or_else(|| not_found(&id.to_string()))
    }
}

impl Desk for LocalDesk {
    fn open(&self, key: Option<&str>, new: NewAsk) -> Result<OpenedAsk, Problem> {
        let to_open = OpenRequest::prepare(key, new)?;
        let ask = || {
            let BatchChange { target, key, decide } = to_open.change();
            self.store.change(target, key, ChangeOptions::default(), decide)
        };
        let mut done = ask()?;
        if !done.is_new && key.is_none() && !done.ask.is_live() {
            // Its deadline expired while it was found, so it has no answer: this is a new ask.
            done = ask()?;
        }
        Ok(into_opened_ask(done))
    }

    fn find_by_key(&self, who: &Asker, key: &str) -> Result<Option<AskId>, Problem> {
        self.store.find_by_key(&key_owner(&Actor::Asker(who.clone())), key)
    }

    fn act(&self, who: &Actor, id: AskId, key: Option<&str>, command: AskCommand) -> Result<Ask, Problem> {
        let late = LateSubmission::from_command(who, &command, clock::now()).map(Box::new);
        let result =
            self.apply_command(who, id, key, &command, ChangeOptions { late, ..ChangeOptions::default() });
        match (result, command) {
            (Ok(done), _) => Ok(done.ask),
            (Err(problem), command) => {
                // The next person on this ask, or on the same ask opened again, finds the typed text. The reported
                // problem is the refusal, even if saving the text fails.
                if let (Actor::Person(person), AskCommand::Submit { replies, .. }) = (who, command)
                    && problem.code != ProblemCode::AskNotFound
                {
                    let _ = self.save_refused_replies(person, id, replies);
                }
                if problem.code == ProblemCode::AskExpired {
                    let _ = self.apply_command(
                        &Actor::Desk,
                        id,
                        None,
                        &AskCommand::Tick,
                        ChangeOptions::default(),
                    );
                }
                Err(problem)
            }
        }
    }

    fn save_with(
        &self,
        who: &Person,
        id: AskId,
        base: DraftRev,
        replies: Vec<(QuestionId, Reply)>,
        over: OnConflict,
    ) -> Result<SaveReport, Problem> {
        let ask = self.get_ask(id)?;
        let sheet = Sheet::new(ask.request.questionnaire.clone(), replies.iter().cloned().collect());
        let mut problems = Vec::new();
        for (question, _) in &replies {
            let at = sheet.index_of(question).ok_or_else(|| unknown_question_problem(question))?;
            problems
                .extend(sheet.problems_at(at).into_iter().map(|problem| problem.at(answer_path(question))));
        }
        let (rev, overwritten) = self.store.save_draft(id, base, who, replies, over)?;
        Ok(SaveReport { rev, problems, overwritten })
    }

    fn draft(&self, id: AskId) -> Result<Draft, Problem> {
        let draft = self.store.draft(id)?;
        if draft.rev == DraftRev(0) {
            self.get_ask(id)?;
        }
        Ok(draft)
    }

    fn late_submissions(&self, id: AskId) -> Result<Vec<LateSubmission>, Problem> {
        let late = self.store.late_submissions(id)?;
        if late.is_empty() {
            self.get_ask(id)?;
        }
        Ok(late)
    }

    fn get(&self, id: AskId) -> Result<Ask, Problem> {
        let ask = self.get_ask(id)?;
        if ask.is_due(clock::now()) {
            return Ok(self
                .apply_command(&Actor::Desk, id, None, &AskCommand::Tick, ChangeOptions::default())?
                .ask);
        }
        Ok(ask)
    }

    fn find(&self, given: &str) -> Result<AskId, Problem> {
        self.find_in_scope(given, None)
    }

    fn list(&self, query: &AskQuery) -> Result<AskPage, Problem> {
        // A desk that cannot be written can still be read; asks past their deadline then show as open.
        let _ = self.store.adjust_for_clock_change().and_then(|()| self.store.run_due());
        let mut page = self.store.list(query)?;
        for row in &mut page.rows {
            row.attached = row.is_waiting(process::is_alive);
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
            let options =
                ChangeOptions { rendering: Some((form.to_owned(), body)), ..ChangeOptions::default() };
            let done =
                self.apply_command(&Actor::Asker(who.clone()), ask.id, None, &AskCommand::Offer, options)?;
            Ok(done.rendering.unwrap_or_default())
        };
        check_form_name(form)?;
        offer(ask, render, || self.store.rendering(ask.id, form), put)
    }

    fn ack(&self, who: &Asker, id: AskId) -> Result<(), Problem> {
        self.apply_command(&Actor::Asker(who.clone()), id, None, &AskCommand::Ack, ChangeOptions::default())
            .map(drop)
    }

    fn watch(&self, interest: Interest, since: Option<ChangeCursor>) -> Result<Box<dyn Watch>, Problem> {
        Ok(Box::new(LocalWatch::begin(self.store.clone(), interest, since)?))
    }
}

#[cfg(test)]
mod tests;
