//! Waker for the thread that waits for the terminal.

use super::WakeHandle;
use super::read_problem;
use sayso_core::Problem;

/// Wakeup flag between two threads.
#[derive(Debug)]
pub struct LoopWaker {
    #[cfg(unix)]
    ends: (std::os::unix::net::UnixStream, std::os::unix::net::UnixStream),
    #[cfg(not(unix))]
    rung: std::sync::atomic::AtomicBool,
}

#[cfg(unix)]
impl LoopWaker {
    /// Creates a waker.
    ///
    /// # Errors
    /// Fails if the system has no more descriptors.
    pub fn new() -> Result<Self, Problem> {
        let ends = std::os::unix::net::UnixStream::pair().map_err(read_problem)?;
        ends.0.set_nonblocking(true).map_err(read_problem)?;
        ends.1.set_nonblocking(true).map_err(read_problem)?;
        Ok(Self { ends })
    }

    /// Wakes the waiting thread. Rings before the next wait count as one.
    pub fn notify(&self) {
        // A full pipe has been rung already; a closed one means that no one waits any more.
        let _ = std::io::Write::write(&mut &self.ends.0, &[0]);
    }

    /// Returns the descriptor to wait for.
    pub fn handle(&self) -> WakeHandle<'_> {
        std::os::fd::AsFd::as_fd(&self.ends.1)
    }

    /// Clears the wakeup.
    pub fn clear(&self) {
        let mut bytes = [0; 256];
        while std::io::Read::read(&mut &self.ends.1, &mut bytes).is_ok_and(|count| count == bytes.len()) {}
    }
}

#[cfg(not(unix))]
impl LoopWaker {
    /// Creates a waker.
    ///
    /// # Errors
    /// Never fails here.
    pub fn new() -> Result<Self, Problem> {
        Ok(Self { rung: std::sync::atomic::AtomicBool::new(false) })
    }

    /// Wakes the waiting thread. Rings before the next wait count as one.
    pub fn notify(&self) {
        self.rung.store(true, std::sync::atomic::Ordering::Release);
    }

    /// Returns the flag to wait for.
    pub fn handle(&self) -> WakeHandle<'_> {
        &self.rung
    }

    /// Clears the wakeup.
    pub fn clear(&self) {
        self.rung.store(false, std::sync::atomic::Ordering::Release);
    }
}
