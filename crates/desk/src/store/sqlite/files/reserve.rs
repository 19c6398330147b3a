//! Disk reserve for completing existing asks: on a full disk new asks are refused, while existing ones can still be
//! answered and delivered.
//!
//! A file of some megabytes next to the desk holds the space. A writer that finds the disk full releases it and tries
//! again; no new ask is accepted until the file is full size again.

use super::file_state::size_of;
use crate::own_file;
use std::fs::File;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// Size in bytes: several long answers, with their drafts and the WAL.
const BYTES: u64 = 4 << 20;

#[derive(Debug)]
pub(crate) struct DiskReserve {
    path: PathBuf,
}

impl DiskReserve {
    pub(crate) fn new(desk: &Path) -> Self {
        Self { path: own_file::sibling_path(desk, ".reserve") }
    }

    /// Allocates the reserve if it is not held. `false` if the disk is full; if a file system or a limit allows no
    /// such file, there is no reserve, and `true`.
    pub(crate) fn fill(&self) -> bool {
        if self.size() >= BYTES {
            return true;
        }
        match self.allocate() {
            Ok(()) => true,
            Err(error) => !is_lack_of_space(&error),
        }
    }

    /// Returns the size of the reserve in bytes; 0 without one.
    fn size(&self) -> u64 {
        size_of(&self.path).unwrap_or_default()
    }

    fn allocate(&self) -> io::Result<()> {
        let file = own_file::open(&self.path)?;
        let result = allocate(&file, BYTES);
        // A partial file would take space from others.
        if result.is_err()
            && let Err(error) = file.set_len(0)
        {
            tracing::warn!(%error, "a partial disk reserve stays");
        }
        result
    }

    /// Releases the reserve; `false` if none was held.
    pub(crate) fn release(&self) -> bool {
        self.size() > 0 && own_file::open_emptied(&self.path).is_ok()
    }
}

/// Size in bytes of a file that shows whether there is space.
const PROBE_BYTES: u64 = 64 << 10;

/// Returns whether the system refuses space to a desk: the disk is full, or a quota or a limit on the size of files is
/// reached.
pub(crate) fn is_space_refused(desk: &Path) -> bool {
    #[cfg(unix)]
    if rustix::process::getrlimit(rustix::process::Resource::Fsize).current.is_some() {
        return true;
    }
    let path = own_file::sibling_path(desk, &format!(".probe-{}", std::process::id()));
    let result = own_file::open(&path).and_then(|file| allocate(&file, PROBE_BYTES));
    if let Err(error) = std::fs::remove_file(&path) {
        tracing::debug!(%error, "no file shows whether there is space");
    }
    matches!(result, Err(error) if is_lack_of_space(&error))
}

fn is_lack_of_space(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::StorageFull | ErrorKind::QuotaExceeded)
}

/// Allocates a whole file on disk.
#[cfg(target_os = "linux")]
fn allocate(file: &File, bytes: u64) -> io::Result<()> {
    Ok(rustix::fs::fallocate(file, rustix::fs::FallocateFlags::empty(), 0, bytes)?)
}

#[cfg(not(target_os = "linux"))]
fn allocate(mut file: &File, bytes: u64) -> io::Result<()> {
    io::copy(&mut io::Read::take(io::repeat(0), bytes), &mut file).map(drop)
}
