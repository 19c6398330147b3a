//! How a worker on another thread wakes whoever waits for the terminal.

use super::Wake;
use super::unreadable;
use sayso_core::Problem;

/// Rung on one thread, waited for on another.
#[derive(Debug)]
pub struct Waker {
    #[cfg(unix)]
    ends: (std::os::unix::net::UnixStream, std::os::unix::net::UnixStream),
    #[cfg(not(unix))]
    rung: std::sync::atomic::AtomicBool,
}

#[cfg(unix)]
impl Waker {
    /// One that nobody has rung.
    ///
    /// # Errors
    /// When the system has no more descriptors.
    pub fn new() -> Result<Self, Problem> {
        let pair = || {
            let ends = std::os::unix::net::UnixStream::pair()?;
            ends.0.set_nonblocking(true)?;
            ends.1.set_nonblocking(true)?;
            Ok(ends)
        };
        Ok(Self { ends: pair().map_err(|error: std::io::Error| unreadable(&error))? })
    }

    /// Wakes whoever waits. Ringing twice before anybody looks is ringing once.
    pub fn ring(&self) {
        // Full means that it has been rung often enough.
        let _ = std::io::Write::write(&mut &self.ends.0, &[0]);
    }

    /// What to wait for.
    pub fn wake(&self) -> Wake<'_> {
        std::os::fd::AsFd::as_fd(&self.ends.1)
    }

    /// Forgets what was rung.
    pub fn hush(&self) {
        let mut bytes = [0; 256];
        while std::io::Read::read(&mut &self.ends.1, &mut bytes).is_ok_and(|read| read == bytes.len()) {}
    }
}

#[cfg(not(unix))]
impl Waker {
    /// One that nobody has rung.
    ///
    /// # Errors
    /// Never here.
    pub fn new() -> Result<Self, Problem> {
        Ok(Self { rung: std::sync::atomic::AtomicBool::new(false) })
    }

    /// Wakes whoever waits. Ringing twice before anybody looks is ringing once.
    pub fn ring(&self) {
        self.rung.store(true, std::sync::atomic::Ordering::Release);
    }

    /// What to wait for.
    pub fn wake(&self) -> Wake<'_> {
        &self.rung
    }

    /// Forgets what was rung.
    pub fn hush(&self) {
        self.rung.store(false, std::sync::atomic::Ordering::Release);
    }
}
