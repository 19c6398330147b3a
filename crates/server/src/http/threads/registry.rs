//! The turns that have not ended, and which of them an agent may take.
//!
//! **Invariant:** the desk knows every turn before its person is told that it was heard, what was decided in it, and what
//! its person has seen; here is who reads and who waits. What is lost with the process is the text that an agent has said
//! since it last asked something, and which turns were ended last.

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

/// The turns of one thread.
#[derive(Default)]
struct Queue {
    agent: Option<String>,
    /// By number: the first is the one that goes on, the others wait.
    turns: BTreeMap<i64, Arc<Live>>,
}

/// A turn that has ended: its agent, its thread, and how the agent showed that it had it.
type Ended = [String; 3];

/// How many of them are kept.
const ENDED: usize = 1_024;

/// All turns that have not ended, by thread.
#[derive(Default)]
pub(in crate::http) struct Threads {
    queues: Mutex<HashMap<String, Queue>>,
    /// Held while something with a key is said, so that of two with the same key one is.
    keyed: Mutex<()>,
    /// The turns that agents have ended last, as they showed them: whoever did not hear that may end them again.
    ended: Mutex<VecDeque<Ended>>,
    /// Rings when a turn may be taken.
    pub(super) ready: Notify,
    /// How many requests for a next turn wait, by account and process.
    polling: Mutex<HashMap<[String; 2], usize>>,
}

/// A request for a next turn that waits: its process is there.
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

/// A turn that was taken.
pub(super) struct Taken {
    pub(super) live: Arc<Live>,
    pub(super) holder: Holder,
    /// With whom it was before, where it was with somebody.
    before: Option<With>,
    /// Whose its thread was before.
    agent: Option<String>,
}

impl Taken {
    /// Whether somebody had it before.
    pub(super) const fn again(&self) -> bool {
        self.before.is_some()
    }
}

/// The turn is not the caller's.
pub(super) fn over() -> Problem {
    Problem::new(Code::TurnOver, Message::TurnOver).hint(Message::TurnOverHint)
}

impl Threads {
    /// The turns that a desk knows.
    ///
    /// # Errors
    /// When the desk cannot be read.
    pub(in crate::http) fn of(desk: &LocalDesk) -> Result<Self, Problem> {
        let threads = Self::default();
        for turn in desk.pending_turns()? {
            // What its person was shown before this process began is the first that waits, where anybody has seen that.
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

    /// Whether no turn goes on.
    pub(super) fn is_idle(&self) -> bool {
        self.lock().is_empty()
    }

    /// Looks after the turn that goes on in each thread, and gives those for which something is to be done.
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

    /// Waits until nothing else with a key is being said.
    pub(super) fn one_keyed(&self) -> MutexGuard<'_, ()> {
        self.keyed.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A turn begins.
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

    /// The turns of a thread, the one that goes on first.
    pub(super) fn turns(&self, thread: &str) -> Vec<Arc<Live>> {
        let queues = self.lock();
        queues.get(thread).into_iter().flat_map(|queue| queue.turns.values().cloned()).collect()
    }

    /// What may wait for an answer in the turns of a thread, in its order, each with its turn.
    pub(super) fn waiting(&self, thread: &str) -> Vec<(Arc<Live>, AskId)> {
        self.turns(thread).into_iter().flat_map(|live| live.may_wait()).collect()
    }

    /// The next turn of its own threads that an agent may take.
    ///
    /// # Errors
    /// When the system has no randomness to give.
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

    /// The desk did not let a turn be taken: it and its thread are whose they were, or the thread is this agent's, where
    /// the desk knows one.
    pub(super) fn give_back(&self, taken: Taken, known: Option<String>) {
        let Taken { live, holder, before, agent } = taken;
        let mut queues = self.lock();
        if live.take_back(&holder.secret, before)
            && let Some(queue) = queues.get_mut(&live.thread)
        {
            queue.agent = known.or(agent);
        }
    }

    /// A process of an agent has begun anew: what it had may be taken again.
    pub(super) fn begin_anew(&self, agent: &str, worker: &str) {
        let queues = self.lock();
        let own = queues.values().filter(|queue| queue.agent.as_deref() == Some(agent));
        own.flat_map(|queue| queue.turns.values()).for_each(|live| live.free_from(worker));
        drop(queues);
        self.ready.notify_waiters();
    }

    /// The turn of a thread that this agent has, as `NUMBER.SECRET` shows.
    ///
    /// # Errors
    /// When it has ended, or is with somebody else.
    pub(super) fn held(&self, agent: &str, thread: &str, shown: &str) -> Result<Arc<Live>, Problem> {
        let (number, secret) = shown.split_once('.').ok_or_else(over)?;
        let number: i64 = number.parse().map_err(|_| over())?;
        let queues = self.lock();
        let own = queues.get(thread).filter(|queue| queue.agent.as_deref() == Some(agent));
        let live = own.and_then(|queue| queue.turns.get(&number)).filter(|live| live.is_with(secret));
        live.cloned().ok_or_else(over)
    }

    /// A turn has ended.
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

    /// An agent has ended a turn.
    pub(super) fn note_ended(&self, agent: &str, thread: &str, shown: &str) {
        let mut ended = self.ended.lock().unwrap_or_else(PoisonError::into_inner);
        if ended.len() >= ENDED {
            ended.pop_front();
        }
        ended.push_back([agent, thread, shown].map(str::to_owned));
    }

    /// Whether an agent has ended this turn before.
    pub(super) fn was_ended(&self, agent: &str, thread: &str, shown: &str) -> bool {
        let ended = self.ended.lock().unwrap_or_else(PoisonError::into_inner);
        ended.iter().any(|known| known == &[agent, thread, shown])
    }

    /// A thread is gone, and so are its turns.
    pub(super) fn forget(&self, thread: &str) {
        let gone = self.lock().remove(thread);
        gone.into_iter().flat_map(|queue| queue.turns.into_values()).for_each(|live| live.close());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turn_is_given_back_when_not_stored() {
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
