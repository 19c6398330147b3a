//! An active turn: its published events, its readers, and the lease of its agent.

use super::supervision::TurnAction;
use axum::body::Bytes;
use sayso_core::{AskId, DocumentPath, Message, Problem, ProblemCode, limits};
use sayso_desk::LocalDesk;
use sayso_desk::thread::{PendingTurn, TurnProgress};
use sayso_dialects::interrupt::InterruptEvent;
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
const NOTICE_DELAY: Duration = Duration::from_secs(2);

/// Interval at which a turn that waits for its person is checked again.
const RECHECK_INTERVAL: Duration = Duration::from_secs(5);

/// Something that an agent tells those who read its thread.
#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "Published")]
#[serde(rename_all = "snake_case")]
pub(super) enum PublishedEvent {
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

impl PublishedEvent {
    fn event(&self) -> InterruptEvent {
        match self {
            Self::Text(text) => InterruptEvent::partial_text(text),
            Self::ToolStart(tool) => InterruptEvent::tool_start(tool),
            Self::ToolEnd(tool) => InterruptEvent::tool_end(tool),
            Self::Title(title) => InterruptEvent::title(title),
            Self::Error(message) => InterruptEvent::error(message),
        }
    }
}

/// One entry in the stream of a turn.
#[derive(Clone)]
pub(super) enum StreamEntry {
    /// Serialized event.
    Event(Bytes),
    /// Interrupt for an ask.
    Interrupt(AskId),
    /// End of the turn.
    End,
    /// End of the turn without its agent.
    Failure,
}

/// Lease of a turn, held by one worker of the agent.
#[derive(Clone)]
pub(super) struct TurnLease {
    secret: String,
    worker: String,
    expires_at: Instant,
    /// Last poll of this worker for another turn while it holds this one.
    polled_at: Option<Instant>,
}

impl TurnLease {
    fn new(secret: String, worker: String) -> Self {
        Self { secret, worker, expires_at: Instant::now() + LEASE, polled_at: None }
    }
}

struct TurnState {
    entries: Vec<StreamEntry>,
    /// Total size of the entries in bytes.
    bytes: usize,
    asks: Vec<AskId>,
    /// Asks known to be settled, which is final.
    settled: HashSet<AskId>,
    /// Asks that the person has been shown.
    shown: HashSet<AskId>,
    /// Position after the interrupt of an ask.
    interrupt_ends: HashMap<AskId, usize>,
    lease: Option<TurnLease>,
    /// Text of the agent's current message.
    text: String,
    /// Messages of the agent that are not stored yet.
    messages: Vec<String>,
    title: Option<String>,
    /// Last activity of the agent or of its person.
    active_at: Instant,
    /// Last check for an open ask.
    checked_at: Option<Instant>,
    /// Number of leases granted since the turn last made progress.
    attempts: u32,
    /// Requests of the agent that wait for a decision.
    requests: usize,
    /// Last status sent to the person about a missing agent.
    status: Option<&'static str>,
}

impl TurnState {
    fn new(with: Option<TurnLease>) -> Self {
        Self {
            entries: Vec::new(),
            bytes: 0,
            asks: Vec::new(),
            settled: HashSet::new(),
            shown: HashSet::new(),
            interrupt_ends: HashMap::new(),
            attempts: u32::from(with.is_some()),
            lease: with,
            text: String::new(),
            messages: Vec::new(),
            title: None,
            active_at: Instant::now(),
            checked_at: None,
            requests: 0,
            status: None,
        }
    }

    fn may_wait(&self) -> bool {
        self.asks.iter().any(|ask| !self.settled.contains(ask))
    }

    fn push_status(&mut self, status: &'static str) {
        self.status = Some(status);
        self.push(StreamEntry::Event(InterruptEvent::status(status).to_sse().into()));
    }

    fn push(&mut self, entry: StreamEntry) {
        if let StreamEntry::Event(bytes) = &entry {
            self.bytes += bytes.len();
        }
        self.entries.push(entry);
    }

    fn push_interrupt(&mut self, ask: AskId) {
        self.push(StreamEntry::Interrupt(ask));
        self.interrupt_ends.insert(ask, self.entries.len());
        self.asks.push(ask);
        self.attempts = self.attempts.min(1);
    }

    fn finish_text(&mut self) {
        if !self.text.is_empty() {
            self.messages.push(take(&mut self.text));
        }
    }
}

/// A turn that has not ended.
pub(super) struct ActiveTurn {
    pub(super) number: i64,
    pub(super) thread: String,
    pub(super) message: String,
    state: Mutex<TurnState>,
    /// Serializes storing, so that nothing is stored twice.
    store_lock: Mutex<()>,
    entry_count: watch::Sender<usize>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl ActiveTurn {
    /// Creates a turn from the desk's record; its lease continues.
    pub(super) fn from_turn(turn: PendingTurn) -> Arc<Self> {
        let mut state =
            TurnState::new(turn.holder.map(|holder| TurnLease::new(holder.secret, holder.worker)));
        turn.asks.into_iter().for_each(|ask| state.push_interrupt(ask));
        Arc::new(Self {
            number: turn.number,
            thread: turn.thread,
            message: turn.message,
            state: Mutex::new(state),
            store_lock: Mutex::default(),
            entry_count: watch::Sender::new(0),
        })
    }

    fn state(&self) -> MutexGuard<'_, TurnState> {
        lock(&self.state)
    }

    /// Returns whether an agent may take the turn.
    pub(super) fn is_free(&self, now: Instant) -> bool {
        let state = self.state();
        state.lease.as_ref().is_none_or(|with| with.expires_at <= now)
            && state.attempts < limits::TURN_ATTEMPTS
    }

    /// Grants the lease to the holder of `secret`, and returns the previous lease.
    pub(super) fn grant_lease(&self, secret: String, worker: String) -> Option<TurnLease> {
        let mut state = self.state();
        let before = state.lease.replace(TurnLease::new(secret, worker));
        // A restart while the turn waits for its person is no failed attempt.
        state.attempts += u32::from(!state.may_wait());
        state.active_at = Instant::now();
        if before.is_some() {
            state.push_status("retrying");
            self.notify_readers(state);
        }
        before
    }

    /// Records that a worker polls for another turn while it holds this one.
    pub(super) fn note_polling(&self, worker: &str) {
        if let Some(with) = self.state().lease.as_mut().filter(|with| with.worker == worker) {
            with.polled_at = Some(Instant::now());
        }
    }

    /// Records activity of the agent or the person.
    pub(super) fn touch(&self, now: Instant) {
        self.state().active_at = now;
    }

    /// Returns the action that is due, and publishes a status if the agent is missing. `polls` returns whether a
    /// worker polls for another turn.
    pub(super) fn next_action(
        &self,
        now: Instant,
        silence: Duration,
        polls: impl Fn(&str) -> bool,
    ) -> Option<TurnAction> {
        let mut state = self.state();
        if let Some(with) = state.lease.as_mut().filter(|with| polls(&with.worker)) {
            with.polled_at = Some(now);
        }
        if state.requests > 0 {
            state.active_at = now;
            return None;
        }
        let quiet = now.saturating_duration_since(state.active_at);
        let since = |then: Instant| now.saturating_duration_since(then);
        let status = match &state.lease {
            None => (quiet >= NOTICE_DELAY).then_some("no_agent"),
            Some(with) => {
                let is_left =
                    with.polled_at.is_some_and(|then| since(then) >= NOTICE_DELAY) && quiet >= NOTICE_DELAY;
                (is_left || now >= with.expires_at + NOTICE_DELAY).then_some("agent_stopped")
            }
        };
        let is_free = state.lease.as_ref().is_some_and(|with| with.expires_at <= now);
        let ended = if is_free && state.attempts >= limits::TURN_ATTEMPTS {
            Some(TurnAction::EndFailed)
        } else {
            (quiet >= silence).then_some(TurnAction::EndSilent)
        };
        let status = status.filter(|status| state.status != Some(status));
        if ended.is_none() && status.is_none() {
            return None;
        }
        if state.may_wait() {
            let is_due = state.checked_at.is_none_or(|then| since(then) >= RECHECK_INTERVAL);
            return is_due.then(|| {
                state.checked_at = Some(now);
                TurnAction::CheckForAsk
            });
        }
        if let Some(status) = status {
            state.push_status(status);
            self.notify_readers(state);
        }
        ended
    }

    /// Counts a request that waits for a decision until the guard is dropped.
    pub(super) fn begin_request(self: &Arc<Self>) -> AgentRequest {
        self.state().requests += 1;
        AgentRequest(self.clone())
    }

    /// Restores the previous lease, if the lease is still the one with `secret`; returns whether it was.
    pub(super) fn restore_lease(&self, secret: &str, before: Option<TurnLease>) -> bool {
        let mut state = self.state();
        let is_theirs = state.lease.as_ref().is_some_and(|with| with.secret == secret);
        if is_theirs {
            state.lease = before;
        }
        is_theirs
    }

    /// Expires the lease, if this worker holds it.
    pub(super) fn expire_lease(&self, worker: &str) {
        if let Some(with) = &mut self.state().lease
            && with.worker == worker
        {
            with.expires_at = Instant::now();
        }
    }

    /// Returns whether the lease has this secret, and renews it if so.
    pub(super) fn renew_lease(&self, secret: &str) -> bool {
        let mut state = self.state();
        let state = &mut *state;
        match &mut state.lease {
            Some(with) if with.secret == secret => {
                with.expires_at = Instant::now() + LEASE;
                state.active_at = Instant::now();
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
    pub(super) fn open_asks(&self) -> Vec<AskId> {
        let state = self.state();
        state.asks.iter().filter(|ask| !state.settled.contains(ask)).copied().collect()
    }

    /// Returns the asks that are not known to be settled, each with its turn.
    pub(super) fn open_asks_with_turn(self: &Arc<Self>) -> impl Iterator<Item = (Arc<Self>, AskId)> + use<> {
        let live = self.clone();
        self.open_asks().into_iter().map(move |ask| (live.clone(), ask))
    }

    /// Marks an ask as settled.
    pub(super) fn mark_settled(&self, ask: AskId) {
        let mut state = self.state();
        if state.settled.insert(ask) {
            (state.active_at, state.attempts, state.checked_at) =
                (Instant::now(), state.attempts.min(1), None);
        }
    }

    /// Marks an ask as shown to the person.
    pub(super) fn mark_shown(&self, ask: AskId) {
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
    pub(super) fn publish(&self, events: &[PublishedEvent]) -> Result<(), Problem> {
        let serialized: Vec<_> = events.iter().map(|event| event.event().to_sse()).collect();
        let mut state = self.state();
        if state.bytes.saturating_add(serialized.iter().map(String::len).sum()) > limits::TURN_BYTES {
            let message = Message::TurnFull.with([limits::TURN_BYTES]);
            return Err(Problem::new(ProblemCode::TooLarge, message).at(DocumentPath::root().join("events")));
        }
        for (event, told) in events.iter().zip(serialized) {
            match event {
                PublishedEvent::Text(text) => state.text.push_str(text),
                PublishedEvent::ToolStart(_) => state.finish_text(),
                PublishedEvent::Title(title) => state.title = Some(title.clone()),
                PublishedEvent::ToolEnd(_) | PublishedEvent::Error(_) => {}
            }
            state.push(StreamEntry::Event(told.into()));
        }
        self.notify_readers(state);
        Ok(())
    }

    fn notify_readers(&self, state: MutexGuard<'_, TurnState>) {
        let length = state.entries.len();
        drop(state);
        // There may be no reader.
        self.entry_count.send_replace(length);
    }

    /// Stores the progress with new asks, then publishes their interrupts.
    ///
    /// # Errors
    /// Fails if the turn has ended, or the desk cannot store it.
    pub(super) fn interrupt(&self, desk: &LocalDesk, asks: &[AskId]) -> Result<(), Problem> {
        let _storing = lock(&self.store_lock);
        let known = self.asks();
        let new: Vec<_> = asks.iter().copied().filter(|ask| !known.contains(ask)).collect();
        if new.is_empty() {
            return Ok(());
        }
        self.store_progress(desk, new.clone(), false)?;
        let mut state = self.state();
        new.into_iter().for_each(|ask| state.push_interrupt(ask));
        self.notify_readers(state);
        Ok(())
    }

    /// Ends the turn.
    ///
    /// # Errors
    /// Fails if the turn has ended before, or the desk cannot store it.
    pub(super) fn end(&self, desk: &LocalDesk) -> Result<(), Problem> {
        let _storing = lock(&self.store_lock);
        self.store_progress(desk, Vec::new(), true)?;
        self.close();
        Ok(())
    }

    /// Ends the turn without its agent.
    ///
    /// # Errors
    /// Fails if the turn has ended before, or the desk cannot store it.
    pub(super) fn fail(&self, desk: &LocalDesk, why: &str) -> Result<(), Problem> {
        let _storing = lock(&self.store_lock);
        self.store_progress(desk, Vec::new(), true)?;
        let mut state = self.state();
        state.push(StreamEntry::Event(InterruptEvent::error(why).to_sse().into()));
        state.push(StreamEntry::Failure);
        self.notify_readers(state);
        Ok(())
    }

    fn store_progress(&self, desk: &LocalDesk, asks: Vec<AskId>, has_ended: bool) -> Result<(), Problem> {
        let (said, title) = {
            let mut state = self.state();
            state.finish_text();
            (state.messages.clone(), state.title.clone())
        };
        let count = said.len();
        let thread = self.thread.clone();
        desk.record_progress(TurnProgress {
            turn: self.number,
            thread,
            messages: said,
            title,
            asks,
            has_ended,
        })?;
        self.state().messages.drain(..count);
        Ok(())
    }

    /// Publishes the end of the turn.
    pub(super) fn close(&self) {
        let mut state = self.state();
        state.push(StreamEntry::End);
        self.notify_readers(state);
    }

    /// Returns a reader from the beginning.
    pub(super) fn read(self: &Arc<Self>) -> TurnReader {
        self.read_from(None)
    }

    /// Returns a reader from the interrupt of an ask, or from the beginning.
    pub(super) fn read_from(self: &Arc<Self>, ask: Option<AskId>) -> TurnReader {
        let after = ask.and_then(|ask| self.state().interrupt_ends.get(&ask).copied()).unwrap_or_default();
        TurnReader {
            position: after.saturating_sub(1),
            entry_count: self.entry_count.subscribe(),
            turn: self.clone(),
        }
    }

    /// Returns a reader from after the interrupt of an ask.
    pub(super) fn read_after(self: &Arc<Self>, ask: AskId) -> TurnReader {
        let at = self.state().interrupt_ends.get(&ask).copied().unwrap_or_default();
        TurnReader { position: at, entry_count: self.entry_count.subscribe(), turn: self.clone() }
    }
}

/// Guard of an agent's request that waits for a decision in its turn.
pub(super) struct AgentRequest(Arc<ActiveTurn>);

impl Drop for AgentRequest {
    fn drop(&mut self) {
        let mut state = self.0.state();
        state.requests = state.requests.saturating_sub(1);
        state.active_at = Instant::now();
    }
}

/// Reader of a turn's stream.
pub(super) struct TurnReader {
    pub(super) turn: Arc<ActiveTurn>,
    position: usize,
    entry_count: watch::Receiver<usize>,
}

impl TurnReader {
    /// Returns the next entry, waiting for one if necessary.
    pub(super) async fn next(&mut self) -> StreamEntry {
        loop {
            let next = self.turn.state().entries.get(self.position).cloned();
            if let Some(entry) = next {
                self.position += 1;
                return entry;
            }
            // The reader holds the turn and so its sender.
            let _ = self.entry_count.changed().await;
        }
    }
}
