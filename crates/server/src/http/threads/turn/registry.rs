//! Registry of the active turns, from which agents take the next one.
//!
//! **Invariant:** the desk stores every turn before the person's request is acknowledged, every event before its agent's
//! is, decisions and shown asks. This registry holds readers and waiters. A crash loses only the list of recently ended
//! turns.

use super::active_turn::ActiveTurn;
use super::lease::TurnLease;
use super::open_asks::first_open_ask;
use super::recent_streams::RecentStreams;
use super::turn_state::TurnAction;
use crate::http::ServerDelays;
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
        let registry = Self::default();
        let pending_turns = desk.pending_turns()?;
        registry.load_news(desk, &pending_turns)?;
        for turn in pending_turns {
            let live = match registry.find(turn.number) {
                Some(live) => live,
                None => registry.add(turn),
            };
            // The first open ask is the one shown before the restart, if its person has seen it.
            if let Some((live, ask)) = first_open_ask(desk, live.open_asks_with_turn().collect())?
                && ask.state.attention == AttentionState::Seen
            {
                live.mark_shown(ask.id);
            }
        }
        Ok(registry)
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, TurnQueue>> {
        self.queues.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn lock_polls(&self) -> MutexGuard<'_, HashMap<[String; 2], usize>> {
        self.polls.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts a waiting poll of a worker, named by its account and its process.
    pub(super) fn begin_poll(&self, worker: &[String; 2]) {
        *self.lock_polls().entry(worker.clone()).or_default() += 1;
        let [account, process] = worker;
        for queue in self.lock().values() {
            if queue.agent.as_ref() == Some(account) {
                for live in queue.turns.values() {
                    live.note_polling(process);
                }
            }
        }
    }

    /// Ends a waiting poll of a worker.
    pub(super) fn end_poll(&self, worker: &[String; 2]) {
        let mut polls = self.lock_polls();
        if let Some(count) = polls.get_mut(worker) {
            *count = count.saturating_sub(1);
            if *count == 0 {
                polls.remove(worker);
            }
        }
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
        let polling_workers: HashSet<[String; 2]> = self.lock_polls().keys().cloned().collect();
        let mut actions = Vec::new();
        for queue in self.lock().values() {
            let agent = queue.agent.clone().unwrap_or_default();
            let polls = |worker: &str| polling_workers.contains(&[agent.clone(), worker.to_owned()]);
            let mut turns = queue.turns.values();
            if let Some(active_turn) = turns.next()
                && let Some(action) = active_turn.next_action(now, delays, polls)
            {
                actions.push((active_turn.clone(), action));
            }
            // The others wait for the active one.
            for queued_turn in turns {
                queued_turn.touch(now);
            }
        }
        actions
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
        let mut count = 0;
        for queue in self.lock().values() {
            if queue.owner.as_deref() == Some(owner) {
                count += queue.turns.len();
            }
        }
        count
    }

    /// Returns the turns of a thread, the active one first.
    pub(crate) fn turns(&self, thread: &str) -> Vec<Arc<ActiveTurn>> {
        match self.lock().get(thread) {
            Some(queue) => queue.turns.values().cloned().collect(),
            None => Vec::new(),
        }
    }

    /// Returns the asks of a thread that may be open, in order, each with its turn.
    pub(crate) fn open_asks(&self, thread: &str) -> Vec<(Arc<ActiveTurn>, AskId)> {
        let mut asks = Vec::new();
        for live in self.turns(thread) {
            asks.extend(live.open_asks_with_turn());
        }
        asks
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
        let mut next: Option<(&mut TurnQueue, Arc<ActiveTurn>)> = None;
        for queue in queues.values_mut() {
            if queue.agent.as_deref() != Some(agent) {
                continue;
            }
            // Only the first turn of a thread may be taken; the others wait for it.
            let Some(live) = queue.turns.values().next().cloned() else { continue };
            let is_earlier = next.as_ref().is_none_or(|(_, earlier)| live.number < earlier.number);
            if is_earlier && live.is_free(now) {
                next = Some((queue, live));
            }
        }
        let Some((queue, live)) = next else { return Ok(None) };
        let secret = to_hex(&random::random_bytes::<16>()?);
        let holder = TurnHolder { secret, worker: worker.to_owned(), lease_seconds };
        let (previous_lease, attempts) = live.grant_lease(holder.clone());
        let previous_agent = queue.agent.replace(agent.to_owned());
        Ok(Some(TakenTurn { turn: live, holder, attempts, previous_lease, previous_agent }))
    }

    /// Returns a turn that the desk did not grant. Restores the previous lease and agent, or assigns the agent that
    /// the desk knows.
    pub(crate) fn return_turn(&self, taken_turn: TakenTurn, stored_agent: Option<String>) {
        let TakenTurn { turn: live, holder, previous_lease, previous_agent, .. } = taken_turn;
        let mut queues = self.lock();
        if live.restore_lease(&holder.secret, previous_lease)
            && let Some(queue) = queues.get_mut(&live.thread)
        {
            queue.agent = stored_agent.or(previous_agent);
        }
    }

    /// Expires the leases of a restarted worker.
    pub(crate) fn restart_worker(&self, agent: &str, worker: &str) {
        for queue in self.lock().values() {
            if queue.agent.as_deref() == Some(agent) {
                for live in queue.turns.values() {
                    live.expire_lease(worker);
                }
            }
        }
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
        if let Some((number, secret)) = token.split_once('.')
            && let Ok(number) = number.parse::<i64>()
            && let Some(queue) = self.lock().get(thread)
            && queue.agent.as_deref() == Some(agent)
            && let Some(live) = queue.turns.get(&number)
            && live.renew_lease(secret)
        {
            return Ok(live.clone());
        }
        Err(turn_over())
    }

    /// Removes an ended turn.
    pub(crate) fn remove(&self, live: &ActiveTurn) {
        let mut queues = self.lock();
        let mut ended_turn = None;
        if let Some(queue) = queues.get_mut(&live.thread) {
            ended_turn = queue.turns.remove(&live.number);
            if queue.turns.is_empty() {
                queues.remove(&live.thread);
            }
        }
        drop(queues);
        self.recent.keep(ended_turn);
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
        let mut ended_turns = self.ended.lock().unwrap_or_else(PoisonError::into_inner);
        if ended_turns.len() >= MAX_ENDED_TURNS {
            ended_turns.pop_front();
        }
        ended_turns.push_back([agent, thread, token].map(str::to_owned));
    }

    /// Returns whether an agent ended this turn before.
    pub(crate) fn was_ended(&self, agent: &str, thread: &str, token: &str) -> bool {
        let ended_turns = self.ended.lock().unwrap_or_else(PoisonError::into_inner);
        ended_turns.iter().any(|ended_turn| ended_turn == &[agent, thread, token])
    }

    /// Removes a deleted thread and ends its turns.
    pub(crate) fn remove_thread(&self, thread: &str) {
        let queue = self.lock().remove(thread);
        self.recent.forget(thread);
        if let Some(queue) = queue {
            for live in queue.turns.into_values() {
                live.close();
            }
        }
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
