//! Sync of the desk's folder: the name of a new WAL is durable only once its folder is synced, too.
//!
//! SQLite would do so once in each process, which costs every command one more fsync. But the WAL lives as long as
//! the desk: its creator syncs the folder, and so does every process that commits within its first minute.

use super::file_state::size_of;
use crate::{clock, own_file};
use jiff::{SignedDuration, Timestamp};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

/// Age of a WAL whose creator has certainly synced the folder: no one waits so long for the desk.
const YOUNG_LIMIT: SignedDuration = SignedDuration::from_secs(60);

#[derive(Debug)]
pub(crate) struct FolderSync {
    log: PathBuf,
    is_synced: AtomicBool,
}

impl FolderSync {
    pub(crate) fn new(desk: &Path) -> Self {
        Self { log: own_file::sibling_path(desk, "-wal"), is_synced: AtomicBool::new(false) }
    }

    /// Returns the size of the WAL file, if it exists. A WAL restart does not shrink it.
    pub(crate) fn wal_bytes(&self) -> Option<u64> {
        size_of(&self.log)
    }

    /// Syncs the folder of a young WAL. Must run after each synced commit, before any caller learns of it.
    pub(crate) fn sync_if_young(&self) {
        if self.is_synced.load(Ordering::Acquire) {
            return;
        }
        if self.is_young() {
            self.sync();
        }
        self.is_synced.store(true, Ordering::Release);
    }

    fn is_young(&self) -> bool {
        let Ok(created_at) = std::fs::metadata(&self.log).and_then(|log| log.created()) else { return true };
        let Ok(created_at) = Timestamp::try_from(created_at) else { return true };
        clock::now().duration_since(created_at) < YOUNG_LIMIT
    }

    /// Syncs the folder of a WAL that this process has created. It holds the WAL open, which keeps others from deleting
    /// it, so no commit of this process syncs the folder again.
    pub(crate) fn sync_new_wal(&self) {
        self.sync();
        self.is_synced.store(true, Ordering::Release);
    }

    /// Syncs the folder. A file system that cannot do that persists names in another way.
    fn sync(&self) {
        #[cfg(unix)]
        if let Some(folder) = self.log.parent()
            && let Err(error) = std::fs::File::open(folder).and_then(|folder| folder.sync_all())
        {
            tracing::debug!(%error, "the desk's folder cannot be synced");
        }
    }
}
