//! Asks in a database: their rows, for the rules.

pub(crate) mod ask_rows;
pub(crate) mod ask_sql;
mod drafts;
mod keys;
mod list;
mod row_operations;

use super::PostgresStore;
use super::change_log;
use super::connection::{Query as _, Session};
use super::error::WriteError;
use crate::draft::Draft;
use crate::query::{AskPage, AskQuery};
use crate::store::logic::asks::ask_store::{AskReads, AskRowStore};
use crate::store::logic::asks::list::{ListStatement, read_row};
use crate::store::logic::statements::StoreReader as _;
use crate::watch::ChangeCursor;
use jiff::Timestamp;
use sayso_core::wire::json;
use sayso_core::{Ask, AskId, AskSummary, LateSubmission, Problem};

/// The server checks what it stores, so no row has a checksum.
impl AskReads for Session<'_> {
    fn find_summaries(&self, list: &ListStatement<'_>) -> Result<Vec<(i64, AskSummary)>, WriteError> {
        let mut summaries = Vec::with_capacity(list.limit);
        for row in list::find_rows(self, list)? {
            summaries.push(read_row(&row)?);
        }
        Ok(summaries)
    }

    fn read_draft(&self, id: AskId) -> Result<Draft, WriteError> {
        Ok(drafts::read(self, id)?)
    }

    fn read_late(&self, id: AskId) -> Result<Vec<LateSubmission>, WriteError> {
        let sql = "SELECT body FROM late JOIN ask ON ask.seq = late.seq WHERE id = $1 ORDER BY n";
        let mut submissions = Vec::new();
        for row in self.query(sql, &[id.into()])? {
            let body: String = row.get(0)?;
            if let Ok(submission) = json::read_own(&body) {
                submissions.push(submission);
            }
        }
        Ok(submissions)
    }

    fn read_rendering(&self, id: AskId, form: &str) -> Result<Option<Vec<u8>>, WriteError> {
        let sql =
            "SELECT body FROM rendering JOIN ask ON ask.seq = rendering.seq WHERE id = $1 AND form = $2";
        match self.row(sql, &[&id.as_bytes().as_slice(), &form])? {
            Some(row) => Ok(Some(row.try_get(0)?)),
            None => Ok(None),
        }
    }

    fn find_key(&self, owner: &str, key: &str) -> Result<Option<AskId>, WriteError> {
        Ok(keys::find_row(self, owner, key)?.map(|((_, id), _)| id))
    }

    fn read_log_head(&self) -> Result<(ChangeCursor, i64), WriteError> {
        Ok(change_log::read_head(self)?)
    }

    fn is_sound_change(_: AskId, _: Timestamp, _: &str, _: Option<i64>) -> bool {
        true
    }
}

impl AskRowStore for PostgresStore {
    fn read_ask(&self, id: AskId) -> Result<Option<Ask>, Problem> {
        // The connection is free again while the text is parsed.
        match self.read(|session| ask_rows::read(session, id))? {
            Some(stored) => Ok(Some(stored.into_ask()?.1)),
            None => Ok(None),
        }
    }

    fn read_page_despite(&self, damage: Problem, _: &AskQuery) -> Result<AskPage, Problem> {
        Err(damage)
    }
}
