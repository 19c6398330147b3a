//! Where a connection stands, and until when it may stand there.

use super::Bounds;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::time::Instant;

/// What its socket, its requests and its watch know of one connection.
pub(super) struct Pulse(Mutex<State>);

struct State {
    in_flight: usize,
    /// Since when no request is in flight.
    since: Instant,
    /// When the first byte came after that.
    heard: Option<Instant>,
    is_served: bool,
    is_multiplexed: bool,
}

/// A request is in flight as long as this lives.
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

    /// Bytes came.
    pub(super) fn hear(&self) {
        let mut state = self.lock();
        // In HTTP/2 bytes between requests are mostly no request: pings, windows.
        let may_be_header = state.in_flight == 0 && !(state.is_multiplexed && state.is_served);
        if may_be_header && state.heard.is_none() {
            state.heard = Some(Instant::now());
        }
    }

    /// A request came.
    pub(super) fn begin(self: &Arc<Self>, is_multiplexed: bool) -> InFlight {
        let mut state = self.lock();
        state.in_flight += 1;
        state.is_served = true;
        state.is_multiplexed = is_multiplexed;
        drop(state);
        InFlight(self.clone())
    }

    /// Whether no request is in flight.
    pub(super) fn is_idle(&self) -> bool {
        self.lock().in_flight == 0
    }

    /// When the connection ends unless something happens; never, while a request is in flight.
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
