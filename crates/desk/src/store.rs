//! Store interface of a desk. SQLite is its only implementation for now.
//!
//! **Invariant:** a store has no rules of an ask's life. It runs the given decision inside the write transaction and
//! stores the result. The decision may run more than once; only the last run counts.

mod api;
pub mod maintenance;
pub(crate) mod sqlite;

pub use api::caller_count::CallerCount;
pub(crate) use api::sync_health::SyncHealth;

use crate::draft::{Draft, DraftRev, OnConflict};
use crate::query::{AskPage, AskQuery};
use crate::thread::{KeyedMessage, PendingTurn, Thread, ThreadRecord, ThreadWrite};
use crate::token::{NewToken, TokenRecord};
use crate::wakeup::Listener;
use crate::watch::{AskChange, ChangeCursor, Interest};
use jiff::Timestamp;
use sayso_core::actor::ProcessId;
use sayso_core::ask_summary::AskStatus;
use sayso_core::{
    AccountQuota, Ask, AskId, AskTransition, Digest, LateSubmission, Person, Problem, QuestionId, Reply,
};
use serde_json::value::RawValue;
use std::sync::Arc;
use std::time::Duration;

/// Ask that a change is about.
#[derive(Debug, Clone)]
pub(crate) enum ChangeTarget {
    /// New ask, unless one with the same key, or a live one with the same content, exists.
    Open {
        /// Digest that makes two requests the same: asker, dialect and questions.
        content: Digest,
        /// Asking process, if known.
        process: Option<ProcessId>,
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
    /// Submission to keep if it turns out to be late.
    pub(crate) late: Option<Box<LateSubmission>>,
    /// True if a power cut may undo the change, because no caller relies on it. A process crash may not.
    pub(crate) skip_sync: bool,
}

/// Scope of the lookup of a short id.
#[derive(Debug, Clone, Copy)]
pub(crate) struct IdScope<'a> {
    /// True if only open or submitted asks match.
    pub(crate) pending_only: bool,
    /// Account whose asks match; all if `None`.
    pub(crate) account: Option<&'a str>,
}

/// Remains of a purged ask.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct AskTombstone {
    /// State in which it ended.
    pub(crate) state: AskStatus,
    /// Time of its end.
    pub(crate) at: Timestamp,
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

/// Hook that runs after each commit of this process that changed something.
pub(crate) type CommitHook = Box<dyn Fn() + Send + Sync>;

/// Durable store, safe for several processes at once.
pub(crate) trait Store: Send + Sync {
    fn change(
        &self,
        target: ChangeTarget,
        key: Option<KeyUse>,
        options: ChangeOptions,
        decide: DecideFn,
    ) -> Result<CommittedChange, Problem>;
    /// Applies all changes in one transaction, or none of them.
    fn change_all(&self, changes: Vec<BatchChange>) -> Result<BatchResult, Problem>;
    fn save_draft(
        &self,
        id: AskId,
        base: DraftRev,
        by: &Person,
        replies: Vec<(QuestionId, Reply)>,
        on_conflict: OnConflict,
    ) -> Result<(DraftRev, Vec<QuestionId>), Problem>;
    fn read(&self, id: AskId) -> Result<Option<Ask>, Problem>;
    /// Returns the tombstone of a purged ask.
    fn find_tombstone(&self, id: AskId) -> Result<Option<AskTombstone>, Problem>;
    fn find_by_key(&self, owner: &str, key: &str) -> Result<Option<AskId>, Problem>;
    fn draft(&self, id: AskId) -> Result<Draft, Problem>;
    /// Returns the late submissions, oldest first.
    fn late_submissions(&self, id: AskId) -> Result<Vec<LateSubmission>, Problem>;
    fn rendering(&self, id: AskId, form: &str) -> Result<Option<Vec<u8>>, Problem>;
    fn find(&self, given: &str, scope: IdScope<'_>) -> Result<Vec<AskId>, Problem>;
    fn list(&self, query: &AskQuery) -> Result<AskPage, Problem>;
    /// Runs everything that is due, on every readable ask.
    fn run_due(&self) -> Result<(), Problem>;
    fn purge(&self, settled_before: Timestamp, drafts_before: Timestamp) -> Result<usize, Problem>;
    fn run_maintenance(&self, settled_before: Timestamp, drafts_before: Timestamp) -> Result<(), Problem>;
    /// Shrinks a large WAL if no one writes.
    fn shrink_wal(&self);
    /// Returns the bytes that the asks of all accounts take.
    fn kept_bytes(&self) -> Result<u64, Problem>;
    fn latest_cursor(&self) -> Result<ChangeCursor, Problem>;
    /// Returns whether every change after this cursor is still known.
    fn can_resume_from(&self, cursor: ChangeCursor) -> Result<bool, Problem>;
    fn changes_after(&self, cursor: ChangeCursor, limit: usize) -> Result<Vec<AskChange>, Problem>;
    /// Returns the changes of one ask after a cursor, and the cursor up to which they are complete.
    fn ask_changes_after(
        &self,
        id: AskId,
        cursor: ChangeCursor,
    ) -> Result<(Vec<AskChange>, ChangeCursor), Problem>;
    fn history(&self, id: AskId) -> Result<Vec<(Timestamp, Vec<sayso_core::lifecycle::AskEvent>)>, Problem>;
    fn add_token(&self, new: NewToken) -> Result<(), Problem>;
    fn tokens(&self) -> Result<Vec<TokenRecord>, Problem>;
    fn token(&self, id: &str) -> Result<Option<TokenRecord>, Problem>;
    fn revoke_token(&self, id: &str) -> Result<Option<TokenRecord>, Problem>;
    /// Returns the token with this hash that is valid at this time.
    fn find_valid_token(&self, hash: Digest, now: Timestamp) -> Result<Option<TokenRecord>, Problem>;
    /// Returns the number of the turn that the write is about, or 0.
    fn write_thread(&self, write: ThreadWrite) -> Result<i64, Problem>;
    fn thread(&self, id: &str) -> Result<Option<Thread>, Problem>;
    fn threads_owned_by(&self, owner: &str) -> Result<Vec<Thread>, Problem>;
    fn find_message_by_key(&self, thread: &str, key: &str) -> Result<Option<KeyedMessage>, Problem>;
    fn pending_turns(&self) -> Result<Vec<PendingTurn>, Problem>;
    fn thread_record(&self, thread: &str) -> Result<ThreadRecord, Problem>;
    fn message_count(&self, thread: &str) -> Result<u32, Problem>;
    /// Moves deadlines if the clock was set since the last write. Otherwise it writes nothing and hardly reads.
    fn adjust_for_clock_change(&self) -> Result<(), Problem>;
    /// Returns the state of the disk's sync confirmations.
    fn sync_health(&self) -> Arc<SyncHealth>;
    /// Checks that the file is still where others look for it.
    fn check_file_identity(&self) -> Result<(), Problem>;
    /// Registers a waiter. `None` if nothing can wake it here.
    fn listen(&self, interest: &Interest) -> Option<Box<dyn Listener>>;
    /// Sets the hook that runs after each commit of this process, on the committing thread. Only the first hook
    /// counts.
    fn set_commit_hook(&self, hook: CommitHook);
}

/// Poll interval of a waiter that nothing wakes: one poll costs a few microseconds.
pub(crate) const POLL_INTERVAL: Duration = Duration::from_millis(20);
