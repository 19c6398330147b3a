//! Mark of a person who uses the desk: a file next to it whose time of change is that of the last use. Every surface
//! of this machine writes it, and whoever needs a person reads it.

use super::own_file;
use jiff::Timestamp;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Interval at which an open surface renews the mark.
pub const RENEWAL: Duration = Duration::from_secs(60);
/// Shortest interval between two writes for single uses.
const WRITE_INTERVAL: Duration = Duration::from_secs(15);

/// Mark of a person, by its file.
#[derive(Debug)]
pub struct PersonMark {
    file: PathBuf,
    written: Mutex<Option<Instant>>,
}

impl PersonMark {
    /// Returns the mark in this file.
    pub const fn new(file: PathBuf) -> Self {
        Self { file, written: Mutex::new(None) }
    }

    /// Records that a person uses the desk now. Repetitions within seconds cost no write.
    pub fn record(&self) {
        // A panic elsewhere leaves at worst an older time.
        let mut written = self.written.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if written.is_none_or(|at| at.elapsed() >= WRITE_INTERVAL) {
            *written = Some(Instant::now());
            touch(&self.file);
        }
    }

    /// Returns the time of the last use; `None` if there was none.
    pub fn last_use(&self) -> Option<Timestamp> {
        let changed = std::fs::metadata(&self.file).and_then(|data| data.modified()).ok()?;
        Timestamp::try_from(changed).ok()
    }
}

/// Writes the file again. A failure leaves an older mark: hosts then ask by themselves.
pub fn touch(file: &Path) {
    if let Err(error) = own_file::open_emptied(file) {
        tracing::debug!(%error, "the mark of a person was not renewed");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn use_is_recorded_once() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("desk.db.person");
        let mark = PersonMark::new(file.clone());
        assert_eq!(mark.last_use(), None);
        mark.record();
        assert!(mark.last_use().is_some());
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
        }
        std::fs::remove_file(&file).unwrap();
        mark.record();
        assert!(!file.exists());
    }
}
