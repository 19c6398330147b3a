//! The file that a token is handed over in: one header line, so that `curl -H @FILE` reads it as it is.

use sayso_core::{Code, Message, Problem};
use sayso_desk::own_file;
use sayso_desk::token::Secret;
use std::fs::File;
use std::io::{ErrorKind, Write as _};
use std::path::Path;

/// A new, empty file that only its owner can read. Unless it is finished it goes again.
pub(super) struct TokenFile<'p> {
    path: &'p Path,
    file: File,
    is_finished: bool,
}

impl<'p> TokenFile<'p> {
    /// Makes the file. What is there already stays as it is, also a link that leads nowhere.
    pub(super) fn begin(path: &'p Path) -> Result<Self, Problem> {
        let file = own_file::create_new(path).map_err(|error| match error.kind() {
            ErrorKind::AlreadyExists => {
                Problem::new(Code::InvalidValue, Message::FileThere.with([path.display()]))
                    .hint(Message::FileThereHint)
            }
            _ => unwritable(path, &error),
        })?;
        Ok(Self { path, file, is_finished: false })
    }

    /// Writes the token into it.
    pub(super) fn finish(mut self, secret: &Secret) -> Result<(), Problem> {
        let written = writeln!(self.file, "Authorization: Bearer {}", secret.reveal());
        written.and_then(|()| self.file.sync_all()).map_err(|error| unwritable(self.path, &error))?;
        self.is_finished = true;
        Ok(())
    }
}

impl Drop for TokenFile<'_> {
    fn drop(&mut self) {
        if !self.is_finished {
            // It was made here, and nothing of use is in it.
            let _ = std::fs::remove_file(self.path);
        }
    }
}

fn unwritable(path: &Path, error: &std::io::Error) -> Problem {
    let said = Message::FileUnwritable.with([path.display().to_string(), error.to_string()]);
    Problem::new(Code::InvalidValue, said)
}
