//! The folder of the desk: the name of a log that was just made is on the disk only once its folder is synced, too.
//!
//! SQLite would do so once in each process, which costs every command one more wait for the disk. But the log stays as long as
//! the desk: whoever makes it syncs its folder, and whoever commits before it is a minute old does too.

use crate::{clock, own_file};
use jiff::{SignedDuration, Timestamp};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

/// Whoever made a log that has been there longer has synced its folder: nobody waits so long for the desk.
const YOUNG: SignedDuration = SignedDuration::from_secs(60);

#[derive(Debug)]
pub(super) struct Folder {
    log: PathBuf,
    is_synced: AtomicBool,
}

impl Folder {
    pub(super) fn of(desk: &Path) -> Self {
        Self { log: own_file::beside(desk, "-wal"), is_synced: AtomicBool::new(false) }
    }

    /// How large the file of the log is, where there is one. It does not get smaller when the log begins anew.
    pub(super) fn log_bytes(&self) -> Option<u64> {
        std::fs::metadata(&self.log).ok().map(|log| log.len())
    }

    /// To be called after each commit that waited for the disk, before anybody is told of it.
    pub(super) fn settle(&self) {
        if self.is_synced.load(Ordering::Acquire) {
            return;
        }
        if self.is_young() {
            self.sync();
        }
        self.is_synced.store(true, Ordering::Release);
    }

    fn is_young(&self) -> bool {
        let made = std::fs::metadata(&self.log).and_then(|log| log.created());
        let made = made.ok().and_then(|made| Timestamp::try_from(made).ok());
        made.is_none_or(|made| !(YOUNG..).contains(&clock::now().duration_since(made)))
    }

    /// Puts the names in the folder on the disk. A file system that cannot do that keeps them in another way.
    pub(super) fn sync(&self) {
        #[cfg(unix)]
        if let Some(folder) = self.log.parent() {
            let _ = std::fs::File::open(folder).and_then(|folder| folder.sync_all());
        }
    }
}
