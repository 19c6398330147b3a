//! Presence of a person at the desk: the time at which a file next to it was last written. A host that shows nothing
//! while its hook runs asks the desk only while a person is there.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::Duration;

/// Interval at which an open surface renews its mark.
const RENEWAL: Duration = Duration::from_secs(60);

/// Mark of a person who uses the desk. It is renewed until it is dropped.
#[derive(Debug)]
pub(crate) struct PresenceMark {
    /// Ends the renewal when dropped.
    _end: Sender<()>,
}

impl PresenceMark {
    pub(super) fn new(file: PathBuf) -> Self {
        let (end, ended) = channel::<()>();
        touch(&file);
        let renew = move || {
            while ended.recv_timeout(RENEWAL) == Err(RecvTimeoutError::Timeout) {
                touch(&file);
            }
        };
        // Without a thread the mark grows old, and hosts ask by themselves.
        let _ = std::thread::Builder::new().spawn(renew);
        Self { _end: end }
    }
}

/// Writes the file again. A failure leaves an older mark: hosts then ask by themselves.
pub(crate) fn touch(file: &Path) {
    let _ = std::fs::write(file, b"");
}

/// Returns true if the file was written within this time.
pub(super) fn is_recent(file: &Path, within: Duration) -> bool {
    let Ok(at) = std::fs::metadata(file).and_then(|data| data.modified()) else { return false };
    // A clock that was set back makes a file of the future, which is recent.
    at.elapsed().map_or(true, |age| age <= within)
}
