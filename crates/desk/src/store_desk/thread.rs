//! Threads of a desk over a store.

use super::StoreDesk;
use crate::clock;
use crate::thread::{
    KeyedMessage, PendingTurn, Thread, ThreadRecord, ThreadWrite, TurnHolder, TurnNewsKind, TurnNewsPage,
    TurnProgress,
};
use sayso_core::Problem;

impl StoreDesk {
    /// Begins a thread, optionally for a named agent.
    ///
    /// # Errors
    /// If the account has too many, or the desk cannot store it.
    pub fn new_thread(&self, owner: &str, agent: Option<String>) -> Result<Thread, Problem> {
        let now = self.store.now();
        let thread = Thread {
            id: format!("{}-{}", clock::account_uuid(owner), clock::new_id(true)),
            owner: owner.to_owned(),
            agent,
            title: None,
            created_at: now,
            changed_at: now,
        };
        self.store.write_thread(ThreadWrite::New(thread.clone()))?;
        Ok(thread)
    }

    /// Returns a thread.
    ///
    /// # Errors
    /// If the desk cannot be read.
    pub fn thread(&self, id: &str) -> Result<Option<Thread>, Problem> {
        self.store.thread(id)
    }

    /// Returns the threads of an account, the most recently changed first.
    ///
    /// # Errors
    /// If the desk cannot be read.
    pub fn threads_owned_by(&self, owner: &str) -> Result<Vec<Thread>, Problem> {
        self.store.threads_owned_by(owner)
    }

    /// Returns the latest messages and events of a thread.
    ///
    /// # Errors
    /// If the desk cannot be read.
    pub fn thread_record(&self, thread: &str) -> Result<ThreadRecord, Problem> {
        self.store.thread_record(thread)
    }

    /// Counts the messages of a thread as the agent's program has them: those of the record, those that only call a
    /// tool, and the results of tools.
    ///
    /// # Errors
    /// If the desk cannot be read.
    pub fn message_count(&self, thread: &str) -> Result<u32, Problem> {
        Ok(self.store.thread_outline(thread)?.message_count())
    }

    /// Posts a person's message, and returns the turn that it begins. A thread without an agent is assigned to this
    /// one.
    ///
    /// # Errors
    /// If the thread does not exist, too many of its messages wait, another message has this key, or the desk cannot
    /// store it.
    pub fn post_message(
        &self,
        thread: &str,
        message: &str,
        key: Option<&str>,
        agent: Option<String>,
    ) -> Result<i64, Problem> {
        let thread = thread.to_owned();
        let message = message.to_owned();
        let key = key.map(str::to_owned);
        self.store.write_thread(ThreadWrite::Post { thread, message, key, agent })
    }

    /// Finds the message of a thread that was posted with a key.
    ///
    /// # Errors
    /// If the desk cannot be read.
    pub fn find_message_by_key(&self, thread: &str, key: &str) -> Result<Option<KeyedMessage>, Problem> {
        self.store.find_message_by_key(thread, key)
    }

    /// Returns every turn that has not ended, oldest first.
    ///
    /// # Errors
    /// If the desk cannot be read.
    pub fn pending_turns(&self) -> Result<Vec<PendingTurn>, Problem> {
        self.store.pending_turns()
    }

    /// Assigns a turn to an agent, and with it the thread. `before` is the secret of the holder before it.
    ///
    /// # Errors
    /// If the turn has ended, the thread is another agent's, another node has assigned the turn meanwhile, or the desk
    /// cannot store it.
    pub fn claim_turn(
        &self,
        turn: i64,
        thread: &str,
        agent: &str,
        holder: TurnHolder,
        before: Option<&str>,
        attempts: u32,
    ) -> Result<(), Problem> {
        let thread = thread.to_owned();
        let agent = agent.to_owned();
        let before = before.map(str::to_owned);
        self.store.write_thread(ThreadWrite::Claim { turn, thread, agent, holder, before, attempts })?;
        Ok(())
    }

    /// Records the progress of a turn. Returns the place of the last of its new asks and its end, which have one each.
    ///
    /// # Errors
    /// If the turn has ended, or the desk cannot store it.
    pub fn record_progress(&self, progress: TurnProgress) -> Result<i64, Problem> {
        self.store.write_thread(ThreadWrite::Progress(progress))
    }

    /// Stores what happened in a turn, and returns the place of the last of it; each has one. It survives the end of this
    /// process, but not that of the system's power.
    ///
    /// # Errors
    /// If the turn has ended, or the desk cannot store it.
    pub fn share_turn(&self, turn: i64, news: Vec<TurnNewsKind>) -> Result<i64, Problem> {
        self.store.write_thread(ThreadWrite::Share { turn, news })
    }

    /// Returns whether other nodes may work on the turns, too.
    pub fn has_other_nodes(&self) -> bool {
        self.store.has_other_nodes()
    }

    /// Returns what happened in turns after a place: at other nodes, or if there can be none, before this process.
    ///
    /// # Errors
    /// If the desk cannot be read.
    pub fn turn_news(&self, after: i64) -> Result<TurnNewsPage, Problem> {
        self.store.turn_news(after)
    }

    /// Deletes a thread with its messages. Asks from it stay at the desk.
    ///
    /// # Errors
    /// If the desk cannot store it.
    pub fn delete_thread(&self, thread: &str) -> Result<(), Problem> {
        self.store.write_thread(ThreadWrite::Delete { thread: thread.to_owned() }).map(drop)
    }
}
