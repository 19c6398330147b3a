//! Signals as a file descriptor to poll, with their default action restored afterwards.

use signal_hook::{SigId, flag, low_level};
use std::collections::BTreeMap;
use std::io::{self, Read as _};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::UnixStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Reference count of a signal's listeners in this process.
struct Catchers {
    count: usize,
    /// Set while no listener exists, so that the signal has its default action: an installed handler cannot be
    /// removed.
    nobody: Arc<AtomicBool>,
}

static CATCHERS: Mutex<BTreeMap<i32, Catchers>> = Mutex::new(BTreeMap::new());

/// Listener for signals, active until it is dropped. Its descriptor is readable after a signal has arrived.
#[derive(Debug)]
pub(crate) struct Caught {
    come: UnixStream,
    signals: Vec<i32>,
    registered: Vec<SigId>,
}

impl Caught {
    /// Registers for these signals.
    ///
    /// # Errors
    /// Fails if the system has no more file descriptors.
    pub(crate) fn new(signals: &[i32]) -> io::Result<Self> {
        let (come, sent) = UnixStream::pair()?;
        come.set_nonblocking(true)?;
        let mut caught = Self { come, signals: Vec::new(), registered: Vec::new() };
        for signal in signals {
            begin(*signal)?;
            caught.signals.push(*signal);
            caught.registered.push(low_level::pipe::register(*signal, sent.try_clone()?)?);
        }
        Ok(caught)
    }

    /// Discards pending signals, and returns true if there were any.
    pub(crate) fn drain(&self) -> bool {
        let mut bytes = [0; 64];
        let mut any = false;
        while (&self.come).read(&mut bytes).is_ok_and(|read| read > 0) {
            any = true;
        }
        any
    }
}

impl AsFd for Caught {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.come.as_fd()
    }
}

impl Drop for Caught {
    fn drop(&mut self) {
        for id in &self.registered {
            low_level::unregister(*id);
        }
        for signal in &self.signals {
            end(*signal);
        }
    }
}

fn begin(signal: i32) -> io::Result<()> {
    let mut all = CATCHERS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(catchers) = all.get_mut(&signal) {
        catchers.count += 1;
        catchers.nobody.store(false, Ordering::Release);
        return Ok(());
    }
    let nobody = Arc::new(AtomicBool::new(false));
    flag::register_conditional_default(signal, nobody.clone())?;
    all.insert(signal, Catchers { count: 1, nobody });
    Ok(())
}

fn end(signal: i32) {
    let mut all = CATCHERS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(catchers) = all.get_mut(&signal) {
        catchers.count = catchers.count.saturating_sub(1);
        catchers.nobody.store(catchers.count == 0, Ordering::Release);
    }
}
