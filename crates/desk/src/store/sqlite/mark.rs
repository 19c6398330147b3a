//! The mark: a small file next to the desk with the number of its last durable commit. A desk whose own number is lower than
//! that of its mark lacks commits that were confirmed.
//!
//! It is written after a commit that waited for the disk and its folder, and has no sync of its own. So it is never newer than
//! the desk, whatever a power cut leaves of it. Each number has a slot of its own among several, and the highest counts: writers
//! of several processes need no lock, and a torn slot hides no other.

use crate::own_file;
use rusqlite::Connection;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// Bytes of a slot; none lies across two sectors of a disk.
const SLOT_BYTES: usize = 64;

/// Slots, which together are one page.
const SLOTS: usize = 64;

/// How far a desk is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Progress {
    /// The number that tells the desk from others.
    pub(super) desk: i64,
    /// Changes in the log and commits that left none there, since the desk was made.
    pub(super) commits: i64,
    /// The place of the last ask.
    pub(super) last_ask: i64,
    /// When the last change was made, in microseconds since 1970; 0 where there is none.
    pub(super) at: i64,
}

impl Progress {
    /// How far this desk is now.
    pub(super) fn read(conn: &Connection) -> rusqlite::Result<Self> {
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
        let found = Self { desk, commits, last_ask, at };
        (crc32fast::hash(values.as_flattened()) == u32::from_le_bytes(*sum)).then_some(found)
    }
}

/// The last number of the commits of a desk, as its file next to it has it.
#[derive(Debug)]
pub(super) struct Mark {
    path: PathBuf,
    file: OnceLock<Option<File>>,
}

impl Mark {
    pub(super) fn of(desk: &Path) -> Self {
        Self { path: own_file::beside(desk, ".mark"), file: OnceLock::new() }
    }

    /// The highest number that was written; nothing where there is no mark, or nothing whole in it.
    pub(super) fn read(&self) -> Option<Progress> {
        let bytes = std::fs::read(&self.path).ok()?;
        let (slots, _) = bytes.as_chunks::<SLOT_BYTES>();
        slots.iter().filter_map(Progress::from_slot).max_by_key(|found| found.commits)
    }

    /// Makes the mark anew, with this number alone, and waits until it is on the disk. Where no file can be made, the desk
    /// has none, and whoever opens it next is told so.
    pub(super) fn reset(&self, progress: Progress) {
        if let Some(file) = self.file() {
            // In one write, so that nobody finds it empty meanwhile.
            let mut slots = [[0; SLOT_BYTES]; SLOTS];
            if let Some(slot) = slots.get_mut(slot_of(progress)) {
                *slot = progress.to_slot();
            }
            let done = write_at(file, slots.as_flattened(), 0).and_then(|()| file.sync_all());
            // What is there of it counts slot by slot.
            let _ = done;
        }
    }

    /// Notes a commit that is on the disk. A mark that cannot be written lags, which misleads nobody.
    pub(super) fn advance(&self, progress: Progress) {
        if let Some(file) = self.file() {
            let _ = write(file, progress);
        }
    }

    fn file(&self) -> Option<&File> {
        self.file.get_or_init(|| own_file::open(&self.path).ok()).as_ref()
    }
}

fn write(file: &File, progress: Progress) -> io::Result<()> {
    write_at(file, &progress.to_slot(), (slot_of(progress) * SLOT_BYTES) as u64)
}

fn slot_of(progress: Progress) -> usize {
    usize::try_from(progress.commits.unsigned_abs() % SLOTS as u64).unwrap_or_default()
}

#[cfg(unix)]
fn write_at(file: &File, bytes: &[u8], at: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::write_all_at(file, bytes, at)
}

/// Two threads may write here at once and each miss its place, which the checksum of the slot shows.
#[cfg(not(unix))]
fn write_at(mut file: &File, bytes: &[u8], at: u64) -> io::Result<()> {
    use std::io::{Seek as _, SeekFrom, Write as _};
    file.seek(SeekFrom::Start(at)).and_then(|_| file.write_all(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tempfile::TempDir;

    fn at(commits: i64) -> Progress {
        Progress { desk: -7, commits, last_ask: commits / 2, at: 1_000_000 * commits }
    }

    #[test]
    fn highest_whole_slot_counts() {
        let folder = TempDir::new().unwrap();
        let mark = Mark::of(&folder.path().join("desk"));
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
