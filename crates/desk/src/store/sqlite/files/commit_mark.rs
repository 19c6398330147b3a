//! Commit mark: a small file next to the desk with the number of its last durable commit. A desk with a lower number
//! than its mark lacks confirmed commits.
//!
//! It is written after a commit that synced the WAL and its folder, and is not synced itself. So it is never newer
//! than the desk, whatever a power cut leaves of it: soon after the desk was created, perhaps an empty file. Numbers
//! rotate over several slots, and the highest counts: writers of several processes need no lock, and a torn slot hides
//! no other.

use crate::own_file;
use rusqlite::Connection;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// Bytes of a slot; no slot crosses a disk sector boundary.
const SLOT_BYTES: usize = 64;

/// Number of slots, which together fill one page.
const SLOTS: usize = 64;

/// Commit progress of a desk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct CommitProgress {
    /// Id that distinguishes the desk from others.
    pub(crate) desk: i64,
    /// Changes in the log plus commits without an entry there, since the desk was created.
    pub(crate) commits: i64,
    /// Row number of the last ask.
    pub(crate) last_ask: i64,
    /// Time of the last change, in microseconds since 1970, or 0.
    pub(crate) at: i64,
}

impl CommitProgress {
    /// Reads the present progress of a desk.
    pub(crate) fn read(conn: &Connection) -> rusqlite::Result<Self> {
        conn.prepare_cached(
            "SELECT (SELECT value FROM chore WHERE name = 'desk'), \
             coalesce((SELECT max(n) FROM change), 0) + (SELECT value FROM chore WHERE name = 'unlogged'), \
             coalesce((SELECT max(seq) FROM ask), 0), \
             coalesce((SELECT at FROM change ORDER BY n DESC LIMIT 1), 0)",
        )?
        .query_row([], |row| {
            Ok(Self { desk: row.get(0)?, commits: row.get(1)?, last_ask: row.get(2)?, at: row.get(3)? })
        })
    }

    fn to_slot(self) -> [u8; SLOT_BYTES] {
        let mut slot = [0; SLOT_BYTES];
        let values = [self.desk, self.commits, self.last_ask, self.at].map(i64::to_le_bytes).concat();
        let sum = crc32fast::hash(&values).to_le_bytes();
        for (place, byte) in slot.iter_mut().zip(values.into_iter().chain(sum)) {
            *place = byte;
        }
        slot
    }

    fn from_slot(slot: &[u8; SLOT_BYTES]) -> Option<Self> {
        let (values, rest) = slot.split_at_checked(32)?;
        let (sum, _) = rest.split_first_chunk()?;
        let (values, _) = values.as_chunks();
        let [desk, commits, last_ask, at] = *values else { return None };
        let [desk, commits, last_ask, at] = [desk, commits, last_ask, at].map(i64::from_le_bytes);
        if crc32fast::hash(values.as_flattened()) != u32::from_le_bytes(*sum) {
            return None;
        }
        Some(Self { desk, commits, last_ask, at })
    }
}

/// File with the number of a desk's last durable commit.
#[derive(Debug)]
pub(crate) struct CommitMark {
    path: PathBuf,
    file: OnceLock<Option<File>>,
}

impl CommitMark {
    pub(crate) fn new(desk: &Path) -> Self {
        Self { path: own_file::sibling_path(desk, ".mark"), file: OnceLock::new() }
    }

    /// Reads the highest number; `None` without a mark, or without a valid slot.
    pub(crate) fn read(&self) -> Option<CommitProgress> {
        let mut bytes = Vec::new();
        own_file::open_to_read(&self.path).ok()?.read_to_end(&mut bytes).ok()?;
        let (slots, _) = bytes.as_chunks::<SLOT_BYTES>();
        slots.iter().filter_map(CommitProgress::from_slot).max_by_key(|progress| progress.commits)
    }

    /// Returns whether there is a mark file, whatever is in it.
    pub(crate) fn exists(&self) -> bool {
        self.path.exists()
    }

    /// Writes the first mark of a new desk. It needs no sync: a lost one lags behind like any other.
    pub(crate) fn begin(&self, progress: CommitProgress) {
        self.rewrite(progress, |_| Ok(()));
    }

    /// Replaces the mark of another state of the desk, and syncs it: a higher number must not come back. If the file
    /// cannot be created, the desk has no mark, and the next opening reports that.
    pub(crate) fn reset(&self, progress: CommitProgress) {
        self.rewrite(progress, File::sync_all);
    }

    /// Writes this commit number alone.
    fn rewrite(&self, progress: CommitProgress, sync: impl FnOnce(&File) -> io::Result<()>) {
        if let Some(file) = self.file() {
            // One write, so that no reader finds the file empty.
            let mut slots = [[0; SLOT_BYTES]; SLOTS];
            if let Some(slot) = slots.get_mut(slot_index(progress)) {
                *slot = progress.to_slot();
            }
            // A partial write is harmless: each slot is valid on its own.
            if let Err(error) = write_at(file, slots.as_flattened(), 0).and_then(|()| sync(file)) {
                tracing::warn!(%error, "the commit mark was not rewritten");
            }
        }
    }

    /// Records a durable commit. A mark that cannot be written lags behind, which is harmless.
    pub(crate) fn advance(&self, progress: CommitProgress) {
        if let Some(file) = self.file()
            && let Err(error) = write(file, progress)
        {
            tracing::warn!(%error, "the commit mark lags behind");
        }
    }

    fn file(&self) -> Option<&File> {
        self.file.get_or_init(|| own_file::open(&self.path).ok()).as_ref()
    }
}

fn write(file: &File, progress: CommitProgress) -> io::Result<()> {
    write_at(file, &progress.to_slot(), (slot_index(progress) * SLOT_BYTES) as u64)
}

fn slot_index(progress: CommitProgress) -> usize {
    usize::try_from(progress.commits.unsigned_abs() % SLOTS as u64).unwrap_or_default()
}

#[cfg(unix)]
fn write_at(file: &File, bytes: &[u8], at: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::write_all_at(file, bytes, at)
}

/// Seeks and writes. Two threads at once may write at the wrong offset, which the checksum of the slot reveals.
#[cfg(not(unix))]
fn write_at(mut file: &File, bytes: &[u8], at: u64) -> io::Result<()> {
    use std::io::{Seek as _, SeekFrom, Write as _};
    file.seek(SeekFrom::Start(at)).and_then(|_| file.write_all(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tempfile::TempDir;

    fn at(commits: i64) -> CommitProgress {
        CommitProgress { desk: -7, commits, last_ask: commits / 2, at: 1_000_000 * commits }
    }

    #[test]
    fn highest_whole_slot_counts() {
        let folder = TempDir::new().unwrap();
        let mark = CommitMark::new(&folder.path().join("desk"));
        assert_eq!(mark.read(), None);
        mark.reset(at(5));
        assert_eq!(mark.read(), Some(at(5)));
        (6..=300).for_each(|commits| mark.advance(at(commits)));
        // Another process was slower to write an older number.
        mark.advance(at(299));
        mark.advance(at(300 - 64));
        assert_eq!(mark.read(), Some(at(299)), "its neighbour stays");
        let path = folder.path().join("desk.mark");
        let mut bytes = std::fs::read(&path).unwrap();
        bytes[299 % 64 * 64 + 9] ^= 4;
        std::fs::write(&path, &bytes).unwrap();
        assert_eq!(mark.read(), Some(at(298)), "a torn slot does not count");
        mark.reset(at(3));
        assert_eq!(mark.read(), Some(at(3)), "a lower number after a reset");
    }
}
