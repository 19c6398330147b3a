//! Lease of a turn: the process of the agent that holds it, and when another may take it.

use sayso_desk::thread::TurnHolder;
use std::time::{Duration, Instant};

/// Lease of a turn, held by one worker of the agent.
#[derive(Clone)]
pub(super) struct TurnLease {
    secret: String,
    worker: String,
    /// Silence after which the lease is over.
    duration: Duration,
    expires_at: Instant,
    /// True once its worker has started again.
    is_given_up: bool,
    /// Requests of the worker that wait for a decision; they keep the lease.
    requests: usize,
    /// Last poll of this worker for another turn while it holds this one.
    polled_at: Option<Instant>,
    /// True if it was renewed here since other nodes were told, and when they were.
    is_untold: bool,
    told_at: Instant,
}

impl TurnLease {
    /// Creates the lease of a holder, which begins now.
    pub(crate) fn new(holder: TurnHolder) -> Self {
        let duration = Duration::from_secs(holder.lease_seconds.into());
        Self {
            secret: holder.secret,
            worker: holder.worker,
            duration,
            expires_at: Instant::now() + duration,
            is_given_up: false,
            requests: 0,
            polled_at: None,
            is_untold: false,
            told_at: Instant::now(),
        }
    }

    /// Returns whether the lease has this secret.
    pub(super) fn has_secret(&self, secret: &str) -> bool {
        self.secret == secret
    }

    /// Returns the secret, for a guard of a request.
    pub(crate) fn secret(&self) -> String {
        self.secret.clone()
    }

    /// Returns the worker.
    pub(crate) fn worker(&self) -> &str {
        &self.worker
    }

    /// Returns whether another worker may take the turn.
    pub(super) fn is_expired(&self, now: Instant) -> bool {
        self.is_expired_for(now, Duration::ZERO)
    }

    /// Returns whether the lease has been over for this long.
    pub(super) fn is_expired_for(&self, now: Instant, since: Duration) -> bool {
        !self.has_requests() && now >= self.expires_at + since
    }

    /// Returns whether a request of the worker waits for a decision.
    pub(super) const fn has_requests(&self) -> bool {
        self.requests > 0 && !self.is_given_up
    }

    /// Renews the lease.
    pub(crate) fn renew(&mut self) {
        self.renew_elsewhere();
        self.is_untold = true;
    }

    /// Renews the lease after a request of the worker at another node.
    pub(super) fn renew_elsewhere(&mut self) {
        self.expires_at = Instant::now() + self.duration;
        self.is_given_up = false;
    }

    /// Returns whether other nodes are to be told that the worker is alive: four times in the lease, or in this silence
    /// if that is shorter.
    pub(crate) fn take_untold(&mut self, now: Instant, silence: Duration) -> bool {
        let is_due = now.saturating_duration_since(self.told_at) >= self.duration.min(silence) / 4;
        let is_alive = self.is_untold || self.has_requests();
        if !is_due || !is_alive {
            return false;
        }
        self.is_untold = false;
        self.told_at = now;
        true
    }

    /// Ends the lease, because its worker has started again.
    pub(super) fn give_up(&mut self) {
        self.expires_at = Instant::now();
        self.is_given_up = true;
    }

    /// Counts a request that waits for a decision.
    pub(crate) const fn begin_request(&mut self) {
        self.requests += 1;
    }

    /// Ends such a request, and renews the lease.
    pub(super) fn end_request(&mut self) {
        self.requests = self.requests.saturating_sub(1);
        if !self.is_given_up {
            self.renew();
        }
    }

    /// Records that the worker polls for another turn.
    pub(super) const fn note_polling(&mut self, now: Instant) {
        self.polled_at = Some(now);
    }

    /// Returns whether the worker polled for other turns before, and has not for this long.
    pub(super) fn stopped_polling(&self, now: Instant, since: Duration) -> bool {
        matches!(self.polled_at, Some(polled_at) if now.saturating_duration_since(polled_at) >= since)
    }
}
