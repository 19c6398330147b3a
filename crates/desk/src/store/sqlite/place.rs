//! Where the desk lies. A file that was removed or replaced can still be read and written by whoever has it open, but nobody
//! else will ever see that: what is said there is lost.

use super::access;
use sayso_core::{Code, Message, Problem};
use std::path::{Path, PathBuf};

/// What tells a file from another one of the same name, where the system says it.
type Identity = (u64, u64);

#[derive(Debug)]
pub(super) struct Place {
    path: PathBuf,
    identity: Option<Identity>,
}

impl Place {
    /// The place of a desk that was just opened.
    pub(super) fn of(path: &Path) -> Self {
        Self { path: path.to_owned(), identity: identity_of(path) }
    }

    /// Says what helps, where it is rights that kept this user from it.
    pub(super) fn explain(&self, problem: Problem) -> Problem {
        match access::remedy(&self.path) {
            Some(hint) if problem.code == Code::DeskUnreachable => problem.hint(hint),
            _ => problem,
        }
    }

    /// Whether the file that was opened still lies there.
    ///
    /// # Errors
    /// When it does not.
    pub(super) fn must_be_there(&self) -> Result<(), Problem> {
        if identity_of(&self.path) == self.identity {
            return Ok(());
        }
        let said = Message::DeskGone.with([self.path.display().to_string()]);
        Err(Problem::new(Code::DeskUnreachable, said).hint(Message::DeskGoneHint))
    }
}

#[cfg(unix)]
fn identity_of(path: &Path) -> Option<Identity> {
    use std::os::unix::fs::MetadataExt as _;
    std::fs::metadata(path).ok().map(|file| (file.dev(), file.ino()))
}

/// No identity is to be had elsewhere; there nobody removes a file that is open.
#[cfg(not(unix))]
fn identity_of(_path: &Path) -> Option<Identity> {
    None
}
