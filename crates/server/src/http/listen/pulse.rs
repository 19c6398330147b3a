//! Activity of a connection, and the deadline that follows from it.

use super::Bounds;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::time::Instant;

/// Activity of one connection, shared by its socket, its requests and its timer.
pub(super) struct Pulse(Mutex<State>);

struct State {
    in_flight: usize,
    /// Start of the period without requests in flight.
    since: Instant,
    /// First byte received in that period.
    heard: Option<Instant>,
    is_served: bool,
    is_multiplexed: bool,
}

/// Guard of a request in flight.
pub(super) struct InFlight(Arc<Pulse>);

impl Drop for InFlight {
    fn drop(&mut self) {
        let mut state = self.0.lock();
        state.in_flight = state.in_flight.saturating_sub(1);
        state.since = Instant::now();
        state.heard = None;
    }
}

impl Pulse {
    pub(super) fn new() -> Arc<Self> {
        Arc::new(Self(Mutex::new(State {
            in_flight: 0,
            since: Instant::now(),
            heard: None,
            is_served: false,
            is_multiplexed: false,
        })))
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records that bytes were received.
    pub(super) fn hear(&self) {
        let mut state = self.lock();
        // In HTTP/2, bytes between requests are mostly control frames: pings, window updates.
        let may_be_header = state.in_flight == 0 && !(state.is_multiplexed && state.is_served);
        if may_be_header && state.heard.is_none() {
            state.heard = Some(Instant::now());
        }
    }

    /// Records a new request.
    pub(super) fn begin(self: &Arc<Self>, is_multiplexed: bool) -> InFlight {
        let mut state = self.lock();
        state.in_flight += 1;
        state.is_served = true;
        state.is_multiplexed = is_multiplexed;
        drop(state);
        InFlight(self.clone())
    }

    /// Returns whether no request is in flight.
    pub(super) fn is_idle(&self) -> bool {
        self.lock().in_flight == 0
    }

    /// Returns the deadline of the connection; `None` while a request is in flight.
    pub(super) fn deadline(&self, bounds: &Bounds) -> Option<Instant> {
        let state = self.lock();
        match state.heard {
            _ if state.in_flight > 0 => None,
            Some(heard) => Some(heard + bounds.header),
            None if state.is_served => Some(state.since + bounds.idle),
            None => Some(state.since + bounds.first_byte),
        }
    }
}
