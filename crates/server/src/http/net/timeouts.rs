//! Activity of a connection, and the deadline that follows from it.

use super::ListenerLimits;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::time::Instant;

/// Activity of one connection, shared by its socket, its requests and its timer.
pub(super) struct ConnectionTimeouts(Mutex<ActivityState>);

struct ActivityState {
    in_flight: usize,
    /// Start of the period without requests in flight.
    idle_since: Instant,
    /// First byte received in that period.
    first_byte_at: Option<Instant>,
    has_served: bool,
    is_multiplexed: bool,
    is_upgraded: bool,
}

/// Guard of a request in flight.
pub(super) struct RequestGuard(Arc<ConnectionTimeouts>);

impl Drop for RequestGuard {
    fn drop(&mut self) {
        let mut state = self.0.lock();
        state.in_flight = state.in_flight.saturating_sub(1);
        state.idle_since = Instant::now();
        state.first_byte_at = None;
    }
}

impl ConnectionTimeouts {
    pub(super) fn new() -> Arc<Self> {
        Arc::new(Self(Mutex::new(ActivityState {
            in_flight: 0,
            idle_since: Instant::now(),
            first_byte_at: None,
            has_served: false,
            is_multiplexed: false,
            is_upgraded: false,
        })))
    }

    fn lock(&self) -> MutexGuard<'_, ActivityState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records that bytes were received.
    pub(super) fn record_bytes(&self) {
        let mut state = self.lock();
        // In HTTP/2, bytes between requests are mostly control frames: pings, window updates.
        let may_be_header = state.in_flight == 0 && !(state.is_multiplexed && state.has_served);
        if may_be_header && state.first_byte_at.is_none() {
            state.first_byte_at = Some(Instant::now());
        }
    }

    /// Records a new request.
    pub(super) fn begin_request(self: &Arc<Self>, is_multiplexed: bool) -> RequestGuard {
        let mut state = self.lock();
        state.in_flight += 1;
        state.has_served = true;
        state.is_multiplexed = is_multiplexed;
        drop(state);
        RequestGuard(self.clone())
    }

    /// Records that the connection is a WebSocket from now on.
    pub(super) fn record_upgrade(&self) {
        self.lock().is_upgraded = true;
    }

    /// Returns whether the connection is a WebSocket.
    pub(super) fn is_upgraded(&self) -> bool {
        self.lock().is_upgraded
    }

    /// Returns whether no request is in flight.
    pub(super) fn is_idle(&self) -> bool {
        self.lock().in_flight == 0
    }

    /// Returns the deadline of the connection; `None` while a request is in flight.
    pub(super) fn deadline(&self, bounds: &ListenerLimits) -> Option<Instant> {
        let state = self.lock();
        match state.first_byte_at {
            _ if state.in_flight > 0 => None,
            Some(reply) => Some(reply + bounds.header_timeout),
            None if state.has_served => Some(state.idle_since + bounds.idle_timeout),
            None => Some(state.idle_since + bounds.first_byte_timeout),
        }
    }
}
