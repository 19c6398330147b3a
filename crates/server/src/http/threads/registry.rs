//! Registry of the active turns, from which agents take the next one.
//!
//! **Invariant:** the desk stores every turn before the person's request is acknowledged, and stores decisions and
//! shown asks. This registry holds readers and waiters. A crash loses only the agent's text since its last ask, and
//! the list of recently ended turns.

use super::care::Care;
use super::live::{Live, With};
use super::person::first_open;
use crate::http::app::App;
use sayso_core::ask::Attention;
use sayso_core::digest::hex;
use sayso_core::{AskId, Code, Message, Problem};
use sayso_desk::thread::{Holder, Turn};
use sayso_desk::{LocalDesk, random};
use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::Notify;

/// Turns of one thread.
#[derive(Default)]
struct Queue {
    agent: Option<String>,
    /// Turns by number: the first is active, the others wait.
    turns: BTreeMap<i64, Arc<Live>>,
}

/// Ended turn: its agent, its thread, and the token by which the agent held it.
type Ended = [String; 3];

/// Capacity of the list of ended turns.
const ENDED: usize = 1_024;

/// Registry of all turns that have not ended, by thread.
#[derive(Default)]
pub(in crate::http) struct Threads {
    queues: Mutex<HashMap<String, Queue>>,
    /// Serializes messages with a key, so that of two with the same key one is stored.
    keyed: Mutex<()>,
    /// Recently ended turns: an agent that missed the response may end its turn again.
    ended: Mutex<VecDeque<Ended>>,
    /// Notified when a turn may be available.
    pub(super) ready: Notify,
    /// Number of waiting polls, by account and worker.
    polling: Mutex<HashMap<[String; 2], usize>>,
}

/// Guard of a waiting poll for a turn.
pub(super) struct Polling {
    app: Arc<App>,
    worker: [String; 2],
}

impl Polling {
    pub(super) fn begin(app: &Arc<App>, account: &str, process: &str) -> Self {
        let worker = [account, process].map(str::to_owned);
        *app.threads.polling().entry(worker.clone()).or_default() += 1;
        let queues = app.threads.lock();
        let own = queues.values().filter(|queue| queue.agent.as_deref() == Some(account));
        own.flat_map(|queue| queue.turns.values()).for_each(|live| live.note_polling(process));
        drop(queues);
        Self { app: app.clone(), worker }
    }
}

impl Drop for Polling {
    fn drop(&mut self) {
        let mut polling = self.app.threads.polling();
        if let Some(count) = polling.get_mut(&self.worker) {
            *count = count.saturating_sub(1);
            if *count == 0 {
                polling.remove(&self.worker);
            }
        }
    }
}

/// A turn taken by an agent.
pub(super) struct Taken {
    pub(super) live: Arc<Live>,
    pub(super) holder: Holder,
    /// Previous lease, if any.
    before: Option<With>,
    /// Previous agent of the thread.
    agent: Option<String>,
}

impl Taken {
    /// Returns whether another lease preceded this one.
    pub(super) const fn again(&self) -> bool {
        self.before.is_some()
    }
}

/// Returns the problem for a turn that the caller does not hold.
pub(super) fn over() -> Problem {
    Problem::new(Code::TurnOver, Message::TurnOver).hint(Message::TurnOverHint)
}

impl Threads {
    /// Loads the turns that a desk stores.
    ///
    /// # Errors
    /// Fails if the desk cannot be read.
    pub(in crate::http) fn of(desk: &LocalDesk) -> Result<Self, Problem> {
        let threads = Self::default();
        for turn in desk.pending_turns()? {
            // The first open ask is the one shown before the restart, if its person has seen it.
            if let Some((live, ask)) = first_open(desk, threads.add(turn).may_wait().collect())?
                && ask.state.attention == Attention::Seen
            {
                live.show(ask.id);
            }
        }
        Ok(threads)
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, Queue>> {
        self.queues.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn polling(&self) -> MutexGuard<'_, HashMap<[String; 2], usize>> {
        self.polling.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns whether no turn is active.
    pub(super) fn is_idle(&self) -> bool {
        self.lock().is_empty()
    }

    /// Supervises the active turn of each thread, and returns the actions that are due.
    pub(super) fn look_after(&self, now: Instant, silence: Duration) -> Vec<(Arc<Live>, Care)> {
        let polling: HashSet<[String; 2]> = self.polling().keys().cloned().collect();
        let mut cares = Vec::new();
        for queue in self.lock().values() {
            let agent = queue.agent.clone().unwrap_or_default();
            let polls = |worker: &str| polling.contains(&[agent.clone(), worker.to_owned()]);
            let mut turns = queue.turns.values();
            if let Some(first) = turns.next() {
                cares.extend(first.look_after(now, silence, polls).map(|care| (first.clone(), care)));
            }
            turns.for_each(|waiting| waiting.touch(now));
        }
        cares
    }

    /// Locks messages with a key.
    pub(super) fn one_keyed(&self) -> MutexGuard<'_, ()> {
        self.keyed.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a turn.
    pub(super) fn add(&self, turn: Turn) -> Arc<Live> {
        let agent = turn.agent.clone();
        let live = Live::of(turn);
        let mut queues = self.lock();
        let queue = queues.entry(live.thread.clone()).or_default();
        queue.agent = queue.agent.take().or(agent);
        queue.turns.insert(live.turn, live.clone());
        drop(queues);
        self.ready.notify_waiters();
        live
    }

    /// Returns the turns of a thread, the active one first.
    pub(super) fn turns(&self, thread: &str) -> Vec<Arc<Live>> {
        let queues = self.lock();
        queues.get(thread).into_iter().flat_map(|queue| queue.turns.values().cloned()).collect()
    }

    /// Returns the asks of a thread that may be open, in order, each with its turn.
    pub(super) fn waiting(&self, thread: &str) -> Vec<(Arc<Live>, AskId)> {
        self.turns(thread).into_iter().flat_map(|live| live.may_wait()).collect()
    }

    /// Takes the next available turn of the agent's threads.
    ///
    /// # Errors
    /// Fails if the system provides no random bytes.
    pub(super) fn take(&self, agent: &str, worker: &str) -> Result<Option<Taken>, Problem> {
        let now = Instant::now();
        let mut queues = self.lock();
        let next = queues
            .values_mut()
            .filter(|queue| queue.agent.as_deref() == Some(agent))
            .filter_map(|queue| queue.turns.values().next().cloned().map(|live| (queue, live)))
            .filter(|(_, live)| live.is_free(now))
            .min_by_key(|(_, live)| live.turn);
        let Some((queue, live)) = next else { return Ok(None) };
        let secret = hex(&random::bytes::<16>()?);
        let before = live.give(secret.clone(), worker.to_owned());
        let agent = queue.agent.replace(agent.to_owned());
        Ok(Some(Taken { live, holder: Holder { secret, worker: worker.to_owned() }, before, agent }))
    }

    /// Returns a turn that the desk did not grant. Restores the previous lease and agent, or assigns the agent that
    /// the desk knows.
    pub(super) fn give_back(&self, taken: Taken, known: Option<String>) {
        let Taken { live, holder, before, agent } = taken;
        let mut queues = self.lock();
        if live.take_back(&holder.secret, before)
            && let Some(queue) = queues.get_mut(&live.thread)
        {
            queue.agent = known.or(agent);
        }
    }

    /// Expires the leases of a restarted worker.
    pub(super) fn begin_anew(&self, agent: &str, worker: &str) {
        let queues = self.lock();
        let own = queues.values().filter(|queue| queue.agent.as_deref() == Some(agent));
        own.flat_map(|queue| queue.turns.values()).for_each(|live| live.free_from(worker));
        drop(queues);
        self.ready.notify_waiters();
    }

    /// Returns the turn that this agent holds, by its token `NUMBER.SECRET`.
    ///
    /// # Errors
    /// Fails if the turn has ended, or another worker holds it.
    pub(super) fn held(&self, agent: &str, thread: &str, shown: &str) -> Result<Arc<Live>, Problem> {
        let (number, secret) = shown.split_once('.').ok_or_else(over)?;
        let number: i64 = number.parse().map_err(|_| over())?;
        let queues = self.lock();
        let own = queues.get(thread).filter(|queue| queue.agent.as_deref() == Some(agent));
        let live = own.and_then(|queue| queue.turns.get(&number)).filter(|live| live.is_with(secret));
        live.cloned().ok_or_else(over)
    }

    /// Removes an ended turn.
    pub(super) fn remove(&self, live: &Live) {
        let mut queues = self.lock();
        if let Some(queue) = queues.get_mut(&live.thread) {
            queue.turns.remove(&live.turn);
            if queue.turns.is_empty() {
                queues.remove(&live.thread);
            }
        }
        drop(queues);
        self.ready.notify_waiters();
    }

    /// Records that an agent ended a turn.
    pub(super) fn note_ended(&self, agent: &str, thread: &str, shown: &str) {
        let mut ended = self.ended.lock().unwrap_or_else(PoisonError::into_inner);
        if ended.len() >= ENDED {
            ended.pop_front();
        }
        ended.push_back([agent, thread, shown].map(str::to_owned));
    }

    /// Returns whether an agent ended this turn before.
    pub(super) fn was_ended(&self, agent: &str, thread: &str, shown: &str) -> bool {
        let ended = self.ended.lock().unwrap_or_else(PoisonError::into_inner);
        ended.iter().any(|known| known == &[agent, thread, shown])
    }

    /// Removes a deleted thread and ends its turns.
    pub(super) fn forget(&self, thread: &str) {
        let gone = self.lock().remove(thread);
        gone.into_iter().flat_map(|queue| queue.turns.into_values()).for_each(|live| live.close());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ungranted_turn_is_returned() {
        let threads = Threads::default();
        let message = "hello".to_owned();
        let thread = "t".to_owned();
        threads.add(Turn {
            number: 1,
            thread,
            agent: Some("bot".to_owned()),
            message,
            holder: None,
            asks: Vec::new(),
        });
        let taken = threads.take("bot", "").unwrap().unwrap();
        assert!(threads.take("other", "").unwrap().is_none());
        threads.give_back(taken, None);
        let taken = threads.take("bot", "").unwrap().unwrap();
        assert!(!taken.again());
        threads.give_back(taken, Some("other".to_owned()));
        assert!(threads.take("bot", "").unwrap().is_none());
        assert!(threads.take("other", "").unwrap().is_some());
    }
}
