//! Asks in a database: changes by decisions, lists, keys and quotas.

pub(crate) mod ask_rows;
mod drafts;
pub(crate) mod keys;
pub(crate) mod late_submissions;
pub(crate) mod list;
mod row_operations;

use super::PostgresStore;
use super::connection::Query as _;
use crate::query::{AskPage, AskQuery};
use crate::store::logic::account_quota;
use crate::store::logic::asks::ask_change;
use crate::store::logic::statements::StatementStore as _;
use crate::store::stored_time::to_timestamp;
use crate::store::{
    AskStore, AskTombstone, BatchChange, BatchResult, ChangeOptions, ChangeTarget, CommittedChange, DecideFn,
    IdScope, KeyUse,
};
use jiff::Timestamp;
use sayso_core::model::ask_summary::AskStatus;
use sayso_core::{Ask, AskId, LateSubmission, Problem};

impl AskStore for PostgresStore {
    fn change(
        &self,
        target: ChangeTarget,
        key: Option<KeyUse>,
        options: ChangeOptions,
        mut decide: DecideFn,
    ) -> Result<CommittedChange, Problem> {
        self.writer.run(move |tx| ask_change::change(tx, &target, key.as_ref(), &options, &mut decide))
    }

    fn change_all(&self, mut changes: Vec<BatchChange>) -> Result<BatchResult, Problem> {
        self.writer.run(move |tx| ask_change::change_all(tx, &mut changes))
    }

    fn read(&self, id: AskId) -> Result<Option<Ask>, Problem> {
        let found = self.read(|session| ask_rows::read(session, id))?;
        found.map(|stored| stored.into_ask().map(|(_, ask)| ask)).transpose()
    }

    fn find_tombstone(&self, id: AskId) -> Result<Option<AskTombstone>, Problem> {
        let sql = "SELECT outcome, settled_at, audience FROM tombstone WHERE id = $1";
        self.read(|session| {
            let Some(row) = session.row(sql, &[&id.as_bytes().as_slice()])? else { return Ok(None) };
            let (at, audience) = (to_timestamp(row.try_get(1)?), ask_rows::read_audience(&row, 2)?);
            Ok(AskStatus::parse(row.try_get(0)?).map(|state| AskTombstone { state, at, audience }))
        })
    }

    fn late_submissions(&self, id: AskId) -> Result<Vec<LateSubmission>, Problem> {
        self.read(|session| late_submissions::read_all(session, id))
    }

    fn rendering(&self, id: AskId, form: &str) -> Result<Option<Vec<u8>>, Problem> {
        let sql =
            "SELECT body FROM rendering JOIN ask ON ask.seq = rendering.seq WHERE id = $1 AND form = $2";
        self.read(|session| {
            session.row(sql, &[&id.as_bytes().as_slice(), &form])?.map(|row| row.try_get(0)).transpose()
        })
    }

    fn find_by_key(&self, owner: &str, key: &str) -> Result<Option<AskId>, Problem> {
        self.read(|session| Ok(keys::find_row(session, owner, key)?.map(|((_, id), _)| id)))
    }

    fn find(&self, given: &str, scope: IdScope<'_>) -> Result<Vec<AskId>, Problem> {
        self.read(|session| list::find(session, given, scope))
    }

    fn list(&self, query: &AskQuery, without_due: Option<Timestamp>) -> Result<AskPage, Problem> {
        self.read(|session| list::page(session, query, without_due))
    }

    fn kept_bytes(&self) -> Result<u64, Problem> {
        self.run_read(|session| account_quota::total_kept_bytes(session))
    }
}
