//! Local desk as a server uses it: several accounts, the change log, and upkeep.

use super::StoreDesk;
use super::key::{check_form_name, key_owner};
use super::opening::{OpenRequest, into_opened_ask};
use super::watch;
use crate::desk::OpenedAsk;
use crate::draft::OnConflict;
use crate::node_stats::NodeStats;
use crate::rate_use::RateUse;
use crate::server_desk::{CommitHook, RetentionPolicy, ServerDesk};
use crate::store::upkeep;
use crate::watch::{AskChange, ChangeCursor};
use sayso_core::{Actor, Ask, AskId, AskReader, NewAsk, Person, Problem, ProblemCode, Replies};
use std::sync::PoisonError;
use std::time::Duration;

impl ServerDesk for StoreDesk {
    fn open_all(&self, all: Vec<(String, NewAsk)>) -> Result<Vec<OpenedAsk>, Box<(usize, Problem)>> {
        let change = |(at, (key, new)): (usize, (String, NewAsk))| {
            OpenRequest::prepare(Some(&key), new)
                .map(|ask| ask.change())
                .map_err(|problem| Box::new((at, problem)))
        };
        let changes = all.into_iter().enumerate().map(change).collect::<Result<_, _>>()?;
        let done = self.store.change_all(changes).map_err(|problem| Box::new((0, problem)))??;
        Ok(done.into_iter().map(into_opened_ask).collect())
    }

    fn find_for(&self, reader: &AskReader, given: &str) -> Result<AskId, Problem> {
        self.find_in_scope(given, reader)
    }

    fn find_by_person_key(&self, person: &Person, key: &str) -> Result<Option<AskId>, Problem> {
        self.store.find_by_key(&key_owner(&Actor::Person(person.clone())), key)
    }

    fn rendering(&self, ask: &Ask, form: &str) -> Result<Option<Vec<u8>>, Problem> {
        check_form_name(form)?;
        self.store.rendering(ask.id, form)
    }

    fn save_refused_replies(&self, person: &Person, id: AskId, mut replies: Replies) -> Result<(), Problem> {
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

    fn resume_cursor(&self, since: Option<ChangeCursor>) -> Result<(ChangeCursor, bool), Problem> {
        watch::resume_cursor(&*self.store, since)
    }

    fn changes_after(&self, cursor: ChangeCursor, limit: usize) -> Result<Vec<AskChange>, Problem> {
        self.store.changes_after(cursor, limit)
    }

    fn add_commit_hook(&self, hook: CommitHook) {
        self.store.add_commit_hook(hook);
    }

    fn run_due(&self, limit: Duration) -> Result<bool, Problem> {
        self.store.adjust_for_clock_change()?;
        let _guard = self.due.lock().unwrap_or_else(PoisonError::into_inner);
        upkeep::run_due(&*self.store, limit)
    }

    fn run_maintenance(&self, retention: RetentionPolicy, limit: Duration) -> bool {
        upkeep::run(&*self.store, retention, limit)
    }

    fn release_space(&self) {
        self.store.release_space();
    }

    fn node_stats(&self) -> Option<NodeStats> {
        self.store.node_stats()
    }

    fn seal_key(&self) -> Result<Option<Vec<u8>>, Problem> {
        self.store.seal_key()
    }

    fn share_rates(&self, uses: &[RateUse]) -> Result<Vec<RateUse>, Problem> {
        self.store.share_rates(uses)
    }

    fn kept_bytes(&self) -> Result<u64, Problem> {
        self.store.kept_bytes()
    }
}
