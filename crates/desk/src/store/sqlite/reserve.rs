//! Room that is kept for the end of what was asked: on a disk that is full, new questions are refused while those that are
//! there can still be answered and handed over.
//!
//! A file of some megabytes beside the desk holds it. Whoever finds the disk full lets go of it and tries once more; nothing
//! new is taken until it could be filled again.

use crate::own_file;
use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// Several long answers, with their drafts and the log that they go through.
const BYTES: u64 = 4 << 20;

#[derive(Debug)]
pub(super) struct Reserve {
    path: PathBuf,
}

impl Reserve {
    pub(super) fn of(desk: &Path) -> Self {
        Self { path: own_file::beside(desk, ".reserve") }
    }

    /// Takes the room where it is not held. `false` when the disk has none; where a file system or a limit allows no
    /// such file, there is no reserve and nothing to wait for.
    pub(super) fn fill(&self) -> bool {
        if std::fs::metadata(&self.path).is_ok_and(|held| held.len() >= BYTES) {
            return true;
        }
        let taken = own_file::open(&self.path).and_then(|file| {
            take(&file).inspect_err(|_| {
                // What was taken of it would be missing elsewhere.
                let _ = file.set_len(0);
            })
        });
        !taken.is_err_and(|error| matches!(error.kind(), ErrorKind::StorageFull | ErrorKind::QuotaExceeded))
    }

    /// Lets go of the room; `false` where none was held.
    pub(super) fn release(&self) -> bool {
        let held = std::fs::metadata(&self.path).is_ok_and(|held| held.len() > 0);
        held && OpenOptions::new().write(true).open(&self.path).and_then(|file| file.set_len(0)).is_ok()
    }
}

/// Makes the file as large as it is to be, with room on the disk for all of it.
#[cfg(target_os = "linux")]
fn take(file: &File) -> io::Result<()> {
    Ok(rustix::fs::fallocate(file, rustix::fs::FallocateFlags::empty(), 0, BYTES)?)
}

#[cfg(not(target_os = "linux"))]
fn take(mut file: &File) -> io::Result<()> {
    io::copy(&mut io::Read::take(io::repeat(0), BYTES), &mut file).map(drop)
}
