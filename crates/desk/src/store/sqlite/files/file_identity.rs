//! Identity of the open desk file. A removed or replaced file can still be read and written by processes that have it
//! open, but no one else will see their writes: they are lost.

use super::permissions;
use crate::own_file;
use sayso_core::i18n::own;
use sayso_core::{Message, Problem, ProblemCode};
use std::path::{Path, PathBuf};

/// Device and inode of a file, if the system has them.
type DeviceInode = (u64, u64);

#[derive(Debug)]
pub(crate) struct FileIdentity {
    path: PathBuf,
    log_path: PathBuf,
    desk: Option<DeviceInode>,
    log: Option<DeviceInode>,
}

impl FileIdentity {
    /// Records the identity of a desk that was just opened, and of its log.
    pub(crate) fn new(path: &Path) -> Self {
        let log_path = own_file::sibling_path(path, "-wal");
        let [desk, log] = [path, &log_path].map(read_identity);
        Self { path: path.to_owned(), log_path, desk, log }
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

    /// Checks that the open files are still at their paths. SQLite keeps its log for as long as a program has it open.
    ///
    /// # Errors
    /// If one of them is not.
    pub(crate) fn check(&self) -> Result<(), Problem> {
        for (path, identity) in [(&self.path, self.desk), (&self.log_path, self.log)] {
            if identity.is_some() && read_identity(path) != identity {
                let message = Message::DeskGone.with([own(path.display())]);
                return Err(
                    Problem::new(ProblemCode::DeskUnreachable, message).with_hint(Message::DeskGoneHint)
                );
            }
        }
        Ok(())
    }

    /// Returns whether another file has the place of the desk. It does not leave it, unlike one that is away for a moment.
    pub(crate) fn is_replaced(&self) -> bool {
        read_identity(&self.path).is_some_and(|there| Some(there) != self.desk)
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
