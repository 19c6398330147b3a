//! An active turn: its published events, its readers, and the lease of its agent.

use super::care::Care;
use axum::body::Bytes;
use sayso_core::{AskId, Code, Message, Path, Problem, limits};
use sayso_desk::LocalDesk;
use sayso_desk::thread::{Progress, Turn};
use sayso_dialects::interrupt::Event;
use schemars::JsonSchema;
use serde::Deserialize;
use std::collections::{HashMap, HashSet};
use std::mem::take;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::watch;

/// Duration of a lease; a silent agent loses its turn to another afterwards.
const LEASE: Duration = Duration::from_secs(limits::TURN_LEASE_SECONDS);

/// Delay before the person is told why nothing arrives.
const NOTICE: Duration = Duration::from_secs(2);

/// Interval at which a turn that waits for its person is checked again.
const LOOK_AGAIN: Duration = Duration::from_secs(5);

/// Something that an agent tells those who read its thread.
#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "Published")]
#[serde(rename_all = "snake_case")]
pub(super) enum Published {
    /// A piece of text.
    Text(String),
    /// A tool of this name begins to run.
    ToolStart(String),
    /// A tool of this name has run.
    ToolEnd(String),
    /// What the thread is called from now on.
    Title(String),
    /// Something went wrong. The turn goes on until it is ended.
    Error(String),
}

impl Published {
    fn event(&self) -> Event {
        match self {
            Self::Text(text) => Event::text(text),
            Self::ToolStart(tool) => Event::tool_start(tool),
            Self::ToolEnd(tool) => Event::tool_end(tool),
            Self::Title(title) => Event::title(title),
            Self::Error(message) => Event::error(message),
        }
    }
}

/// One entry in the stream of a turn.
#[derive(Clone)]
pub(super) enum Entry {
    /// Serialized event.
    Said(Bytes),
    /// Interrupt for an ask.
    Interrupt(AskId),
    /// End of the turn.
    Ended,
    /// End of the turn without its agent.
    Failed,
}

/// Lease of a turn, held by one worker of the agent.
#[derive(Clone)]
pub(super) struct With {
    secret: String,
    worker: String,
    until: Instant,
    /// Last poll of this worker for another turn while it holds this one.
    polled_at: Option<Instant>,
}

impl With {
    fn new(secret: String, worker: String) -> Self {
        Self { secret, worker, until: Instant::now() + LEASE, polled_at: None }
    }
}

struct State {
    entries: Vec<Entry>,
    /// Total size of the entries in bytes.
    bytes: usize,
    asks: Vec<AskId>,
    /// Asks known to be settled, which is final.
    settled: HashSet<AskId>,
    /// Asks that the person has been shown.
    shown: HashSet<AskId>,
    /// Position after the interrupt of an ask.
    after: HashMap<AskId, usize>,
    with: Option<With>,
    /// Text of the agent's current message.
    text: String,
    /// Messages of the agent that are not stored yet.
    said: Vec<String>,
    title: Option<String>,
    /// Last activity of the agent or of its person.
    heard_at: Instant,
    /// Last check for an open ask.
    looked_at: Option<Instant>,
    /// Number of leases granted since the turn last made progress.
    tries: u32,
    /// Requests of the agent that wait for a decision.
    requests: usize,
    /// Last status sent to the person about a missing agent.
    status: Option<&'static str>,
}

impl State {
    fn new(with: Option<With>) -> Self {
        Self {
            entries: Vec::new(),
            bytes: 0,
            asks: Vec::new(),
            settled: HashSet::new(),
            shown: HashSet::new(),
            after: HashMap::new(),
            tries: u32::from(with.is_some()),
            with,
            text: String::new(),
            said: Vec::new(),
            title: None,
            heard_at: Instant::now(),
            looked_at: None,
            requests: 0,
            status: None,
        }
    }

    fn waits(&self) -> bool {
        self.asks.iter().any(|ask| !self.settled.contains(ask))
    }

    fn tell_status(&mut self, status: &'static str) {
        self.status = Some(status);
        self.push(Entry::Said(Event::status(status).sse().into()));
    }

    fn push(&mut self, entry: Entry) {
        if let Entry::Said(bytes) = &entry {
            self.bytes += bytes.len();
        }
        self.entries.push(entry);
    }

    fn interrupt(&mut self, ask: AskId) {
        self.push(Entry::Interrupt(ask));
        self.after.insert(ask, self.entries.len());
        self.asks.push(ask);
        self.tries = self.tries.min(1);
    }

    fn finish_text(&mut self) {
        if !self.text.is_empty() {
            self.said.push(take(&mut self.text));
        }
    }
}

/// A turn that has not ended.
pub(super) struct Live {
    pub(super) turn: i64,
    pub(super) thread: String,
    pub(super) message: String,
    state: Mutex<State>,
    /// Serializes storing, so that nothing is stored twice.
    storing: Mutex<()>,
    grown: watch::Sender<usize>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Live {
    /// Creates a turn from the desk's record; its lease continues.
    pub(super) fn of(turn: Turn) -> Arc<Self> {
        let mut state = State::new(turn.holder.map(|holder| With::new(holder.secret, holder.worker)));
        turn.asks.into_iter().for_each(|ask| state.interrupt(ask));
        Arc::new(Self {
            turn: turn.number,
            thread: turn.thread,
            message: turn.message,
            state: Mutex::new(state),
            storing: Mutex::default(),
            grown: watch::Sender::new(0),
        })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        lock(&self.state)
    }

    /// Returns whether an agent may take the turn.
    pub(super) fn is_free(&self, now: Instant) -> bool {
        let state = self.state();
        state.with.as_ref().is_none_or(|with| with.until <= now) && state.tries < limits::TURN_TRIES
    }

    /// Grants the lease to the holder of `secret`, and returns the previous lease.
    pub(super) fn give(&self, secret: String, worker: String) -> Option<With> {
        let mut state = self.state();
        let before = state.with.replace(With::new(secret, worker));
        // A restart while the turn waits for its person is no failed attempt.
        state.tries += u32::from(!state.waits());
        state.heard_at = Instant::now();
        if before.is_some() {
            state.tell_status("retrying");
            self.wake(state);
        }
        before
    }

    /// Records that a worker polls for another turn while it holds this one.
    pub(super) fn note_polling(&self, worker: &str) {
        if let Some(with) = self.state().with.as_mut().filter(|with| with.worker == worker) {
            with.polled_at = Some(Instant::now());
        }
    }

    /// Records activity of the agent or the person.
    pub(super) fn touch(&self, now: Instant) {
        self.state().heard_at = now;
    }

    /// Returns the action that is due, and publishes a status if the agent is missing. `polls` returns whether a
    /// worker polls for another turn.
    pub(super) fn look_after(
        &self,
        now: Instant,
        silence: Duration,
        polls: impl Fn(&str) -> bool,
    ) -> Option<Care> {
        let mut state = self.state();
        if let Some(with) = state.with.as_mut().filter(|with| polls(&with.worker)) {
            with.polled_at = Some(now);
        }
        if state.requests > 0 {
            state.heard_at = now;
            return None;
        }
        let quiet = now.saturating_duration_since(state.heard_at);
        let since = |then: Instant| now.saturating_duration_since(then);
        let status = match &state.with {
            None => (quiet >= NOTICE).then_some("no_agent"),
            Some(with) => {
                let is_left = with.polled_at.is_some_and(|then| since(then) >= NOTICE) && quiet >= NOTICE;
                (is_left || now >= with.until + NOTICE).then_some("agent_stopped")
            }
        };
        let is_free = state.with.as_ref().is_some_and(|with| with.until <= now);
        let ended = if is_free && state.tries >= limits::TURN_TRIES {
            Some(Care::EndFailed)
        } else {
            (quiet >= silence).then_some(Care::EndSilent)
        };
        let status = status.filter(|status| state.status != Some(status));
        if ended.is_none() && status.is_none() {
            return None;
        }
        if state.waits() {
            let is_due = state.looked_at.is_none_or(|then| since(then) >= LOOK_AGAIN);
            return is_due.then(|| {
                state.looked_at = Some(now);
                Care::LookForAsk
            });
        }
        if let Some(status) = status {
            state.tell_status(status);
            self.wake(state);
        }
        ended
    }

    /// Counts a request that waits for a decision until the guard is dropped.
    pub(super) fn begin_request(self: &Arc<Self>) -> AgentRequest {
        self.state().requests += 1;
        AgentRequest(self.clone())
    }

    /// Restores the previous lease, if the lease is still the one with `secret`; returns whether it was.
    pub(super) fn take_back(&self, secret: &str, before: Option<With>) -> bool {
        let mut state = self.state();
        let is_theirs = state.with.as_ref().is_some_and(|with| with.secret == secret);
        if is_theirs {
            state.with = before;
        }
        is_theirs
    }

    /// Expires the lease, if this worker holds it.
    pub(super) fn free_from(&self, worker: &str) {
        if let Some(with) = &mut self.state().with
            && with.worker == worker
        {
            with.until = Instant::now();
        }
    }

    /// Returns whether the lease has this secret, and renews it if so.
    pub(super) fn is_with(&self, secret: &str) -> bool {
        let mut state = self.state();
        let state = &mut *state;
        match &mut state.with {
            Some(with) if with.secret == secret => {
                with.until = Instant::now() + LEASE;
                state.heard_at = Instant::now();
                state.status = None;
                true
            }
            Some(_) | None => false,
        }
    }

    /// Returns the asks of the turn in order.
    pub(super) fn asks(&self) -> Vec<AskId> {
        self.state().asks.clone()
    }

    /// Returns the asks that are not known to be settled, in order.
    pub(super) fn waiting(&self) -> Vec<AskId> {
        let state = self.state();
        state.asks.iter().filter(|ask| !state.settled.contains(ask)).copied().collect()
    }

    /// Returns the asks that are not known to be settled, each with its turn.
    pub(super) fn may_wait(self: &Arc<Self>) -> impl Iterator<Item = (Arc<Self>, AskId)> + use<> {
        let live = self.clone();
        self.waiting().into_iter().map(move |ask| (live.clone(), ask))
    }

    /// Marks an ask as settled.
    pub(super) fn settled(&self, ask: AskId) {
        let mut state = self.state();
        if state.settled.insert(ask) {
            (state.heard_at, state.tries, state.looked_at) = (Instant::now(), state.tries.min(1), None);
        }
    }

    /// Marks an ask as shown to the person.
    pub(super) fn show(&self, ask: AskId) {
        self.state().shown.insert(ask);
    }

    /// Returns whether the person was shown the ask; no other can be decided in the thread.
    pub(super) fn was_shown(&self, ask: AskId) -> bool {
        self.state().shown.contains(&ask)
    }

    /// Publishes events to the readers.
    ///
    /// # Errors
    /// Fails if the turn exceeds its maximum size.
    pub(super) fn publish(&self, events: &[Published]) -> Result<(), Problem> {
        let told: Vec<_> = events.iter().map(|event| event.event().sse()).collect();
        let mut state = self.state();
        if state.bytes.saturating_add(told.iter().map(String::len).sum()) > limits::TURN_BYTES {
            let said = Message::TurnFull.with([limits::TURN_BYTES]);
            return Err(Problem::new(Code::TooLarge, said).at(Path::root().then("events")));
        }
        for (event, told) in events.iter().zip(told) {
            match event {
                Published::Text(text) => state.text.push_str(text),
                Published::ToolStart(_) => state.finish_text(),
                Published::Title(title) => state.title = Some(title.clone()),
                Published::ToolEnd(_) | Published::Error(_) => {}
            }
            state.push(Entry::Said(told.into()));
        }
        self.wake(state);
        Ok(())
    }

    fn wake(&self, state: MutexGuard<'_, State>) {
        let length = state.entries.len();
        drop(state);
        // There may be no reader.
        self.grown.send_replace(length);
    }

    /// Stores the progress with new asks, then publishes their interrupts.
    ///
    /// # Errors
    /// Fails if the turn has ended, or the desk cannot store it.
    pub(super) fn interrupt(&self, desk: &LocalDesk, asks: &[AskId]) -> Result<(), Problem> {
        let _storing = lock(&self.storing);
        let known = self.asks();
        let new: Vec<_> = asks.iter().copied().filter(|ask| !known.contains(ask)).collect();
        if new.is_empty() {
            return Ok(());
        }
        self.keep(desk, new.clone(), false)?;
        let mut state = self.state();
        new.into_iter().for_each(|ask| state.interrupt(ask));
        self.wake(state);
        Ok(())
    }

    /// Ends the turn.
    ///
    /// # Errors
    /// Fails if the turn has ended before, or the desk cannot store it.
    pub(super) fn end(&self, desk: &LocalDesk) -> Result<(), Problem> {
        let _storing = lock(&self.storing);
        self.keep(desk, Vec::new(), true)?;
        self.close();
        Ok(())
    }

    /// Ends the turn without its agent.
    ///
    /// # Errors
    /// Fails if the turn has ended before, or the desk cannot store it.
    pub(super) fn fail(&self, desk: &LocalDesk, why: &str) -> Result<(), Problem> {
        let _storing = lock(&self.storing);
        self.keep(desk, Vec::new(), true)?;
        let mut state = self.state();
        state.push(Entry::Said(Event::error(why).sse().into()));
        state.push(Entry::Failed);
        self.wake(state);
        Ok(())
    }

    fn keep(&self, desk: &LocalDesk, asks: Vec<AskId>, has_ended: bool) -> Result<(), Problem> {
        let (said, title) = {
            let mut state = self.state();
            state.finish_text();
            (state.said.clone(), state.title.clone())
        };
        let count = said.len();
        let thread = self.thread.clone();
        desk.keep_progress(Progress { turn: self.turn, thread, said, title, asks, has_ended })?;
        self.state().said.drain(..count);
        Ok(())
    }

    /// Publishes the end of the turn.
    pub(super) fn close(&self) {
        let mut state = self.state();
        state.push(Entry::Ended);
        self.wake(state);
    }

    /// Returns a reader from the beginning.
    pub(super) fn read(self: &Arc<Self>) -> Reader {
        self.read_from(None)
    }

    /// Returns a reader from the interrupt of an ask, or from the beginning.
    pub(super) fn read_from(self: &Arc<Self>, ask: Option<AskId>) -> Reader {
        let after = ask.and_then(|ask| self.state().after.get(&ask).copied()).unwrap_or_default();
        Reader { at: after.saturating_sub(1), grown: self.grown.subscribe(), live: self.clone() }
    }

    /// Returns a reader from after the interrupt of an ask.
    pub(super) fn read_after(self: &Arc<Self>, ask: AskId) -> Reader {
        let at = self.state().after.get(&ask).copied().unwrap_or_default();
        Reader { at, grown: self.grown.subscribe(), live: self.clone() }
    }
}

/// Guard of an agent's request that waits for a decision in its turn.
pub(super) struct AgentRequest(Arc<Live>);

impl Drop for AgentRequest {
    fn drop(&mut self) {
        let mut state = self.0.state();
        state.requests = state.requests.saturating_sub(1);
        state.heard_at = Instant::now();
    }
}

/// Reader of a turn's stream.
pub(super) struct Reader {
    pub(super) live: Arc<Live>,
    at: usize,
    grown: watch::Receiver<usize>,
}

impl Reader {
    /// Returns the next entry, waiting for one if necessary.
    pub(super) async fn next(&mut self) -> Entry {
        loop {
            let next = self.live.state().entries.get(self.at).cloned();
            if let Some(entry) = next {
                self.at += 1;
                return entry;
            }
            // The reader holds the turn and so its sender.
            let _ = self.grown.changed().await;
        }
    }
}
