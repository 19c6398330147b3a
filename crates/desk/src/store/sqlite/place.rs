//! Identity of the open desk file. A removed or replaced file can still be read and written by processes that have it
//! open, but no one else will see their writes: they are lost.

use super::access;
use sayso_core::{Code, Message, Problem};
use std::path::{Path, PathBuf};

/// Device and inode of a file, if the system has them.
type DeviceInode = (u64, u64);

#[derive(Debug)]
pub(super) struct Place {
    path: PathBuf,
    identity: Option<DeviceInode>,
}

impl Place {
    /// Records the identity of a desk that was just opened.
    pub(super) fn of(path: &Path) -> Self {
        Self { path: path.to_owned(), identity: read_identity(path) }
    }

    /// Adds a hint if permissions kept this user from the desk.
    pub(super) fn explain(&self, problem: Problem) -> Problem {
        match access::permission_hint(&self.path) {
            Some(hint) if problem.code == Code::DeskUnreachable => problem.hint(hint),
            _ => problem,
        }
    }

    /// Checks that the open file is still at its path.
    ///
    /// # Errors
    /// If it is not.
    pub(super) fn must_be_there(&self) -> Result<(), Problem> {
        if read_identity(&self.path) == self.identity {
            return Ok(());
        }
        let said = Message::DeskGone.with([self.path.display().to_string()]);
        Err(Problem::new(Code::DeskUnreachable, said).hint(Message::DeskGoneHint))
    }
}

#[cfg(unix)]
fn read_identity(path: &Path) -> Option<DeviceInode> {
    use std::os::unix::fs::MetadataExt as _;
    std::fs::metadata(path).ok().map(|file| (file.dev(), file.ino()))
}

/// Returns `None`: this system has no such identity, and its open files cannot be removed.
#[cfg(not(unix))]
fn read_identity(_path: &Path) -> Option<DeviceInode> {
    None
}
