//! Signals as a file descriptor to poll, with their default action restored afterwards.

use signal_hook::{SigId, flag, low_level};
use std::collections::BTreeMap;
use std::io::{self, Read as _};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::UnixStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Reference count of a signal's listeners in this process.
struct ListenerCount {
    count: usize,
    /// Set while no listener exists, so that the signal has its default action: an installed handler cannot be
    /// removed.
    is_unused: Arc<AtomicBool>,
}

static LISTENERS: Mutex<BTreeMap<i32, ListenerCount>> = Mutex::new(BTreeMap::new());

/// Listener for signals, active until it is dropped. Its descriptor is readable after a signal has arrived.
#[derive(Debug)]
pub(crate) struct SignalListener {
    receiver: UnixStream,
    signals: Vec<i32>,
    registered: Vec<SigId>,
}

impl SignalListener {
    /// Registers for these signals.
    ///
    /// # Errors
    /// Fails if the system has no more file descriptors.
    pub(crate) fn new(signals: &[i32]) -> io::Result<Self> {
        let (receiver, sender) = UnixStream::pair()?;
        receiver.set_nonblocking(true)?;
        // If a registration fails, dropping the listener undoes those before it.
        let mut listener = Self { receiver, signals: Vec::new(), registered: Vec::new() };
        for signal in signals {
            add_listener(*signal)?;
            listener.signals.push(*signal);
            listener.registered.push(low_level::pipe::register(*signal, sender.try_clone()?)?);
        }
        Ok(listener)
    }

    /// Discards pending signals, and returns true if there were any.
    pub(crate) fn drain(&self) -> bool {
        let mut bytes = [0; 64];
        let mut has_signal = false;
        while let Ok(1..) = (&self.receiver).read(&mut bytes) {
            has_signal = true;
        }
        has_signal
    }
}

impl AsFd for SignalListener {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.receiver.as_fd()
    }
}

impl Drop for SignalListener {
    fn drop(&mut self) {
        for id in &self.registered {
            low_level::unregister(*id);
        }
        for signal in &self.signals {
            remove_listener(*signal);
        }
    }
}

fn add_listener(signal: i32) -> io::Result<()> {
    let mut all = LISTENERS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(listeners) = all.get_mut(&signal) {
        listeners.count += 1;
        listeners.is_unused.store(false, Ordering::Release);
        return Ok(());
    }
    let is_unused = Arc::new(AtomicBool::new(false));
    flag::register_conditional_default(signal, is_unused.clone())?;
    all.insert(signal, ListenerCount { count: 1, is_unused });
    Ok(())
}

fn remove_listener(signal: i32) {
    let mut all = LISTENERS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(listeners) = all.get_mut(&signal) {
        listeners.count = listeners.count.saturating_sub(1);
        listeners.is_unused.store(listeners.count == 0, Ordering::Release);
    }
}
