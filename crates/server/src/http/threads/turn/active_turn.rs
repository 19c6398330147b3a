//! An active turn: its published events, its readers, and its storage at the desk.

mod exchange;

use super::lease::TurnLease;
use super::published_event::PublishedEvent;
use super::turn_state::{StreamEntry, TurnAction, TurnState};
use crate::http::ServerDelays;
use exchange::places_up_to;
use sayso_core::{Ask, AskId, DocumentPath, Lang, LocalizedText, Message, Problem, ProblemCode, limits};
use sayso_desk::StoreDesk;
use sayso_desk::thread::{PendingTurn, ThreadEventKind, TurnEntry, TurnHolder, TurnProgress};
use sayso_dialects::interrupt::is_approval;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;
use tokio::sync::watch;

/// Way in which a turn ends.
enum TurnEnding {
    ByAgent,
    /// Without its agent, for this reason.
    Failed(String),
}

/// A turn that has not ended.
pub(crate) struct ActiveTurn {
    pub(crate) number: i64,
    pub(crate) thread: String,
    pub(crate) message: String,
    state: Mutex<TurnState>,
    /// Serializes storing, so that nothing is stored twice.
    store_lock: Mutex<()>,
    pub(super) entry_count: watch::Sender<usize>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl ActiveTurn {
    /// Creates a turn from the desk's record; its lease continues.
    pub(crate) fn from_turn(turn: PendingTurn, is_shared: bool) -> Arc<Self> {
        let mut state = TurnState::new(turn.holder.map(TurnLease::new), turn.attempts, is_shared);
        for ask in turn.asks {
            state.push_interrupt(ask, 0);
        }
        Arc::new(Self {
            number: turn.number,
            thread: turn.thread,
            message: turn.message,
            state: Mutex::new(state),
            store_lock: Mutex::default(),
            entry_count: watch::Sender::new(0),
        })
    }

    pub(super) fn state(&self) -> MutexGuard<'_, TurnState> {
        lock(&self.state)
    }

    /// Returns whether an agent may take the turn.
    pub(crate) fn is_free(&self, now: Instant) -> bool {
        let state = self.state();
        let is_taken = matches!(&state.lease, Some(lease) if !lease.is_expired(now));
        !is_taken && state.attempts < limits::TURN_ATTEMPTS
    }

    /// Grants the lease to a holder, and returns the previous lease and the number of attempts with this one.
    pub(super) fn grant_lease(&self, holder: TurnHolder) -> (Option<TurnLease>, u32) {
        let mut state = self.state();
        let previous_lease = state.lease.replace(TurnLease::new(holder));
        // A restart while the turn waits for its person is no failed attempt.
        if !state.may_wait() {
            state.attempts += 1;
        }
        state.active_at = Instant::now();
        let attempts = state.attempts;
        if previous_lease.is_some() {
            state.push_status("retrying");
            self.notify_readers(state);
        }
        (previous_lease, attempts)
    }

    /// Records that a worker polls for another turn while it holds this one.
    pub(super) fn note_polling(&self, worker: &str) {
        if let Some(lease) = &mut self.state().lease
            && lease.worker() == worker
        {
            lease.note_polling(Instant::now());
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
        delays: ServerDelays,
        polls: impl Fn(&str) -> bool,
    ) -> Option<TurnAction> {
        let mut state = self.state();
        let length = state.entries.len();
        let action = state.next_action(now, delays, polls);
        if state.entries.len() > length {
            self.notify_readers(state);
        }
        action
    }

    /// Counts a request that waits for a decision until the guard is dropped.
    pub(crate) fn begin_request(self: &Arc<Self>) -> AgentRequest {
        let mut secret = None;
        if let Some(lease) = &mut self.state().lease {
            lease.begin_request();
            secret = Some(lease.secret());
        }
        AgentRequest { turn: self.clone(), secret }
    }

    /// Restores the previous lease, if the lease is still the one with `secret`; returns whether it was.
    pub(super) fn restore_lease(&self, secret: &str, previous_lease: Option<TurnLease>) -> bool {
        let mut state = self.state();
        let has_secret = matches!(&state.lease, Some(lease) if lease.has_secret(secret));
        if has_secret {
            state.lease = previous_lease;
        }
        has_secret
    }

    /// Expires the lease, if this worker holds it.
    pub(super) fn expire_lease(&self, worker: &str) {
        if let Some(lease) = &mut self.state().lease
            && lease.worker() == worker
        {
            lease.give_up();
        }
    }

    /// Returns whether the lease has this secret, and renews it if so.
    pub(super) fn renew_lease(&self, secret: &str) -> bool {
        let mut state = self.state();
        let Some(lease) = &mut state.lease else { return false };
        if !lease.has_secret(secret) {
            return false;
        }
        lease.renew();
        state.active_at = Instant::now();
        state.status = None;
        true
    }

    /// Returns the asks of the turn in order.
    pub(crate) fn asks(&self) -> Vec<AskId> {
        self.state().asks.clone()
    }

    /// Returns the asks that are not known to be settled, in order.
    pub(crate) fn open_asks(&self) -> Vec<AskId> {
        let state = self.state();
        state.asks.iter().filter(|ask| !state.settled.contains(ask)).copied().collect()
    }

    /// Returns the asks that are not known to be settled, each with its turn.
    pub(crate) fn open_asks_with_turn(self: &Arc<Self>) -> impl Iterator<Item = (Arc<Self>, AskId)> + use<> {
        let live = self.clone();
        self.open_asks().into_iter().map(move |ask| (live.clone(), ask))
    }

    /// Marks an ask as settled.
    pub(crate) fn mark_settled(&self, ask: AskId) {
        let mut state = self.state();
        if state.settled.insert(ask) {
            state.active_at = Instant::now();
            state.attempts = state.attempts.min(1);
            state.checked_at = None;
        }
    }

    /// Marks an ask as shown to the person.
    pub(crate) fn mark_shown(&self, ask: AskId) {
        self.state().shown.insert(ask);
    }

    /// Returns whether the person was shown the ask; no other can be decided in the thread.
    pub(crate) fn was_shown(&self, ask: AskId) -> bool {
        self.state().shown.contains(&ask)
    }

    /// Takes events for the readers, who get them once they are stored.
    ///
    /// # Errors
    /// Fails if the turn exceeds its maximum size.
    pub(crate) fn publish(&self, events: &[PublishedEvent]) -> Result<(), Problem> {
        let size: usize = events.iter().map(|event| event.event().to_sse().len()).sum();
        let mut state = self.state();
        if state.bytes.saturating_add(size) > limits::TURN_BYTES {
            let message = Message::TurnFull.with([limits::TURN_BYTES]);
            return Err(Problem::new(ProblemCode::TooLarge, message).at(DocumentPath::root().join("events")));
        }
        state.bytes += size;
        state.unsent.extend_from_slice(events);
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
    pub(crate) fn interrupt(&self, desk: &StoreDesk, asks: &[&Ask]) -> Result<(), Problem> {
        let store_guard = lock(&self.store_lock);
        self.send_all(desk, &store_guard)?;
        let known_ids = self.asks();
        let new_asks: Vec<&Ask> = asks.iter().copied().filter(|ask| !known_ids.contains(&ask.id)).collect();
        if new_asks.is_empty() {
            return Ok(());
        }
        let is_new_request = new_asks.len() == asks.len();
        let mut events = Vec::with_capacity(new_asks.len());
        for ask in &new_asks {
            let opens_request = is_new_request && events.is_empty();
            events.push(ask_event(ask, opens_request));
        }
        let last_place = self.store_progress(desk, events, None)?;
        let mut state = self.state();
        for (ask, place) in new_asks.iter().zip(places_up_to(last_place, new_asks.len())) {
            state.push_interrupt(ask.id, place);
        }
        self.notify_readers(state);
        Ok(())
    }

    /// Ends the turn. `unregister` runs before readers learn of the end, so that none of them still finds the turn.
    ///
    /// # Errors
    /// Fails if the turn has ended before, or the desk cannot store it.
    pub(crate) fn end(&self, desk: &StoreDesk, unregister: impl FnOnce()) -> Result<(), Problem> {
        let store_guard = lock(&self.store_lock);
        self.send_all(desk, &store_guard)?;
        let place = self.store_progress(desk, Vec::new(), Some(TurnEnding::ByAgent))?;
        unregister();
        self.close_at(place);
        Ok(())
    }

    /// Ends the turn without its agent, as [`ActiveTurn::end`] does.
    ///
    /// # Errors
    /// Fails if the turn has ended before, or the desk cannot store it.
    pub(crate) fn fail(
        &self,
        desk: &StoreDesk,
        unregister: impl FnOnce(),
        reason: LocalizedText,
    ) -> Result<(), Problem> {
        let store_guard = lock(&self.store_lock);
        self.send_all(desk, &store_guard)?;
        let end = TurnEnding::Failed(reason.render(Lang::En));
        let place = self.store_progress(desk, Vec::new(), Some(end))?;
        unregister();
        let mut state = self.state();
        state.push_failure(reason, place);
        self.notify_readers(state);
        Ok(())
    }

    /// Stores what is not stored yet, and then these events, or the end, with its reason if the agent failed. Returns
    /// the place of the last of them.
    fn store_progress(
        &self,
        desk: &StoreDesk,
        events: Vec<ThreadEventKind>,
        end: Option<TurnEnding>,
    ) -> Result<i64, Problem> {
        let (mut entries, title) = {
            let mut state = self.state();
            state.finish_text();
            (state.entries_to_store.clone(), state.title.clone())
        };
        let count = entries.len();
        entries.extend(events.into_iter().map(TurnEntry::Event));
        let has_ended = end.is_some();
        let failure = match end {
            Some(TurnEnding::Failed(reason)) => Some(reason),
            Some(TurnEnding::ByAgent) | None => None,
        };
        let thread = self.thread.clone();
        let progress = TurnProgress { turn: self.number, thread, entries, title, has_ended, failure };
        let last_place = desk.record_progress(progress)?;
        self.state().entries_to_store.drain(..count);
        Ok(last_place)
    }

    /// Publishes the end of the turn.
    pub(crate) fn close(&self) {
        self.close_at(0);
    }

    fn close_at(&self, place: i64) {
        let mut state = self.state();
        state.push_at(StreamEntry::End, place);
        self.notify_readers(state);
    }

    /// Returns the place of the entry before a position.
    pub(super) fn place_before(&self, position: usize) -> i64 {
        self.state().place_before(position)
    }

    /// Returns the position after all entries up to a place.
    pub(crate) fn position_after(&self, place: i64) -> usize {
        self.state().position_after(place)
    }

    /// Returns whether the turn has ended, and nothing but its end follows a position.
    pub(crate) fn has_ended_at(&self, position: usize) -> bool {
        let state = self.state();
        let has_ended = matches!(state.entries.last(), Some(StreamEntry::End | StreamEntry::Failure(_)));
        let mut rest = state.entries.iter().skip(position);
        has_ended && rest.all(|entry| matches!(entry, StreamEntry::End))
    }

    /// Returns the size of the stream, in bytes.
    pub(super) fn stream_bytes(&self) -> usize {
        self.state().bytes
    }

    /// Returns the entry of the stream at a position.
    pub(crate) fn entry(&self, position: usize) -> Option<StreamEntry> {
        self.state().entries.get(position).cloned()
    }

    /// Returns the ask whose interrupt is right before a position.
    pub(crate) fn ask_before(&self, position: usize) -> Option<AskId> {
        let state = self.state();
        let (ask, _) = state.interrupt_ends.iter().find(|(_, end)| **end == position)?;
        Some(*ask)
    }
}

/// Returns the event of an ask for the thread's record.
fn ask_event(ask: &Ask, opens_request: bool) -> ThreadEventKind {
    let questionnaire = &ask.request.questionnaire;
    let tool = match &questionnaire.action {
        Some(action) => action.tool.clone(),
        None => String::new(),
    };
    ThreadEventKind::Ask { ask: ask.id, is_approval: is_approval(questionnaire), tool, opens_request }
}

/// Guard of an agent's request that waits for a decision in its turn.
pub(crate) struct AgentRequest {
    turn: Arc<ActiveTurn>,
    /// Secret of the lease with which it came.
    secret: Option<String>,
}

impl Drop for AgentRequest {
    fn drop(&mut self) {
        let mut state = self.turn.state();
        state.active_at = Instant::now();
        if let (Some(lease), Some(secret)) = (&mut state.lease, &self.secret)
            && lease.has_secret(secret)
        {
            lease.end_request();
        }
    }
}
