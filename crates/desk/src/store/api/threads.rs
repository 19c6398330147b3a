//! Threads of a store.

use crate::thread::{
    KeyedMessage, PendingTurn, Thread, ThreadOutline, ThreadRecord, ThreadWrite, TurnNewsPage,
};
use sayso_core::Problem;

/// Threads of a store. Every method fails if the store cannot be read or written.
pub(crate) trait ThreadStore: Send + Sync {
    /// Applies a write, and returns the number of the turn that it is about, or 0. Of progress and news it returns the
    /// place of the last thing that happened.
    fn write_thread(&self, write: ThreadWrite) -> Result<i64, Problem>;

    /// Returns a thread.
    fn thread(&self, id: &str) -> Result<Option<Thread>, Problem>;

    /// Returns the threads of an account, the most recently changed first.
    fn threads_owned_by(&self, owner: &str) -> Result<Vec<Thread>, Problem>;

    /// Finds the message of a thread that was posted with a key.
    fn find_message_by_key(&self, thread: &str, key: &str) -> Result<Option<KeyedMessage>, Problem>;

    /// Returns every turn that has not ended, oldest first.
    fn pending_turns(&self) -> Result<Vec<PendingTurn>, Problem>;

    /// Returns the latest messages and events of a thread.
    fn thread_record(&self, thread: &str) -> Result<ThreadRecord, Problem>;

    /// Returns whether other nodes may work on the turns, too.
    fn has_other_nodes(&self) -> bool;

    /// Returns what happened in turns after a place, but for what this node did if there are others.
    fn turn_news(&self, after: i64) -> Result<TurnNewsPage, Problem>;

    /// Returns the outline of the same messages and events.
    fn thread_outline(&self, thread: &str) -> Result<ThreadOutline, Problem>;
}
