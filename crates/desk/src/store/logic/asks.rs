//! Asks: changes by decisions, drafts, keys, quotas, deadlines, lists, and the early pruning of cancelled asks.

pub(crate) mod ask_change;
pub(crate) mod ask_sql;
pub(crate) mod ask_store;
pub(crate) mod cancelled_asks;
pub(crate) mod deadlines;
pub(crate) mod drafts;
mod keys;
mod late_submissions;
pub(crate) mod list;

use crate::draft::Draft;
use crate::store::api::{ChangeTarget, KeyUse};
use crate::store::logic::statements::StoreTransaction;
use crate::store::row_value::{RowValue, StoredRow, UnreadableColumn};
use drafts::DraftReply;
use jiff::Timestamp;
use sayso_core::i18n::own;
use sayso_core::lifecycle::AskEvent;
use sayso_core::wire::json;
use sayso_core::{Ask, AskId, AskTransition, Audience, Digest, Message, Problem, ProblemCode, Questionnaire};
use std::sync::Arc;

/// Row number and id of an ask.
pub(crate) type AskKey = (i64, AskId);

/// Id shown for an ask whose id itself is damaged.
pub(crate) const UNKNOWN_ID: AskId = AskId::new(uuid::Uuid::nil());

/// Returns the problem of an ask of which something stored differs from what was written.
pub(crate) fn ask_damaged(id: AskId) -> Problem {
    Problem::new(ProblemCode::AskDamaged, Message::AskDamaged.with([own(id.short_id())]))
        .with_hint(Message::RowDamagedHint)
}

/// Reads the column of an audience. One that cannot be read is that of no one.
pub(super) fn read_audience(row: &StoredRow, column: usize) -> Result<Option<Audience>, UnreadableColumn> {
    let text: Option<String> = row.get(column)?;
    Ok(text.map(|text| json::read_own(&text).unwrap_or_default()))
}

/// Cancelled ask that no person saw.
pub(crate) struct PrunableAsk {
    pub(crate) seq: i64,
    pub(crate) id: AskId,
    pub(crate) title: String,
    /// Text of its request.
    pub(crate) body: String,
    /// True if it has a person's text, or its request cannot be read.
    pub(crate) must_stay: bool,
}

/// Rows of asks that the databases store or find in ways of their own. An error is one of the database, or damage.
pub(crate) trait AskRows: StoreTransaction {
    /// Point to which a transaction can be undone.
    type Savepoint;

    /// Returns the problem of a refused change.
    ///
    /// # Errors
    /// If it is an error of the database, which aborts the transaction.
    fn to_refusal(error: Self::Error) -> Result<Problem, Self::Error>;

    /// Sets a savepoint.
    fn set_savepoint(&self) -> Result<Self::Savepoint, Self::Error>;

    /// Undoes all writes after the savepoint, which ends.
    fn undo_to_savepoint(&self, savepoint: Self::Savepoint) -> Result<(), Self::Error>;

    /// Keeps all writes after the savepoint, which ends.
    fn release_savepoint(&self, savepoint: Self::Savepoint) -> Result<(), Self::Error>;

    /// Checks that there is space for a new ask.
    fn check_space(&self) -> Result<(), Self::Error>;

    /// Counts the asks that are open or submitted.
    fn count_pending(&self) -> Result<i64, Self::Error>;

    /// Reads an ask, with its row number.
    fn read_ask(&self, id: AskId) -> Result<Option<(i64, Ask)>, Self::Error>;

    /// Reads the ask in this row.
    fn read_ask_at(&self, seq: i64) -> Result<Option<(i64, Ask)>, Self::Error>;

    /// Reads the questionnaire of an ask.
    fn read_questionnaire(&self, id: AskId) -> Result<Option<Arc<Questionnaire>>, Self::Error>;

    /// Finds the newest ask with this content that the same request leads to.
    fn find_content(
        &self,
        content: &Digest,
        is_reusable: &dyn Fn(&Ask) -> bool,
    ) -> Result<Option<(i64, Ask)>, Self::Error>;

    /// Reads asks whose deadlines come up to a time, the earliest first; `None` for each that is damaged.
    fn read_due(
        &self,
        until: Timestamp,
        most: usize,
        pass_over: usize,
    ) -> Result<Vec<Option<(i64, Ask)>>, Self::Error>;

    /// Stores a new ask, and returns its row number.
    fn insert_ask(&self, target: &ChangeTarget, change: &AskTransition) -> Result<i64, Self::Error>;

    /// Stores the state of an ask after a change.
    fn update_ask(&self, before: (i64, &Ask), change: &AskTransition) -> Result<(), Self::Error>;

    /// Appends events to the change log.
    fn append_change(&self, ask: AskKey, events: &[AskEvent]) -> Result<(), Self::Error>;

    /// Finds the ask on which a key was used, with the digest of its request.
    fn find_key(&self, key: &KeyUse) -> Result<Option<(AskKey, Vec<u8>)>, Self::Error>;

    /// Stores the use of a key on an ask.
    fn insert_key(&self, key: &KeyUse, ask: AskKey) -> Result<(), Self::Error>;

    /// Reads the outcome of an ask as rendered in this form.
    fn read_rendering(&self, ask: AskKey, form: &str) -> Result<Option<Vec<u8>>, Self::Error>;

    /// Stores a rendering.
    fn insert_rendering(&self, ask: AskKey, form: &str, body: &[u8]) -> Result<(), Self::Error>;

    /// Stores a late submission.
    fn insert_late(&self, ask: AskKey, body: &str) -> Result<(), Self::Error>;

    /// Reads the draft of an ask; `None` if it is damaged.
    fn read_sound_draft(&self, id: AskId) -> Result<Option<Draft>, Self::Error>;

    /// Finds ended asks with this draft key, the newest first, and whether each was answered. One that was not has a
    /// draft.
    fn find_left_drafts(&self, key: &Digest, most: i64) -> Result<Vec<(AskKey, bool)>, Self::Error>;

    /// Stores a reply in place of an earlier one.
    fn put_reply(&self, ask: AskKey, reply: &DraftReply<'_>) -> Result<(), Self::Error>;

    /// Completes a change of the progress of a draft.
    fn seal_progress(&self, id: AskId) -> Result<(), Self::Error>;

    /// Reads the [`UNSEEN`](ask_sql::AskSql::UNSEEN) asks that meet a condition.
    fn read_prunable(&self, condition: &str, values: &[RowValue]) -> Result<Vec<PrunableAsk>, Self::Error>;

    /// Replaces the request of an ask by one without questions, by whose words it is not found.
    fn replace_request(&self, ask: AskKey, body: &str) -> Result<(), Self::Error>;
}
