//! Asks and drafts of a store that runs statements.

use super::list::{self, ListStatement};
use super::{ask_change, drafts, read_audience};
use crate::draft::{Draft, DraftRev, OnConflict};
use crate::query::{AskPage, AskQuery};
use crate::store::api::{
    AskStore, AskTombstone, BatchChange, BatchResult, ChangeOptions, ChangeTarget, CommittedChange, DecideFn,
    DraftStore, IdScope, KeyUse,
};
use crate::store::logic::account_quota;
use crate::store::logic::statements::{StatementStore, StoreReader, WriteNeeds};
use crate::watch::ChangeCursor;
use jiff::Timestamp;
use sayso_core::model::ask_summary::AskStatus;
use sayso_core::{Ask, AskId, AskSummary, LateSubmission, Person, Problem, ProblemCode, QuestionId, Reply};

/// Reads of asks that the databases do in ways of their own.
pub(crate) trait AskReads: StoreReader {
    /// Finds the rows of a list, with their numbers. Damaged ones are marked as such.
    fn find_summaries(&self, list: &ListStatement<'_>) -> Result<Vec<(i64, AskSummary)>, Self::Error>;

    /// Reads the draft of an ask; an empty one if there is no such ask.
    fn read_draft(&self, id: AskId) -> Result<Draft, Self::Error>;

    /// Reads the late submissions of an ask, oldest first.
    fn read_late(&self, id: AskId) -> Result<Vec<LateSubmission>, Self::Error>;

    /// Reads the outcome of an ask as rendered in this form.
    fn read_rendering(&self, id: AskId, form: &str) -> Result<Option<Vec<u8>>, Self::Error>;

    /// Finds the ask on which this owner used a key.
    fn find_key(&self, owner: &str, key: &str) -> Result<Option<AskId>, Self::Error>;

    /// Reads the cursor after the last change, and the number of the last change that was deleted.
    fn read_log_head(&self) -> Result<(ChangeCursor, i64), Self::Error>;

    /// Returns whether an entry of the change log has the checksum that was stored with it.
    fn is_sound_change(id: AskId, at: Timestamp, events: &str, sum: Option<i64>) -> bool;
}

/// Store of the rows of asks.
pub(crate) trait AskRowStore: StatementStore {
    /// Reads an ask.
    ///
    /// # Errors
    /// If it is damaged, or the store cannot be read.
    fn read_ask(&self, id: AskId) -> Result<Option<Ask>, Problem>;

    /// Reads a page of a store of which a list found this damage.
    ///
    /// # Errors
    /// If it cannot be read in another way.
    fn read_page_despite(&self, damage: Problem, query: &AskQuery) -> Result<AskPage, Problem>;
}

impl<S: AskRowStore> AskStore for S {
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
        self.read_ask(id)
    }

    fn find_tombstone(&self, id: AskId) -> Result<Option<AskTombstone>, Problem> {
        self.run_read(|reader| find_tombstone(reader, id))
    }

    fn find_by_key(&self, owner: &str, key: &str) -> Result<Option<AskId>, Problem> {
        self.run_read(|reader| reader.find_key(owner, key))
    }

    fn late_submissions(&self, id: AskId) -> Result<Vec<LateSubmission>, Problem> {
        self.run_read(|reader| reader.read_late(id))
    }

    fn rendering(&self, id: AskId, form: &str) -> Result<Option<Vec<u8>>, Problem> {
        self.run_read(|reader| reader.read_rendering(id, form))
    }

    fn find(&self, text: &str, scope: IdScope<'_>) -> Result<Vec<AskId>, Problem> {
        self.run_scan(|reader| list::find(reader, text, scope))
    }

    fn list(&self, query: &AskQuery, without_due: Option<Timestamp>) -> Result<AskPage, Problem> {
        match self.run_scan(|reader| list::page(reader, query, without_due)) {
            Err(damage) if damage.code == ProblemCode::DeskDamaged => self.read_page_despite(damage, query),
            page => page,
        }
    }

    fn kept_bytes(&self) -> Result<u64, Problem> {
        self.run_read(|reader| account_quota::total_kept_bytes(reader))
    }
}

impl<S: AskRowStore> DraftStore for S {
    fn save_draft(
        &self,
        id: AskId,
        base: DraftRev,
        by: &Person,
        replies: Vec<(QuestionId, Reply)>,
        on_conflict: OnConflict,
    ) -> Result<(DraftRev, Vec<QuestionId>), Problem> {
        let by = by.clone();
        self.run_write(WriteNeeds::DURABLE, move |tx| {
            drafts::save(tx, id, (base, on_conflict), &by, &replies)
        })
    }

    fn draft(&self, id: AskId) -> Result<Draft, Problem> {
        self.run_read(|reader| reader.read_draft(id))
    }
}

/// Reads the tombstone of a purged ask.
fn find_tombstone<R: StoreReader>(reader: &R, id: AskId) -> Result<Option<AskTombstone>, R::Error> {
    let sql = "SELECT outcome, settled_at, audience FROM tombstone WHERE id = $1";
    let Some(row) = reader.query_one(sql, &[id.into()])? else { return Ok(None) };
    let state: String = row.get(0)?;
    let Some(state) = AskStatus::parse(&state) else { return Ok(None) };
    Ok(Some(AskTombstone { state, at: row.get(1)?, audience: read_audience(&row, 2)? }))
}
