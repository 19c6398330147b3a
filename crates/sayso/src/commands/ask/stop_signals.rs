//! Signals that stop a wait whose end changes the ask, instead of ending the process at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Flag that SIGINT, SIGTERM and SIGHUP set. A program that replaces this one gets their defaults again.
pub(crate) struct StopSignals(Arc<AtomicBool>);

impl StopSignals {
    /// Longest wait after which the flag is read: a signal interrupts most waits, but not those for a server.
    pub(crate) const CHECK: Duration = Duration::from_secs(1);

    /// Registers the handlers.
    pub(crate) fn register() -> Self {
        let is_received = Arc::new(AtomicBool::new(false));
        #[cfg(unix)]
        for signal in [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM, signal_hook::consts::SIGHUP]
        {
            // Without a handler the signal ends the process, and the ask stays open.
            let _ = signal_hook::flag::register(signal, is_received.clone());
        }
        Self(is_received)
    }

    /// Returns true once a signal arrived.
    pub(crate) fn is_received(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
