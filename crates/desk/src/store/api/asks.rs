//! Asks of a store: changes by decisions, and reads.

use crate::draft::DraftRev;
use crate::query::{AskPage, AskQuery};
use jiff::Timestamp;
use sayso_core::model::ask_summary::AskStatus;
use sayso_core::{
    AccountQuota, Actor, Ask, AskCommand, AskId, AskReader, AskTransition, Audience, Digest, LateSubmission,
    Problem,
};
use serde_json::value::RawValue;
use std::sync::Arc;

/// Ask that a change is about.
pub(crate) enum ChangeTarget {
    /// New ask, unless one with the same key, or a live one with the same content, exists.
    Open {
        /// Digest that makes two requests the same: asker, dialect and questions. `None` if it is found by its key
        /// alone.
        content: Option<Digest>,
        /// Returns whether the asker may get this ask with the same content.
        is_reusable: Box<dyn Fn(&Ask) -> bool + Send>,
        /// Canonical questionnaire, written before the transaction begins.
        canonical: Arc<RawValue>,
        /// Account with the quota of its asks.
        quota: Option<(String, AccountQuota)>,
        /// Key shared with earlier asks whose drafts this one continues.
        draft_key: Option<Digest>,
    },
    /// Existing ask.
    Ask(AskId),
}

/// Use of an idempotency key.
#[derive(Debug, Clone)]
pub(crate) struct KeyUse {
    /// Owner of the key.
    pub(crate) owner: String,
    /// Key.
    pub(crate) key: String,
    /// Digest of the request. Every use of a key must have the same.
    pub(crate) request: Digest,
}

/// Options of a change, stored in its transaction.
#[derive(Debug, Clone, Default)]
pub(crate) struct ChangeOptions {
    /// Rendered outcome under the name of its form; stored unless one exists.
    pub(crate) rendering: Option<(String, Vec<u8>)>,
    /// Command of an actor, kept as a late submission if it turns out to be late.
    pub(crate) late: Option<Box<(Actor, AskCommand)>>,
    /// Revision of the draft that was shown: a newer one refuses the change.
    pub(crate) draft_rev: Option<DraftRev>,
    /// True if a power cut may undo the change, because no caller relies on it. A process crash may not.
    pub(crate) skip_sync: bool,
}

/// Scope of the lookup of a short id.
#[derive(Debug, Clone, Copy)]
pub(crate) struct IdScope<'a> {
    /// True if only open or submitted asks match.
    pub(crate) pending_only: bool,
    /// Reader whose asks match.
    pub(crate) reader: &'a AskReader,
}

/// Remains of a purged ask.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct AskTombstone {
    /// State in which it ended.
    pub(crate) state: AskStatus,
    /// Time of its end.
    pub(crate) at: Timestamp,
    /// Those who might see it.
    pub(crate) audience: Option<Audience>,
}

/// Result of a committed change.
#[derive(Debug, Clone)]
pub(crate) struct CommittedChange {
    /// Ask after the change.
    pub(crate) ask: Ask,
    /// True if the ask is new.
    pub(crate) is_new: bool,
    /// Stored rendering, if one was passed.
    pub(crate) rendering: Option<Vec<u8>>,
}

/// Change that commits with others or not at all.
pub(crate) struct BatchChange {
    pub(crate) target: ChangeTarget,
    pub(crate) key: Option<KeyUse>,
    pub(crate) decide: DecideFn,
}

/// Results of several changes, or the index and the problem of the first refused one: then none was made.
pub(crate) type BatchResult = Result<Vec<CommittedChange>, Box<(usize, Problem)>>;

/// Decision, run inside the transaction, on an existing ask or on none.
pub(crate) type DecideFn = Box<dyn FnMut(Option<&Ask>, Timestamp) -> Result<AskTransition, Problem> + Send>;

/// Asks of a store. Every method fails if the store cannot be read or written.
pub(crate) trait AskStore: Send + Sync {
    /// Runs a decision on an ask and stores the result, with the key and the options, in one transaction.
    fn change(
        &self,
        target: ChangeTarget,
        key: Option<KeyUse>,
        options: ChangeOptions,
        decide: DecideFn,
    ) -> Result<CommittedChange, Problem>;

    /// Applies all changes in one transaction, or none of them.
    fn change_all(&self, changes: Vec<BatchChange>) -> Result<BatchResult, Problem>;

    /// Returns an ask.
    fn read(&self, id: AskId) -> Result<Option<Ask>, Problem>;

    /// Returns the tombstone of a purged ask.
    fn find_tombstone(&self, id: AskId) -> Result<Option<AskTombstone>, Problem>;

    /// Finds the ask on which this owner used a key.
    fn find_by_key(&self, owner: &str, key: &str) -> Result<Option<AskId>, Problem>;

    /// Returns the late submissions, oldest first.
    fn late_submissions(&self, id: AskId) -> Result<Vec<LateSubmission>, Problem>;

    /// Returns the outcome as rendered in this form.
    fn rendering(&self, id: AskId, form: &str) -> Result<Option<Vec<u8>>, Problem>;

    /// Finds the asks that a full id, an id prefix or a handle prefix matches.
    fn find(&self, given: &str, scope: IdScope<'_>) -> Result<Vec<AskId>, Problem>;

    /// Returns one page of asks, without those that were due at `without_due` and are still pending.
    fn list(&self, query: &AskQuery, without_due: Option<Timestamp>) -> Result<AskPage, Problem>;

    /// Returns the bytes that the asks of all accounts take.
    fn kept_bytes(&self) -> Result<u64, Problem>;
}
