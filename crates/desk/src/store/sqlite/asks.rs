//! Asks in a desk file: changes by decisions, lists, keys and quotas.

pub(crate) mod ask_rows;
pub(crate) mod audience_filter;
pub(crate) mod drafts;
pub(crate) mod keys;
pub(crate) mod late_submissions;
pub(crate) mod list;
pub(crate) mod renderings;
pub(crate) mod request_cache;
mod row_operations;
pub(crate) mod search;

use super::SqliteStore;
use super::error::map_ask_damage;
use super::integrity::salvage;
use super::upkeep::purge;
use super::writer::job::JobError;
use crate::query::{AskPage, AskQuery};
use crate::store::logic::account_quota;
use crate::store::logic::asks::ask_change;
use crate::store::logic::statements::{StatementStore as _, WriteNeeds};
use crate::store::{
    AskStore, AskTombstone, BatchChange, BatchResult, ChangeOptions, ChangeTarget, CommittedChange, DecideFn,
    IdScope, KeyUse,
};
use jiff::Timestamp;
use sayso_core::{Ask, AskId, LateSubmission, Problem, ProblemCode};

impl AskStore for SqliteStore {
    fn change(
        &self,
        target: ChangeTarget,
        key: Option<KeyUse>,
        options: ChangeOptions,
        mut decide: DecideFn,
    ) -> Result<CommittedChange, Problem> {
        let needs = if options.skip_sync { WriteNeeds::RELAXED } else { WriteNeeds::DURABLE };
        self.run_write(needs, move |tx| ask_change::change(tx, &target, key.as_ref(), &options, &mut decide))
    }

    fn change_all(&self, mut changes: Vec<BatchChange>) -> Result<BatchResult, Problem> {
        self.run_write(WriteNeeds::DURABLE, move |tx| ask_change::change_all(tx, &mut changes))
    }

    fn read(&self, id: AskId) -> Result<Option<Ask>, Problem> {
        let requests = self.writer.requests();
        let stored = self.read_few(|conn| ask_rows::read(conn, requests, id))?;
        stored.map(|stored| stored.into_ask(requests).map(|(_, ask)| ask)).transpose()
    }

    fn find_tombstone(&self, id: AskId) -> Result<Option<AskTombstone>, Problem> {
        self.read_few(|conn| purge::read_tombstone(conn, id))
    }

    fn late_submissions(&self, id: AskId) -> Result<Vec<LateSubmission>, Problem> {
        self.read_few(|conn| map_ask_damage(id, late_submissions::read_all(conn, id)))
    }

    fn rendering(&self, id: AskId, form: &str) -> Result<Option<Vec<u8>>, Problem> {
        self.read_few(|conn| map_ask_damage(id, renderings::read(conn, id, form)))
    }

    fn find_by_key(&self, owner: &str, key: &str) -> Result<Option<AskId>, Problem> {
        self.read_few(|conn| keys::find_by_key(conn, owner, key))
    }

    fn find(&self, given: &str, scope: IdScope<'_>) -> Result<Vec<AskId>, Problem> {
        self.read_many(|conn| list::find(conn, given, scope))
    }

    fn list(&self, query: &AskQuery, without_due: Option<Timestamp>) -> Result<AskPage, Problem> {
        match self.read_many(|conn| list::page(conn, query, without_due)) {
            Err(problem) if problem.code == ProblemCode::DeskDamaged => {
                self.read_many(|conn| Ok::<_, JobError>(salvage::read_page(conn, query)))
            }
            page => page,
        }
    }

    fn kept_bytes(&self) -> Result<u64, Problem> {
        self.read_few(account_quota::total_kept_bytes)
    }
}
