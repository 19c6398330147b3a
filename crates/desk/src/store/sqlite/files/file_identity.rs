//! Identity of the open desk file. A removed or replaced file can still be read and written by processes that have it
//! open, but no one else will see their writes: they are lost.

use super::permissions;
use sayso_core::{Message, Problem, ProblemCode};
use std::path::{Path, PathBuf};

/// Device and inode of a file, if the system has them.
type DeviceInode = (u64, u64);

#[derive(Debug)]
pub(crate) struct FileIdentity {
    path: PathBuf,
    identity: Option<DeviceInode>,
}

impl FileIdentity {
    /// Records the identity of a desk that was just opened.
    pub(crate) fn new(path: &Path) -> Self {
        Self { path: path.to_owned(), identity: read_identity(path) }
    }

    /// Returns the path of the desk.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Adds a hint if permissions kept this user from the desk.
    pub(crate) fn add_hint(&self, problem: Problem) -> Problem {
        match permissions::permission_hint(&self.path) {
            Some(hint) if problem.code == ProblemCode::DeskUnreachable => problem.with_hint(hint),
            _ => problem,
        }
    }

    /// Checks that the open file is still at its path.
    ///
    /// # Errors
    /// If it is not.
    pub(crate) fn check(&self) -> Result<(), Problem> {
        if read_identity(&self.path) == self.identity {
            return Ok(());
        }
        let message = Message::DeskGone.with([self.path.display().to_string()]);
        Err(Problem::new(ProblemCode::DeskUnreachable, message).with_hint(Message::DeskGoneHint))
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
