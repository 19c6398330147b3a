//! Registry of the active turns, from which agents take the next one.
//!
//! **Invariant:** the desk stores every turn before the person's request is acknowledged, every event before its agent's
//! is, decisions and shown asks. This registry holds readers and waiters. A crash loses only the list of recently ended
//! turns.

use super::active_turn::ActiveTurn;
use super::lease::TurnLease;
use super::recent_streams::RecentStreams;
use super::supervision::TurnAction;
use crate::http::ServerDelays;
use crate::http::threads::person::first_open_ask;
use crate::http::threads::thread_state::ThreadState;
use sayso_core::model::ask::AttentionState;
use sayso_core::model::digest::to_hex;
use sayso_core::{AskId, Message, Problem, ProblemCode};
use sayso_desk::thread::{PendingTurn, TurnHolder};
use sayso_desk::{StoreDesk, random};
use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;
use tokio::sync::Notify;

/// Turns of one thread.
#[derive(Default)]
struct TurnQueue {
    agent: Option<String>,
    /// Owner of the thread, if a message came here.
    owner: Option<String>,
    /// Turns by number: the first is active, the others wait.
    turns: BTreeMap<i64, Arc<ActiveTurn>>,
}

/// Ended turn: its agent, its thread, and the token by which the agent held it.
type EndedTurn = [String; 3];

/// Capacity of the list of ended turns.
const MAX_ENDED_TURNS: usize = 1_024;

/// Registry of all turns that have not ended, by thread.
#[derive(Default)]
pub(in crate::http) struct TurnRegistry {
    queues: Mutex<HashMap<String, TurnQueue>>,
    /// Serializes messages with a key, so that of two with the same key one is stored.
    key_lock: Mutex<()>,
    /// Recently ended turns: an agent that missed the response may end its turn again.
    ended: Mutex<VecDeque<EndedTurn>>,
    /// Streams of turns that have just ended: a reader that reconnects gets the rest.
    recent: RecentStreams,
    /// Notified when a turn may be available.
    pub(crate) ready: Notify,
    /// Number of waiting polls, by account and worker.
    polls: Mutex<HashMap<[String; 2], usize>>,
    /// Place up to which the registry has what others stored.
    pub(super) place: Mutex<i64>,
    /// True if other nodes may have the turns, too.
    pub(super) is_shared: AtomicBool,
}

/// Guard of a waiting poll for a turn.
pub(crate) struct PollGuard {
    threads: Arc<ThreadState>,
    worker: [String; 2],
}

impl PollGuard {
    pub(crate) fn new(threads: &Arc<ThreadState>, account: &str, process: &str) -> Self {
        let worker = [account, process].map(str::to_owned);
        *threads.registry.lock_polls().entry(worker.clone()).or_default() += 1;
        let queues = threads.registry.lock();
        let own = queues.values().filter(|queue| queue.agent.as_deref() == Some(account));
        own.flat_map(|queue| queue.turns.values()).for_each(|live| live.note_polling(process));
        drop(queues);
        Self { threads: threads.clone(), worker }
    }
}

impl Drop for PollGuard {
    fn drop(&mut self) {
        let mut polling = self.threads.registry.lock_polls();
        if let Some(count) = polling.get_mut(&self.worker) {
            *count = count.saturating_sub(1);
            if *count == 0 {
                polling.remove(&self.worker);
            }
        }
    }
}

/// A turn taken by an agent.
pub(crate) struct TakenTurn {
    pub(crate) turn: Arc<ActiveTurn>,
    pub(crate) holder: TurnHolder,
    /// Number of times that it was taken since it last made progress.
    pub(crate) attempts: u32,
    /// Previous lease, if any.
    previous_lease: Option<TurnLease>,
    /// Previous agent of the thread.
    previous_agent: Option<String>,
}

impl TakenTurn {
    /// Returns the secret of the lease before this one.
    pub(crate) fn secret_before(&self) -> Option<String> {
        self.previous_lease.as_ref().map(TurnLease::secret)
    }

    /// Returns whether another lease preceded this one.
    pub(crate) const fn was_held_before(&self) -> bool {
        self.previous_lease.is_some()
    }
}

/// Returns the problem for a turn that the caller does not hold.
pub(super) fn turn_over() -> Problem {
    Problem::new(ProblemCode::TurnOver, Message::TurnOver).with_hint(Message::TurnOverHint)
}

impl TurnRegistry {
    /// Loads the turns that a desk stores.
    ///
    /// # Errors
    /// Fails if the desk cannot be read.
    pub(in crate::http) fn load(desk: &StoreDesk) -> Result<Self, Problem> {
        let threads = Self::default();
        let pending = desk.pending_turns()?;
        threads.load_news(desk, &pending)?;
        for turn in pending {
            let known = threads.find(turn.number);
            let live = known.unwrap_or_else(|| threads.add(turn));
            // The first open ask is the one shown before the restart, if its person has seen it.
            if let Some((live, ask)) = first_open_ask(desk, live.open_asks_with_turn().collect())?
                && ask.state.attention == AttentionState::Seen
            {
                live.mark_shown(ask.id);
            }
        }
        Ok(threads)
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, TurnQueue>> {
        self.queues.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn lock_polls(&self) -> MutexGuard<'_, HashMap<[String; 2], usize>> {
        self.polls.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns whether other nodes may have the turns, too.
    pub(crate) fn is_shared(&self) -> bool {
        self.is_shared.load(Ordering::Relaxed)
    }

    /// Returns a turn that has not ended.
    pub(crate) fn find(&self, number: i64) -> Option<Arc<ActiveTurn>> {
        self.lock().values().find_map(|queue| queue.turns.get(&number).cloned())
    }

    /// Returns all turns that have not ended.
    pub(crate) fn all(&self) -> Vec<Arc<ActiveTurn>> {
        self.lock().values().flat_map(|queue| queue.turns.values().cloned()).collect()
    }

    /// Sets the agent of a thread.
    pub(super) fn set_agent(&self, thread: &str, agent: Option<String>) -> Option<String> {
        let mut queues = self.lock();
        let queue = queues.get_mut(thread)?;
        queue.agent = agent.or_else(|| queue.agent.take());
        queue.agent.clone()
    }

    /// Returns whether no turn is active.
    pub(crate) fn is_idle(&self) -> bool {
        self.lock().is_empty()
    }

    /// Supervises the active turn of each thread, and returns the actions that are due.
    pub(super) fn due_actions(
        &self,
        now: Instant,
        delays: ServerDelays,
    ) -> Vec<(Arc<ActiveTurn>, TurnAction)> {
        let polling: HashSet<[String; 2]> = self.lock_polls().keys().cloned().collect();
        let mut cares = Vec::new();
        for queue in self.lock().values() {
            let agent = queue.agent.clone().unwrap_or_default();
            let polls = |worker: &str| polling.contains(&[agent.clone(), worker.to_owned()]);
            let mut turns = queue.turns.values();
            if let Some(first) = turns.next() {
                cares.extend(first.next_action(now, delays, polls).map(|care| (first.clone(), care)));
            }
            turns.for_each(|waiting| waiting.touch(now));
        }
        cares
    }

    /// Locks messages with a key.
    pub(crate) fn lock_keyed(&self) -> MutexGuard<'_, ()> {
        self.key_lock.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a turn.
    pub(crate) fn add(&self, turn: PendingTurn) -> Arc<ActiveTurn> {
        let agent = turn.agent.clone();
        let live = ActiveTurn::from_turn(turn, self.is_shared());
        let mut queues = self.lock();
        let queue = queues.entry(live.thread.clone()).or_default();
        queue.agent = queue.agent.take().or(agent);
        queue.turns.insert(live.number, live.clone());
        drop(queues);
        self.ready.notify_waiters();
        live
    }

    /// Adds the turn of a message that came here.
    pub(crate) fn add_from(&self, owner: &str, turn: PendingTurn) -> Arc<ActiveTurn> {
        let live = self.add(turn);
        if let Some(queue) = self.lock().get_mut(&live.thread) {
            queue.owner = Some(owner.to_owned());
        }
        live
    }

    /// Counts the turns of an account that have not ended.
    pub(crate) fn pending_turns(&self, owner: &str) -> usize {
        let queues = self.lock();
        let own = queues.values().filter(|queue| queue.owner.as_deref() == Some(owner));
        own.map(|queue| queue.turns.len()).sum()
    }

    /// Returns the turns of a thread, the active one first.
    pub(crate) fn turns(&self, thread: &str) -> Vec<Arc<ActiveTurn>> {
        let queues = self.lock();
        queues.get(thread).into_iter().flat_map(|queue| queue.turns.values().cloned()).collect()
    }

    /// Returns the asks of a thread that may be open, in order, each with its turn.
    pub(crate) fn open_asks(&self, thread: &str) -> Vec<(Arc<ActiveTurn>, AskId)> {
        self.turns(thread).into_iter().flat_map(|live| live.open_asks_with_turn()).collect()
    }

    /// Takes the next available turn of the agent's threads.
    ///
    /// # Errors
    /// Fails if the system provides no random bytes.
    pub(crate) fn take(
        &self,
        agent: &str,
        worker: &str,
        lease_seconds: u32,
    ) -> Result<Option<TakenTurn>, Problem> {
        let now = Instant::now();
        let mut queues = self.lock();
        let next = queues
            .values_mut()
            .filter(|queue| queue.agent.as_deref() == Some(agent))
            .filter_map(|queue| queue.turns.values().next().cloned().map(|live| (queue, live)))
            .filter(|(_, live)| live.is_free(now))
            .min_by_key(|(_, live)| live.number);
        let Some((queue, live)) = next else { return Ok(None) };
        let secret = to_hex(&random::random_bytes::<16>()?);
        let holder = TurnHolder { secret, worker: worker.to_owned(), lease_seconds };
        let (previous_lease, attempts) = live.grant_lease(holder.clone());
        let previous_agent = queue.agent.replace(agent.to_owned());
        Ok(Some(TakenTurn { turn: live, holder, attempts, previous_lease, previous_agent }))
    }

    /// Returns a turn that the desk did not grant. Restores the previous lease and agent, or assigns the agent that
    /// the desk knows.
    pub(crate) fn return_turn(&self, taken: TakenTurn, known: Option<String>) {
        let TakenTurn { turn: live, holder, previous_lease: before, previous_agent: agent, .. } = taken;
        let mut queues = self.lock();
        if live.restore_lease(&holder.secret, before)
            && let Some(queue) = queues.get_mut(&live.thread)
        {
            queue.agent = known.or(agent);
        }
    }

    /// Expires the leases of a restarted worker.
    pub(crate) fn restart_worker(&self, agent: &str, worker: &str) {
        let queues = self.lock();
        let own = queues.values().filter(|queue| queue.agent.as_deref() == Some(agent));
        own.flat_map(|queue| queue.turns.values()).for_each(|live| live.expire_lease(worker));
        drop(queues);
        self.ready.notify_waiters();
    }

    /// Returns the turn that this agent holds, by its token `NUMBER.SECRET`.
    ///
    /// # Errors
    /// Fails if the turn has ended, or another worker holds it.
    pub(crate) fn held_turn(
        &self,
        agent: &str,
        thread: &str,
        token: &str,
    ) -> Result<Arc<ActiveTurn>, Problem> {
        let (number, secret) = token.split_once('.').ok_or_else(turn_over)?;
        let number: i64 = number.parse().map_err(|_| turn_over())?;
        let queues = self.lock();
        let own = queues.get(thread).filter(|queue| queue.agent.as_deref() == Some(agent));
        let live = own.and_then(|queue| queue.turns.get(&number)).filter(|live| live.renew_lease(secret));
        live.cloned().ok_or_else(turn_over)
    }

    /// Removes an ended turn.
    pub(crate) fn remove(&self, live: &ActiveTurn) {
        let mut queues = self.lock();
        let mut ended = None;
        if let Some(queue) = queues.get_mut(&live.thread) {
            ended = queue.turns.remove(&live.number);
            if queue.turns.is_empty() {
                queues.remove(&live.thread);
            }
        }
        drop(queues);
        self.recent.keep(ended);
        self.ready.notify_waiters();
    }

    /// Returns the turns of a thread whose streams can be read: those that have just ended, and those that have not.
    pub(crate) fn streams(&self, thread: &str) -> Vec<Arc<ActiveTurn>> {
        let mut turns = self.recent.of_thread(thread);
        turns.extend(self.turns(thread));
        turns
    }

    /// Records that an agent ended a turn.
    pub(crate) fn note_ended(&self, agent: &str, thread: &str, token: &str) {
        let mut ended = self.ended.lock().unwrap_or_else(PoisonError::into_inner);
        if ended.len() >= MAX_ENDED_TURNS {
            ended.pop_front();
        }
        ended.push_back([agent, thread, token].map(str::to_owned));
    }

    /// Returns whether an agent ended this turn before.
    pub(crate) fn was_ended(&self, agent: &str, thread: &str, token: &str) -> bool {
        let ended = self.ended.lock().unwrap_or_else(PoisonError::into_inner);
        ended.iter().any(|known| known == &[agent, thread, token])
    }

    /// Removes a deleted thread and ends its turns.
    pub(crate) fn remove_thread(&self, thread: &str) {
        let gone = self.lock().remove(thread);
        self.recent.forget(thread);
        gone.into_iter().flat_map(|queue| queue.turns.into_values()).for_each(|live| live.close());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sayso_core::limits;

    #[test]
    fn ungranted_turn_is_returned() {
        let threads = TurnRegistry::default();
        let message = "hello".to_owned();
        let thread = "t".to_owned();
        threads.add_from(
            "ada",
            PendingTurn {
                number: 1,
                thread,
                agent: Some("bot".to_owned()),
                message,
                holder: None,
                asks: Vec::new(),
                attempts: 0,
            },
        );
        assert_eq!((threads.pending_turns("ada"), threads.pending_turns("ben")), (1, 0));
        let take = |agent| threads.take(agent, "", limits::TURN_LEASE_SECONDS).unwrap();
        let taken = take("bot").unwrap();
        assert!(take("other").is_none());
        threads.return_turn(taken, None);
        let taken = take("bot").unwrap();
        assert!(!taken.was_held_before());
        threads.return_turn(taken, Some("other".to_owned()));
        assert!(take("bot").is_none());
        assert!(take("other").is_some());
    }
}
