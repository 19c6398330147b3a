//! Store interface of a desk. SQLite is its only implementation for now.
//!
//! **Invariant:** a store has no rules of an ask's life. It runs the given decision inside the write transaction and
//! stores the result. The decision may run more than once; only the last run counts.

pub(crate) mod sqlite;
pub(crate) mod trust;

use crate::draft::{Draft, DraftRev, Over};
use crate::query::{Page, Query};
use crate::thread::{Keyed, Said, Thread, Turn, Write};
use crate::token::{NewToken, Token};
use crate::wakeup::Listener;
use crate::watch::{Changed, Cursor, Interest};
use jiff::Timestamp;
use sayso_core::row::Standing;
use sayso_core::who::Process;
use sayso_core::{AccountQuota, Ask, AskId, Change, Digest, Late, Person, Problem, QuestionId, Reply};
use serde_json::value::RawValue;
use std::sync::Arc;
use std::time::Duration;

/// Ask that a change is about.
#[derive(Debug, Clone)]
pub(crate) enum Target {
    /// New ask, unless one with the same key, or a live one with the same content, exists.
    Open {
        /// Digest that makes two requests the same: asker, dialect and questions.
        content: Digest,
        /// Asking process, if known.
        process: Option<Process>,
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
pub(crate) struct Beside {
    /// Rendered outcome under the name of its form; stored unless one exists.
    pub(crate) rendering: Option<(String, Vec<u8>)>,
    /// Submission to keep if it turns out to be late.
    pub(crate) late: Option<Box<Late>>,
    /// True if a power cut may undo the change, because no caller relies on it. A process crash may not.
    pub(crate) fleeting: bool,
}

/// Scope of the lookup of a short id.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Among<'a> {
    /// True if only open or submitted asks match.
    pub(crate) pending_only: bool,
    /// Account whose asks match; all if `None`.
    pub(crate) account: Option<&'a str>,
}

/// Remains of a purged ask.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Purged {
    /// State in which it ended.
    pub(crate) state: Standing,
    /// Time of its end.
    pub(crate) at: Timestamp,
}

/// Result of a committed change.
#[derive(Debug, Clone)]
pub(crate) struct Committed {
    /// Ask after the change.
    pub(crate) ask: Ask,
    /// True if the ask is new.
    pub(crate) is_new: bool,
    /// Stored rendering, if one was passed.
    pub(crate) rendering: Option<Vec<u8>>,
}

/// Change that commits with others or not at all.
pub(crate) struct Together {
    pub(crate) target: Target,
    pub(crate) key: Option<KeyUse>,
    pub(crate) decide: Decide,
}

/// Results of several changes, or the index and the problem of the first refused one: then none was made.
pub(crate) type AllOrNone = Result<Vec<Committed>, Box<(usize, Problem)>>;

/// Decision, run inside the transaction, on an existing ask or on none.
pub(crate) type Decide = Box<dyn FnMut(Option<&Ask>, Timestamp) -> Result<Change, Problem> + Send>;

/// Hook that runs after each commit of this process that changed something.
pub(crate) type Told = Box<dyn Fn() + Send + Sync>;

/// Durable store, safe for several processes at once.
pub(crate) trait Store: Send + Sync {
    fn change(
        &self,
        target: Target,
        key: Option<KeyUse>,
        beside: Beside,
        decide: Decide,
    ) -> Result<Committed, Problem>;
    /// Applies all changes in one transaction, or none of them.
    fn change_all(&self, changes: Vec<Together>) -> Result<AllOrNone, Problem>;
    fn save_draft(
        &self,
        id: AskId,
        base: DraftRev,
        by: &Person,
        replies: Vec<(QuestionId, Reply)>,
        over: Over,
    ) -> Result<(DraftRev, Vec<QuestionId>), Problem>;
    fn read(&self, id: AskId) -> Result<Option<Ask>, Problem>;
    /// Returns the tombstone of a purged ask.
    fn purged(&self, id: AskId) -> Result<Option<Purged>, Problem>;
    fn keyed(&self, owner: &str, key: &str) -> Result<Option<AskId>, Problem>;
    fn draft(&self, id: AskId) -> Result<Draft, Problem>;
    /// Returns the late submissions, oldest first.
    fn late(&self, id: AskId) -> Result<Vec<Late>, Problem>;
    fn rendering(&self, id: AskId, form: &str) -> Result<Option<Vec<u8>>, Problem>;
    fn find(&self, given: &str, among: Among<'_>) -> Result<Vec<AskId>, Problem>;
    fn list(&self, query: &Query) -> Result<Page, Problem>;
    /// Runs everything that is due, on every readable ask.
    fn pass_time(&self) -> Result<(), Problem>;
    fn purge(&self, settled_before: Timestamp, drafts_before: Timestamp) -> Result<usize, Problem>;
    fn tidy_up(&self, settled_before: Timestamp, drafts_before: Timestamp) -> Result<(), Problem>;
    /// Shrinks a large WAL if no one writes.
    fn shrink_log(&self);
    /// Returns the bytes that the asks of all accounts take.
    fn kept_bytes(&self) -> Result<u64, Problem>;
    fn last_change(&self) -> Result<Cursor, Problem>;
    /// Returns whether every change after this cursor is still known.
    fn goes_on_from(&self, cursor: Cursor) -> Result<bool, Problem>;
    fn changes_after(&self, cursor: Cursor, most: usize) -> Result<Vec<Changed>, Problem>;
    /// Returns the changes of one ask after a cursor, and the cursor up to which they are complete.
    fn changes_of_after(&self, id: AskId, cursor: Cursor) -> Result<(Vec<Changed>, Cursor), Problem>;
    fn log_of(&self, id: AskId) -> Result<Vec<(Timestamp, Vec<sayso_core::lifecycle::Event>)>, Problem>;
    fn add_token(&self, new: NewToken) -> Result<(), Problem>;
    fn tokens(&self) -> Result<Vec<Token>, Problem>;
    fn token(&self, id: &str) -> Result<Option<Token>, Problem>;
    fn revoke_token(&self, id: &str) -> Result<Option<Token>, Problem>;
    /// Returns the token with this hash that is valid at this time.
    fn token_of(&self, hash: Digest, now: Timestamp) -> Result<Option<Token>, Problem>;
    /// Returns the number of the turn that the write is about, or 0.
    fn write_thread(&self, write: Write) -> Result<i64, Problem>;
    fn thread(&self, id: &str) -> Result<Option<Thread>, Problem>;
    fn threads_of(&self, owner: &str) -> Result<Vec<Thread>, Problem>;
    fn message_keyed(&self, thread: &str, key: &str) -> Result<Option<Keyed>, Problem>;
    fn pending_turns(&self) -> Result<Vec<Turn>, Problem>;
    fn said_in(&self, thread: &str) -> Result<Vec<Said>, Problem>;
    fn said_count(&self, thread: &str) -> Result<u32, Problem>;
    /// Moves deadlines if the clock was set since the last write. Otherwise it writes nothing and hardly reads.
    fn keep_time(&self) -> Result<(), Problem>;
    /// Returns the state of the disk's sync confirmations.
    fn trust(&self) -> Arc<trust::Trust>;
    /// Checks that the file is still where others look for it.
    fn must_be_there(&self) -> Result<(), Problem>;
    /// Registers a waiter. `None` if nothing can wake it here.
    fn listen(&self, interest: &Interest) -> Option<Box<dyn Listener>>;
    /// Sets the hook that runs after each commit of this process, on the committing thread. Only the first hook
    /// counts.
    fn tell(&self, told: Told);
}

/// Poll interval of a waiter that nothing wakes: one poll costs a few microseconds.
pub(crate) const POLL_INTERVAL: Duration = Duration::from_millis(20);
