//! Presence of a person at the desk, by the mark that surfaces write. A host that shows nothing while its hook runs asks
//! the desk only while a person is there.

use jiff::{SignedDuration, Timestamp};
use sayso_desk::person_mark::{RENEWAL, touch};
use std::path::PathBuf;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};

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

/// Returns true if a use was within this time before now.
pub(super) fn is_recent(last_use: Timestamp, within: SignedDuration) -> bool {
    // A clock that was set back makes a use in the future, which is recent.
    super::now().duration_since(last_use) <= within
}
