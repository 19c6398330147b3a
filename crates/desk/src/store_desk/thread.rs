//! Threads of a desk over a store.

use super::StoreDesk;
use crate::clock;
use crate::thread::{
    KeyedMessage, PendingTurn, Thread, ThreadDesk, ThreadRecord, ThreadWrite, TurnHolder, TurnNewsKind,
    TurnNewsPage, TurnProgress,
};
use sayso_core::Problem;

impl ThreadDesk for StoreDesk {
    fn new_thread(&self, owner: &str, agent: Option<String>) -> Result<Thread, Problem> {
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

    fn thread(&self, id: &str) -> Result<Option<Thread>, Problem> {
        self.store.thread(id)
    }

    fn threads_owned_by(&self, owner: &str) -> Result<Vec<Thread>, Problem> {
        self.store.threads_owned_by(owner)
    }

    fn thread_record(&self, thread: &str) -> Result<ThreadRecord, Problem> {
        self.store.thread_record(thread)
    }

    fn message_count(&self, thread: &str) -> Result<u32, Problem> {
        Ok(self.store.thread_outline(thread)?.message_count())
    }

    fn post_message(
        &self,
        thread: &str,
        message: &str,
        key: Option<&str>,
        agent: Option<String>,
    ) -> Result<i64, Problem> {
        let (thread, message, key) = (thread.to_owned(), message.to_owned(), key.map(str::to_owned));
        self.store.write_thread(ThreadWrite::Post { thread, message, key, agent })
    }

    fn find_message_by_key(&self, thread: &str, key: &str) -> Result<Option<KeyedMessage>, Problem> {
        self.store.find_message_by_key(thread, key)
    }

    fn pending_turns(&self) -> Result<Vec<PendingTurn>, Problem> {
        self.store.pending_turns()
    }

    fn claim_turn(
        &self,
        turn: i64,
        thread: &str,
        agent: &str,
        holder: TurnHolder,
        before: Option<&str>,
        attempts: u32,
    ) -> Result<(), Problem> {
        let (thread, agent, before) = (thread.to_owned(), agent.to_owned(), before.map(str::to_owned));
        self.store
            .write_thread(ThreadWrite::Claim { turn, thread, agent, holder, before, attempts })
            .map(drop)
    }

    fn record_progress(&self, progress: TurnProgress) -> Result<i64, Problem> {
        self.store.write_thread(ThreadWrite::Progress(progress))
    }

    fn share_turn(&self, turn: i64, news: Vec<TurnNewsKind>) -> Result<i64, Problem> {
        self.store.write_thread(ThreadWrite::Share { turn, news })
    }

    fn has_other_nodes(&self) -> bool {
        self.store.has_other_nodes()
    }

    fn turn_news(&self, after: i64) -> Result<TurnNewsPage, Problem> {
        self.store.turn_news(after)
    }

    fn delete_thread(&self, thread: &str) -> Result<(), Problem> {
        self.store.write_thread(ThreadWrite::Delete { thread: thread.to_owned() }).map(drop)
    }
}
