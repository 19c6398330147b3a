//! Asks in a desk file: their rows, for the rules.

pub(crate) mod ask_rows;
pub(crate) mod ask_sql;
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
use super::change_log;
use super::error::map_ask_damage;
use super::integrity::{checksum, salvage};
use super::writer::job::JobError;
use crate::draft::Draft;
use crate::query::{AskPage, AskQuery};
use crate::store::logic::asks::ask_store::{AskReads, AskRowStore};
use crate::store::logic::asks::list::ListStatement;
use crate::watch::ChangeCursor;
use jiff::Timestamp;
use rusqlite::Connection;
use sayso_core::{Ask, AskId, AskSummary, LateSubmission, Problem};

impl AskReads for Connection {
    fn find_summaries(&self, list: &ListStatement<'_>) -> Result<Vec<(i64, AskSummary)>, JobError> {
        Ok(list::find_rows(self, list)?)
    }

    fn read_draft(&self, id: AskId) -> Result<Draft, JobError> {
        Ok(map_ask_damage(id, drafts::read(self, id))?)
    }

    fn read_late(&self, id: AskId) -> Result<Vec<LateSubmission>, JobError> {
        Ok(map_ask_damage(id, late_submissions::read_all(self, id))?)
    }

    fn read_rendering(&self, id: AskId, form: &str) -> Result<Option<Vec<u8>>, JobError> {
        Ok(map_ask_damage(id, renderings::read(self, id, form))?)
    }

    fn find_key(&self, owner: &str, key: &str) -> Result<Option<AskId>, JobError> {
        Ok(keys::find_row(self, owner, key)?.map(|((_, id), _)| id))
    }

    fn read_log_head(&self) -> Result<(ChangeCursor, i64), JobError> {
        Ok(change_log::read_head(self)?)
    }

    fn is_sound_change(id: AskId, at: Timestamp, events: &str, sum: Option<i64>) -> bool {
        checksum::matches_stored(sum, checksum::change_sum(id, at.as_microsecond(), events))
    }
}

impl AskRowStore for SqliteStore {
    fn read_ask(&self, id: AskId) -> Result<Option<Ask>, Problem> {
        // The connection is free again while the text is parsed.
        let requests = self.writer.requests();
        match self.read_few(|conn| ask_rows::read(conn, requests, id))? {
            Some(stored) => Ok(Some(stored.into_ask(requests)?.1)),
            None => Ok(None),
        }
    }

    /// Reads ask by ask, so that an unreadable page hides no other ask.
    fn read_page_despite(&self, _: Problem, query: &AskQuery) -> Result<AskPage, Problem> {
        self.read_many(|conn| Ok::<_, JobError>(salvage::read_page(conn, query)))
    }
}
