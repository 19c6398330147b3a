//! Wake-up of waiting programs, in this process and in others. A waiter registers first and then reads the desk; a
//! committer wakes after its COMMIT has returned. So every commit after the read wakes the waiter.
//!
//! A committer may be killed between its COMMIT and the wake-up. Therefore each waiter also polls, at an
//! interval that grows with the number of waiters ([`check_interval`]).

#[cfg(target_os = "linux")]
mod fifo;
pub(crate) mod registry;

use crate::watch::Interest;
use sayso_core::AskId;
use std::fmt::Debug;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// Wake-up of the waiters of a store.
pub(crate) trait Wakeup: Debug + Send + Sync {
    /// Registers a waiter until its listener is dropped. `None` if nothing can wake it here: then it polls.
    fn listen(&self, interest: &Interest) -> Option<Box<dyn Listener>>;

    /// Wakes the waiters for these asks and those for every ask. A waiter that cannot be woken polls later.
    fn wake(&self, scope: &WakeScope);
}

/// A registered waiter.
pub(crate) trait Listener: Debug + Send {
    /// Forgets the wake-ups so far.
    fn drain(&self);

    /// Waits for a wake-up, for `limit` at most.
    fn wait(&self, limit: Duration);

    /// Counts the waiters of the desk, and returns how long this one may wait before it polls.
    fn check_interval(&self) -> Duration;

    /// The descriptor that becomes readable on a wake-up.
    #[cfg(unix)]
    fn fd(&self) -> std::os::fd::BorrowedFd<'_>;
}

/// Waiters that a commit wakes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum WakeScope {
    /// Waiters for one of these asks, or for every ask.
    Asks(Vec<AskId>),
    /// All waiters.
    Everyone,
}

impl WakeScope {
    /// Largest number of asks that are woken one by one; beyond that it is faster to wake everyone.
    pub(crate) const MAX_ASKS: usize = 256;
}

/// Shortest interval of the safety check, for up to [`CHECKS_PER_SECOND`] waiters.
pub(crate) const SHORTEST_INTERVAL: Duration = Duration::from_secs(1);
const LONGEST_INTERVAL: Duration = Duration::from_secs(10);

/// Poll interval of a waiter that nothing wakes: one poll costs a few microseconds.
pub(crate) const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// Safety checks a second of all waiters of a desk together.
const CHECKS_PER_SECOND: u32 = 100;

/// Returns the interval of one waiter's safety check with this many waiters.
#[cfg_attr(not(any(test, target_os = "linux")), expect(dead_code, reason = "no listener here"))]
pub(crate) fn check_interval(waiters: usize) -> Duration {
    let waiters = u32::try_from(waiters).unwrap_or(u32::MAX);
    (Duration::from_secs(waiters.into()) / CHECKS_PER_SECOND).clamp(SHORTEST_INTERVAL, LONGEST_INTERVAL)
}

/// Returns the wake-up of a desk file.
pub(crate) fn for_file(desk: &Path) -> Arc<dyn Wakeup> {
    #[cfg(target_os = "linux")]
    return Arc::new(fifo::FifoWakeup::new(desk));
    #[cfg(not(target_os = "linux"))]
    {
        // Only the FIFOs need the path.
        let _ = desk;
        Arc::new(NoWakeup)
    }
}

/// Wake-up that does nothing: every waiter polls.
#[cfg(not(target_os = "linux"))]
#[derive(Debug)]
struct NoWakeup;

#[cfg(not(target_os = "linux"))]
impl Wakeup for NoWakeup {
    fn listen(&self, _interest: &Interest) -> Option<Box<dyn Listener>> {
        None
    }

    fn wake(&self, _scope: &WakeScope) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn safety_check_slows_down_with_waiters() {
        let seconds = [0, 1, 100, 101, 500, 1_000, 100_000, usize::MAX]
            .map(|waiters| check_interval(waiters).as_secs_f64());
        assert_eq!(seconds, [1.0, 1.0, 1.0, 1.01, 5.0, 10.0, 10.0, 10.0]);
    }
}
