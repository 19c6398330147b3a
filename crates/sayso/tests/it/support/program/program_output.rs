//! Output of a program, collected while it runs, so that a test can wait for it.

use std::io::Read;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Maximum wait in these tests. Nothing comes near it unless something is broken.
pub(crate) const LIMIT: Duration = Duration::from_secs(60);

#[derive(Default)]
struct CollectedBytes {
    bytes: Vec<u8>,
    ended: bool,
}

/// Output of one stream of a program so far.
#[derive(Clone, Default)]
pub(crate) struct ProgramOutput {
    collected: Arc<(Mutex<CollectedBytes>, Condvar)>,
}

impl ProgramOutput {
    /// Reads to the end, in a thread of its own.
    pub(crate) fn from_reader(mut source: impl Read + Send + 'static) -> Self {
        let output = Self::default();
        let theirs = output.clone();
        thread::spawn(move || {
            let mut chunk = [0; 8192];
            loop {
                let read = source.read(&mut chunk).unwrap_or(0);
                let mut gathered = theirs.lock();
                gathered.bytes.extend_from_slice(&chunk[..read]);
                gathered.ended |= read == 0;
                theirs.collected.1.notify_all();
                if read == 0 {
                    return;
                }
            }
        });
        output
    }

    fn lock(&self) -> MutexGuard<'_, CollectedBytes> {
        self.collected.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until these words appear after `from`, and returns their end.
    pub(crate) fn wait_for(&self, words: &str, from: usize) -> usize {
        let until = Instant::now() + LIMIT;
        let mut gathered = self.lock();
        loop {
            let rest = gathered.bytes.get(from..).unwrap_or_default();
            if let Some(at) = rest.windows(words.len()).position(|window| window == words.as_bytes()) {
                return from + at + words.len();
            }
            let left = until.saturating_duration_since(Instant::now());
            if gathered.ended || left.is_zero() {
                panic!("{words:?} did not come in:\n{}", tail(&gathered.bytes));
            }
            gathered =
                self.collected.1.wait_timeout(gathered, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Returns the output between two positions.
    pub(crate) fn between(&self, from: usize, to: usize) -> String {
        String::from_utf8(self.lock().bytes[from..to].to_vec()).unwrap()
    }

    /// Returns true if output arrives after a position within this time.
    pub(crate) fn grows_after(&self, from: usize, within: Duration) -> bool {
        let until = Instant::now() + within;
        let mut gathered = self.lock();
        loop {
            let left = until.saturating_duration_since(Instant::now());
            if gathered.bytes.len() > from || left.is_zero() {
                return gathered.bytes.len() > from;
            }
            gathered =
                self.collected.1.wait_timeout(gathered, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Waits for the end, and returns all output.
    pub(crate) fn to_end(&self) -> Vec<u8> {
        let until = Instant::now() + LIMIT;
        let mut gathered = self.lock();
        while !gathered.ended {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                panic!("no end of:\n{}", tail(&gathered.bytes));
            }
            gathered =
                self.collected.1.wait_timeout(gathered, left).unwrap_or_else(PoisonError::into_inner).0;
        }
        gathered.bytes.clone()
    }

    /// Returns the last part of the output so far, for the message of a failed test.
    pub(crate) fn last_part(&self) -> String {
        tail(&self.lock().bytes)
    }
}

/// Returns the last part of the output, for the message of a failed test.
fn tail(bytes: &[u8]) -> String {
    String::from_utf8_lossy(&bytes[bytes.len().saturating_sub(4000)..]).into_owned()
}
