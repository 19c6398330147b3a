//! What a desk needs of a store. One implementation for now, over SQLite.
//!
//! **Invariant:** no rule of an ask's life is in a store: it runs the decision it is given inside the write
//! transaction and stores what came of it. The decision may run more than once; only the last one counts.

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

/// Which ask a change is about.
#[derive(Debug, Clone)]
pub(crate) enum Target {
    /// A new one, or else the one that was asked with the same key, or that is alive with the same content.
    Open {
        /// What makes two requests the same: the asker, the dialect, the questions.
        content: Digest,
        /// The process that asks, where it is known.
        process: Option<Process>,
        /// The questionnaire in its canonical form, made before the transaction begins.
        canonical: Arc<RawValue>,
        /// What the asks of which account may take.
        quota: Option<(String, AccountQuota)>,
        /// What it has in common with earlier asks whose drafts it goes on with.
        draft_key: Option<Digest>,
    },
    /// One that is there.
    Ask(AskId),
}

/// An idempotency key as it is used now.
#[derive(Debug, Clone)]
pub(crate) struct KeyUse {
    /// Whose key it is.
    pub(crate) owner: String,
    /// The key.
    pub(crate) key: String,
    /// What it is used for: another use of the same key must have the same.
    pub(crate) request: Digest,
}

/// What else goes into the transaction of a change.
#[derive(Debug, Clone, Default)]
pub(crate) struct Beside {
    /// An outcome as rendered, under the name of its form: stored unless there is one already.
    pub(crate) rendering: Option<(String, Vec<u8>)>,
    /// What is kept where it turns out that it came too late.
    pub(crate) late: Option<Box<Late>>,
    /// A power cut may undo it: nobody was promised that it lasts. The end of a process does not.
    pub(crate) fleeting: bool,
}

/// Among which asks a short id is looked for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Among<'a> {
    /// Only those that are open or submitted.
    pub(crate) pending_only: bool,
    /// Only those of this account.
    pub(crate) account: Option<&'a str>,
}

/// What is left of an ask that was taken away.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Purged {
    /// The state in which it ended.
    pub(crate) state: Standing,
    /// When.
    pub(crate) at: Timestamp,
}

/// What a change led to.
#[derive(Debug, Clone)]
pub(crate) struct Committed {
    /// The ask after it.
    pub(crate) ask: Ask,
    /// Whether it is new.
    pub(crate) is_new: bool,
    /// The rendering that is stored, where one was given.
    pub(crate) rendering: Option<Vec<u8>>,
}

/// A change that is made with others or not at all.
pub(crate) struct Together {
    pub(crate) target: Target,
    pub(crate) key: Option<KeyUse>,
    pub(crate) decide: Decide,
}

/// What several changes led to; or which of them was refused, by its place, and why: then none was made.
pub(crate) type AllOrNone = Result<Vec<Committed>, Box<(usize, Problem)>>;

/// Decides, inside the transaction, what happens to the ask that is there or to none.
pub(crate) type Decide = Box<dyn FnMut(Option<&Ask>, Timestamp) -> Result<Change, Problem> + Send>;

/// What is done after each commit of this process that changed something.
pub(crate) type Told = Box<dyn Fn() + Send + Sync>;

/// Durable, and safe to use from several processes at once.
pub(crate) trait Store: Send + Sync {
    fn change(
        &self,
        target: Target,
        key: Option<KeyUse>,
        beside: Beside,
        decide: Decide,
    ) -> Result<Committed, Problem>;
    /// Makes all of the changes in one transaction, or none of them.
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
    /// How it ended, of an ask that is old and was taken away.
    fn purged(&self, id: AskId) -> Result<Option<Purged>, Problem>;
    fn keyed(&self, owner: &str, key: &str) -> Result<Option<AskId>, Problem>;
    fn draft(&self, id: AskId) -> Result<Draft, Problem>;
    /// What came too late, in its order.
    fn late(&self, id: AskId) -> Result<Vec<Late>, Problem>;
    fn rendering(&self, id: AskId, form: &str) -> Result<Option<Vec<u8>>, Problem>;
    fn find(&self, given: &str, among: Among<'_>) -> Result<Vec<AskId>, Problem>;
    fn list(&self, query: &Query) -> Result<Page, Problem>;
    /// Lets happen what is due, on any ask that can be read.
    fn pass_time(&self) -> Result<(), Problem>;
    fn purge(&self, settled_before: Timestamp, drafts_before: Timestamp) -> Result<usize, Problem>;
    fn tidy_up(&self, settled_before: Timestamp, drafts_before: Timestamp) -> Result<(), Problem>;
    /// Makes its log small again where that has become large and nobody writes.
    fn shrink_log(&self);
    /// The bytes that the asks of all accounts take.
    fn kept_bytes(&self) -> Result<u64, Problem>;
    fn last_change(&self) -> Result<Cursor, Problem>;
    /// Whether everything that happened after this place is still known.
    fn goes_on_from(&self, cursor: Cursor) -> Result<bool, Problem>;
    fn changes_after(&self, cursor: Cursor, most: usize) -> Result<Vec<Changed>, Problem>;
    /// What happened to one ask after this place, and the place up to which that is all.
    fn changes_of_after(&self, id: AskId, cursor: Cursor) -> Result<(Vec<Changed>, Cursor), Problem>;
    fn log_of(&self, id: AskId) -> Result<Vec<(Timestamp, Vec<sayso_core::lifecycle::Event>)>, Problem>;
    fn add_token(&self, new: NewToken) -> Result<(), Problem>;
    fn tokens(&self) -> Result<Vec<Token>, Problem>;
    fn token(&self, id: &str) -> Result<Option<Token>, Problem>;
    fn revoke_token(&self, id: &str) -> Result<Option<Token>, Problem>;
    /// The token with this hash that is valid at this time.
    fn token_of(&self, hash: Digest, now: Timestamp) -> Result<Option<Token>, Problem>;
    /// The number of the turn that it is about, where it is about one.
    fn write_thread(&self, write: Write) -> Result<i64, Problem>;
    fn thread(&self, id: &str) -> Result<Option<Thread>, Problem>;
    fn threads_of(&self, owner: &str) -> Result<Vec<Thread>, Problem>;
    fn message_keyed(&self, thread: &str, key: &str) -> Result<Option<Keyed>, Problem>;
    fn pending_turns(&self) -> Result<Vec<Turn>, Problem>;
    fn said_in(&self, thread: &str) -> Result<Vec<Said>, Problem>;
    fn said_count(&self, thread: &str) -> Result<u32, Problem>;
    /// Moves what is due where the clock was set since anybody wrote. Otherwise it writes nothing, and hardly looks.
    fn keep_time(&self) -> Result<(), Problem>;
    /// Whether the disk confirms what is written.
    fn trust(&self) -> Arc<trust::Trust>;
    /// Whether it is still where others look for it.
    fn must_be_there(&self) -> Result<(), Problem>;
    /// Registers a waiter. `None` if nothing can wake it here.
    fn listen(&self, interest: &Interest) -> Option<Box<dyn Listener>>;
    /// Has this done after each commit of this process, on the thread that committed. The first who wants it has it.
    fn tell(&self, told: Told);
}

/// The interval at which a waiter polls that nothing wakes: a look costs a few microseconds.
pub(crate) const POLL_INTERVAL: Duration = Duration::from_millis(20);
