//! Signals that stop a wait whose end changes the ask, instead of ending the process at once.

use sayso_terminal::InterruptListener;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Flag that SIGINT, SIGTERM and SIGHUP set. A program that replaces this one gets their defaults again.
pub(crate) struct StopSignals {
    is_received: Arc<AtomicBool>,
    /// Keeps the signal from its default action after a prompter has stopped to listen.
    _listener: Option<InterruptListener>,
}

impl StopSignals {
    /// Longest wait after which the flag is read: a signal interrupts most waits, but not those for a server.
    pub(crate) const CHECK: Duration = Duration::from_secs(1);

    /// Registers the handlers.
    pub(crate) fn register() -> Self {
        #[cfg(unix)]
        let signals =
            [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM, signal_hook::consts::SIGHUP];
        #[cfg(not(unix))]
        let signals = [];
        Self::register_signals(&signals)
    }

    /// Registers the handler of SIGINT alone.
    pub(crate) fn register_interrupt() -> Self {
        #[cfg(unix)]
        let signals = [signal_hook::consts::SIGINT];
        #[cfg(not(unix))]
        let signals = [];
        Self { _listener: InterruptListener::new().ok(), ..Self::register_signals(&signals) }
    }

    fn register_signals(#[cfg_attr(not(unix), expect(unused))] signals: &[i32]) -> Self {
        let is_received = Arc::new(AtomicBool::new(false));
        #[cfg(unix)]
        for signal in signals {
            // Without a handler the signal ends the process, and the ask stays open.
            let _ = signal_hook::flag::register(*signal, is_received.clone());
        }
        Self { is_received, _listener: None }
    }

    /// Returns true once a signal arrived.
    pub(crate) fn is_received(&self) -> bool {
        self.is_received.load(Ordering::Relaxed)
    }
}
