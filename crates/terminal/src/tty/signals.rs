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
        let (come, sent) = UnixStream::pair()?;
        come.set_nonblocking(true)?;
        let mut caught = Self { receiver: come, signals: Vec::new(), registered: Vec::new() };
        for signal in signals {
            add_listener(*signal)?;
            caught.signals.push(*signal);
            caught.registered.push(low_level::pipe::register(*signal, sent.try_clone()?)?);
        }
        Ok(caught)
    }

    /// Discards pending signals, and returns true if there were any.
    pub(crate) fn drain(&self) -> bool {
        let mut bytes = [0; 64];
        let mut any = false;
        while (&self.receiver).read(&mut bytes).is_ok_and(|read| read > 0) {
            any = true;
        }
        any
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
    if let Some(catchers) = all.get_mut(&signal) {
        catchers.count += 1;
        catchers.is_unused.store(false, Ordering::Release);
        return Ok(());
    }
    let nobody = Arc::new(AtomicBool::new(false));
    flag::register_conditional_default(signal, nobody.clone())?;
    all.insert(signal, ListenerCount { count: 1, is_unused: nobody });
    Ok(())
}

fn remove_listener(signal: i32) {
    let mut all = LISTENERS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(catchers) = all.get_mut(&signal) {
        catchers.count = catchers.count.saturating_sub(1);
        catchers.is_unused.store(catchers.count == 0, Ordering::Release);
    }
}
