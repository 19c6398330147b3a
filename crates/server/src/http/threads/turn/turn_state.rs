//! State of an active turn, and what is due for it.

use super::lease::TurnLease;
use super::published_event::PublishedEvent;
use crate::http::ServerDelays;
use axum::body::Bytes;
use sayso_core::{AskId, LocalizedText, limits};
use sayso_desk::thread::{PendingTurn, ThreadEventKind, TurnEntry};
use sayso_dialects::interrupt::InterruptEvent;
use std::collections::{HashMap, HashSet};
use std::mem::take;
use std::time::{Duration, Instant};

/// Delay after the end of a lease before the person is told: another process may take the turn at once.
const LEASE_NOTICE_DELAY: Duration = Duration::from_millis(500);

/// Interval at which a turn that waits for its person is checked again.
const RECHECK_INTERVAL: Duration = Duration::from_secs(5);

/// One entry in the stream of a turn.
#[derive(Clone)]
pub(crate) enum StreamEntry {
    /// Serialized event.
    Event(Bytes),
    /// Interrupt for an ask.
    Interrupt(AskId),
    /// End of the turn.
    End,
    /// End of the turn without its agent, for this reason.
    Failure(LocalizedText),
}

/// Action to take for a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TurnAction {
    /// Check for an open ask, in which case the turn rightly waits.
    CheckForAsk,
    /// End the turn: its agent failed too often.
    EndFailed,
    /// End the turn: its agent was silent for too long.
    EndSilent,
}

/// State of a turn: the entries of its stream, the lease, and what is not stored yet.
pub(super) struct TurnState {
    pub(crate) entries: Vec<StreamEntry>,
    /// Place of each entry at the desk, never smaller than that before it.
    places: Vec<i64>,
    /// True if other nodes may have the turn, too.
    is_shared: bool,
    /// Events that are not stored yet.
    pub(super) unsent: Vec<PublishedEvent>,
    /// Total size of the entries and of what is not stored, in bytes.
    pub(crate) bytes: usize,
    pub(crate) asks: Vec<AskId>,
    /// Asks known to be settled, which is final.
    pub(crate) settled: HashSet<AskId>,
    /// Asks that the person has been shown.
    pub(crate) shown: HashSet<AskId>,
    /// Position after the interrupt of an ask.
    pub(super) interrupt_ends: HashMap<AskId, usize>,
    pub(crate) lease: Option<TurnLease>,
    /// Text of the agent's current message.
    pub(crate) text: String,
    /// Entries of the record that are not stored yet.
    pub(super) entries_to_store: Vec<TurnEntry>,
    pub(crate) title: Option<String>,
    /// Last activity of the agent or of its person.
    pub(super) active_at: Instant,
    /// Last check for an open ask.
    pub(super) checked_at: Option<Instant>,
    /// Number of leases granted since the turn last made progress.
    pub(crate) attempts: u32,
    /// Last status sent to the person about a missing agent.
    pub(crate) status: Option<&'static str>,
}

impl TurnState {
    /// Creates the state of a turn with this lease.
    pub(crate) fn new(lease: Option<TurnLease>, attempts: u32, is_shared: bool) -> Self {
        Self {
            entries: Vec::new(),
            places: Vec::new(),
            is_shared,
            unsent: Vec::new(),
            bytes: 0,
            asks: Vec::new(),
            settled: HashSet::new(),
            shown: HashSet::new(),
            interrupt_ends: HashMap::new(),
            attempts: attempts.max(u32::from(lease.is_some())),
            lease,
            text: String::new(),
            entries_to_store: Vec::new(),
            title: None,
            active_at: Instant::now(),
            checked_at: None,
            status: None,
        }
    }

    /// Returns whether an ask may be open.
    pub(super) fn may_wait(&self) -> bool {
        self.asks.iter().any(|ask| !self.settled.contains(ask))
    }

    /// Sets the lease that another node has granted.
    pub(super) fn take_lease(&mut self, turn: Option<&PendingTurn>) {
        let Some(turn) = turn else { return };
        let Some(holder) = turn.holder.clone() else { return };
        let previous_lease = self.lease.replace(TurnLease::new(holder));
        self.attempts = turn.attempts;
        self.active_at = Instant::now();
        if previous_lease.is_some() {
            self.push_status("retrying");
        }
    }

    /// Renews the lease, whose holder is alive at another node.
    pub(super) fn renew_lease(&mut self) {
        if let Some(lease) = &mut self.lease {
            lease.renew_elsewhere();
        }
        self.active_at = Instant::now();
        self.status = None;
    }

    /// Adds a status about a missing agent.
    pub(super) fn push_status(&mut self, status: &'static str) {
        self.status = Some(status);
        self.push(StreamEntry::Event(InterruptEvent::status(status).to_sse().into()));
    }

    /// Adds an entry to the stream that the desk does not store.
    pub(crate) fn push(&mut self, entry: StreamEntry) {
        self.push_at(entry, 0);
    }

    /// Adds an entry to the stream, which the desk stores at this place.
    pub(super) fn push_at(&mut self, entry: StreamEntry, place: i64) {
        let last = self.places.last().copied().unwrap_or_default();
        self.places.push(last.max(place));
        self.entries.push(entry);
    }

    /// Returns the place of the entry before a position; 0 at the beginning.
    pub(super) fn place_before(&self, position: usize) -> i64 {
        let place = position.checked_sub(1).and_then(|last| self.places.get(last));
        place.copied().unwrap_or_default()
    }

    /// Returns the position after all entries up to a place.
    pub(crate) fn position_after(&self, place: i64) -> usize {
        self.places.partition_point(|earlier_place| *earlier_place <= place)
    }

    /// Adds an event of the agent.
    pub(super) fn push_published(&mut self, event: &PublishedEvent, place: i64) {
        match event {
            PublishedEvent::Text(text) => self.text.push_str(text),
            PublishedEvent::ToolStart(tool) => self.push_event(ThreadEventKind::ToolStart(tool.clone())),
            PublishedEvent::ToolEnd(tool) => self.push_event(ThreadEventKind::ToolEnd(tool.clone())),
            PublishedEvent::Title(title) => self.title = Some(title.clone()),
            PublishedEvent::Error(_) => {}
        }
        self.push_at(StreamEntry::Event(event.event().to_sse().into()), place);
    }

    /// Adds the end of the turn without its agent.
    pub(super) fn push_failure(&mut self, reason: LocalizedText, place: i64) {
        self.push_at(StreamEntry::Failure(reason), place);
    }

    /// Adds the interrupt of an ask.
    pub(super) fn push_interrupt(&mut self, ask: AskId, place: i64) {
        self.push_at(StreamEntry::Interrupt(ask), place);
        self.interrupt_ends.insert(ask, self.entries.len());
        self.asks.push(ask);
        self.attempts = self.attempts.min(1);
    }

    /// Adds an event to the record, after the text so far.
    pub(crate) fn push_event(&mut self, event: ThreadEventKind) {
        self.finish_text();
        self.entries_to_store.push(TurnEntry::Event(event));
    }

    /// Ends the agent's current message.
    pub(super) fn finish_text(&mut self) {
        if !self.text.is_empty() {
            self.entries_to_store.push(TurnEntry::Message(take(&mut self.text)));
        }
    }

    /// Returns the action that is due, and adds a status if the agent is missing.
    pub(super) fn next_action(
        &mut self,
        now: Instant,
        delays: ServerDelays,
        polls: impl Fn(&str) -> bool,
    ) -> Option<TurnAction> {
        let silence = now.saturating_duration_since(self.active_at);
        let is_noticed = silence >= delays.turn_notice;
        let mut status = if is_noticed { Some("no_agent") } else { None };
        let mut action = if silence >= delays.turn_silence { Some(TurnAction::EndSilent) } else { None };
        if let Some(lease) = &mut self.lease {
            if polls(lease.worker()) {
                lease.note_polling(now);
            }
            if lease.has_requests() {
                self.active_at = now;
                return None;
            }
            // Its holder may poll at another node.
            let is_left = is_noticed && !self.is_shared && lease.stopped_polling(now, delays.turn_notice);
            let has_stopped = is_left || lease.is_expired_for(now, LEASE_NOTICE_DELAY);
            status = if has_stopped { Some("agent_stopped") } else { None };
            if lease.is_expired(now) && self.attempts >= limits::TURN_ATTEMPTS {
                action = Some(TurnAction::EndFailed);
            }
        }
        // The person was told before.
        if status == self.status {
            status = None;
        }
        if action.is_none() && status.is_none() {
            return None;
        }
        if self.may_wait() {
            return self.check_for_ask(now);
        }
        if let Some(status) = status {
            self.push_status(status);
        }
        action
    }

    /// Returns the check for an open ask, if it is due.
    fn check_for_ask(&mut self, now: Instant) -> Option<TurnAction> {
        if let Some(checked_at) = self.checked_at
            && now.saturating_duration_since(checked_at) < RECHECK_INTERVAL
        {
            return None;
        }
        self.checked_at = Some(now);
        Some(TurnAction::CheckForAsk)
    }
}
