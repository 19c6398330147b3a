//! Desk interface that a server of many callers uses.

use crate::browser_session::BrowserSessionDesk;
use crate::desk::{Desk, OpenedAsk};
use crate::group::GroupDesk;
use crate::node_stats::NodeStats;
use crate::rate_use::RateUse;
use crate::service_session::ServiceSessionDesk;
use crate::thread::ThreadDesk;
use crate::token::TokenDesk;
use crate::watch::{AskChange, ChangeCursor};
use sayso_core::{Ask, AskId, AskReader, NewAsk, Person, Problem, Replies};
use std::sync::Arc;
use std::time::Duration;

/// Hook that runs after each commit of this process that changed something.
pub type CommitHook = Arc<dyn Fn() + Send + Sync>;

/// Retention of settled asks and old drafts.
#[derive(Debug, Clone, Copy)]
pub struct RetentionPolicy {
    /// Days that settled asks are kept.
    pub settled_days: u32,
    /// Days that drafts of asks that ended otherwise are kept.
    pub draft_days: u32,
    /// Days that settled asks of hosts' hooks are kept, if that is shorter: the arguments of a tool may hold secrets.
    pub hook_days: u32,
}

impl Default for RetentionPolicy {
    fn default() -> Self {
        Self { settled_days: 90, draft_days: 30, hook_days: 7 }
    }
}

/// Desk that a server offers to many accounts: its asks, tokens and threads, its change log, and its upkeep.
pub trait ServerDesk:
    Desk + TokenDesk + GroupDesk + BrowserSessionDesk + ServiceSessionDesk + ThreadDesk
{
    /// Opens each ask with its key, or finds the ask on which its key was used, all in one transaction.
    ///
    /// # Errors
    /// The index and the problem of the first refused one. Then none was opened, and all keys are unchanged.
    fn open_all(&self, all: Vec<(String, NewAsk)>) -> Result<Vec<OpenedAsk>, Box<(usize, Problem)>>;

    /// Finds the only ask that the reader may see and a full id, an id prefix or a handle prefix matches. Other asks
    /// are ignored.
    ///
    /// # Errors
    /// If there is none, or more than one.
    fn find_for(&self, reader: &AskReader, given: &str) -> Result<AskId, Problem>;

    /// Finds the ask on which a person used a key.
    ///
    /// # Errors
    /// If the desk cannot be read.
    fn find_by_person_key(&self, person: &Person, key: &str) -> Result<Option<AskId>, Problem>;

    /// Returns the outcome of an ask as rendered in this form, if it was rendered.
    ///
    /// # Errors
    /// If the desk cannot be read.
    fn rendering(&self, ask: &Ask, form: &str) -> Result<Option<Vec<u8>>, Problem>;

    /// Saves refused replies in the draft, and never over text that a person typed there. Questions that the ask does
    /// not have are left out.
    ///
    /// # Errors
    /// If there is no such ask, or the desk cannot store it.
    fn save_refused_replies(&self, person: &Person, id: AskId, replies: Replies) -> Result<(), Problem>;

    /// Returns the cursor to resume from: this one, or the latest without one. The flag says that some changes since
    /// may be unknown.
    ///
    /// # Errors
    /// If the desk cannot be read.
    fn resume_cursor(&self, since: Option<ChangeCursor>) -> Result<(ChangeCursor, bool), Problem>;

    /// Returns the changes after a cursor, in order, at most `limit` of them.
    ///
    /// # Errors
    /// If the desk cannot be read.
    fn changes_after(&self, cursor: ChangeCursor, limit: usize) -> Result<Vec<AskChange>, Problem>;

    /// Runs this after each commit of this process that changed something, on the committing thread, after its
    /// callers have returned. It updates others in this process without the wake-up, which is for all processes and
    /// first wakes a thread. Several hooks run in the order of their addition.
    fn add_commit_hook(&self, hook: CommitHook);

    /// Runs deadlines that have passed, in short steps, none of which begins after this time. Returns whether some may be
    /// left. A list runs a few of them.
    ///
    /// # Errors
    /// If the desk cannot be written.
    fn run_due(&self, limit: Duration) -> Result<bool, Problem>;

    /// Runs periodic maintenance in short steps, none of which begins after this time. Returns whether something is left,
    /// which the next maintenance does. It runs deadlines, checkpoints a large WAL, and purges old asks once a day. Each
    /// error is logged, and stops no other part.
    fn run_maintenance(&self, retention: RetentionPolicy, limit: Duration) -> bool;

    /// Gives back the space that a burst of writes took. Costs next to nothing if there is nothing to do.
    fn release_space(&self);

    /// Returns the figures of this node, if the desk lies in a database.
    fn node_stats(&self) -> Option<NodeStats>;

    /// Returns the secret key by which servers of this desk seal what hosts carry for them, if the desk keeps one. A desk
    /// file has it in another file next to it.
    ///
    /// # Errors
    /// If the desk cannot be read.
    fn seal_key(&self) -> Result<Option<Vec<u8>>, Problem>;

    /// Adds uses of rate limits to those of other nodes, and returns the time until each limit has recovered from all
    /// of them. Returns nothing if this is the only node.
    ///
    /// # Errors
    /// If the desk cannot be reached.
    fn share_rates(&self, uses: &[RateUse]) -> Result<Vec<RateUse>, Problem>;

    /// Returns the bytes that the asks of all accounts take.
    ///
    /// # Errors
    /// If the desk cannot be read.
    fn kept_bytes(&self) -> Result<u64, Problem>;
}
