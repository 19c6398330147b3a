//! Wake-up of the waiters in this process, each by a descriptor of its own. Of other processes it hears by a mask.

use super::{Listener, WakeScope, Wakeup};
use crate::watch::Interest;
use sayso_core::AskId;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Interval of a waiter's safety check while other processes can wake it, and while they cannot.
const CHECK_INTERVAL: Duration = Duration::from_secs(1);
const DEAF_INTERVAL: Duration = Duration::from_millis(250);

/// Waiters of this process.
#[derive(Debug, Default)]
pub(crate) struct WakeRegistry(Arc<WaiterTable>);

#[derive(Debug, Default)]
struct WaiterTable {
    waiters: Mutex<HashMap<u64, (Interest, Arc<Bell>)>>,
    next: AtomicU64,
    hears_others: AtomicBool,
}

impl WaiterTable {
    fn lock(&self) -> MutexGuard<'_, HashMap<u64, (Interest, Arc<Bell>)>> {
        self.waiters.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns the mask of a scope: one bit for each ask, all for everyone.
pub(crate) fn mask_of(scope: &WakeScope) -> u64 {
    match scope {
        WakeScope::Asks(asks) => asks.iter().fold(0, |mask, id| mask | bit_of(*id)),
        WakeScope::Everyone => u64::MAX,
    }
}

/// Returns the bit of an ask. The end of an id is random.
fn bit_of(id: AskId) -> u64 {
    id.as_bytes().last().map_or(u64::MAX, |byte| 1 << (byte % 64))
}

impl WakeRegistry {
    /// Wakes the waiters for the asks of this mask, and those for every ask.
    pub(crate) fn wake_mask(&self, mask: u64) {
        for (interest, bell) in self.0.lock().values() {
            if matches!(interest, Interest::Ask(id) if mask & bit_of(*id) == 0) {
                continue;
            }
            bell.ring();
        }
    }

    /// Returns whether other processes can wake the waiters here.
    pub(crate) fn hears_others(&self) -> bool {
        self.0.hears_others.load(Ordering::Relaxed)
    }

    /// Sets whether other processes can wake the waiters here.
    pub(crate) fn set_hears_others(&self, hears: bool) {
        self.0.hears_others.store(hears, Ordering::Relaxed);
        self.wake_mask(u64::MAX);
    }
}

impl Wakeup for WakeRegistry {
    fn listen(&self, interest: &Interest) -> Option<Box<dyn Listener>> {
        let bell =
            Bell::new().inspect_err(|error| tracing::debug!(%error, "no descriptor to wait at")).ok()?;
        let bell = Arc::new(bell);
        let number = self.0.next.fetch_add(1, Ordering::Relaxed);
        self.0.lock().insert(number, (interest.clone(), bell.clone()));
        Some(Box::new(BellListener { table: self.0.clone(), number, bell }))
    }

    fn wake(&self, scope: &WakeScope) {
        for (interest, bell) in self.0.lock().values() {
            match (interest, scope) {
                (Interest::Ask(id), WakeScope::Asks(asks)) if !asks.contains(id) => {}
                _ => bell.ring(),
            }
        }
    }
}

/// Waiter with its descriptor.
#[derive(Debug)]
struct BellListener {
    table: Arc<WaiterTable>,
    number: u64,
    bell: Arc<Bell>,
}

impl Listener for BellListener {
    fn drain(&self) {
        self.bell.silence();
    }

    fn wait(&self, limit: Duration) {
        self.bell.wait(limit);
    }

    fn check_interval(&self) -> Duration {
        if self.table.hears_others.load(Ordering::Relaxed) { CHECK_INTERVAL } else { DEAF_INTERVAL }
    }

    #[cfg(unix)]
    fn fd(&self) -> std::os::fd::BorrowedFd<'_> {
        self.bell.fd()
    }
}

impl Drop for BellListener {
    fn drop(&mut self) {
        self.table.lock().remove(&self.number);
    }
}

/// Descriptor that becomes readable when it is rung.
#[derive(Debug)]
struct Bell(std::os::unix::net::UnixStream, std::os::unix::net::UnixStream);

impl Bell {
    fn new() -> std::io::Result<Self> {
        let (reader, writer) = std::os::unix::net::UnixStream::pair()?;
        reader.set_nonblocking(true)?;
        writer.set_nonblocking(true)?;
        Ok(Self(reader, writer))
    }

    fn ring(&self) {
        use std::io::Write as _;
        // No trace: a full buffer has not been read yet, so the waiter is awake.
        let _ = (&self.1).write(b"!");
    }

    fn silence(&self) {
        use std::io::Read as _;
        let mut buffer = [0_u8; 256];
        while (&self.0).read(&mut buffer).is_ok_and(|count| count == buffer.len()) {}
    }

    fn wait(&self, limit: Duration) {
        use rustix::event::{PollFd, PollFlags, Timespec, poll};
        let Ok(limit) = Timespec::try_from(limit) else { return };
        // A wait that a signal interrupts ends early, and its caller reads the desk.
        let _ = poll(&mut [PollFd::new(&self.0, PollFlags::IN)], Some(&limit));
    }

    fn fd(&self) -> std::os::fd::BorrowedFd<'_> {
        use std::os::fd::AsFd as _;
        self.0.as_fd()
    }
}
