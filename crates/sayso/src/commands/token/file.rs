//! File that carries a token: one header line, so that `curl -H @FILE` can use it.

use sayso_core::{Code, Message, Problem};
use sayso_desk::own_file;
use sayso_desk::token::Secret;
use std::fs::File;
use std::io::{ErrorKind, Write as _};
use std::path::Path;

/// New, empty file that only its owner can read. It is removed on drop unless it is finished.
pub(super) struct TokenFile<'p> {
    path: &'p Path,
    file: File,
    is_finished: bool,
}

impl<'p> TokenFile<'p> {
    /// Creates the file. An existing one is left untouched, even a dangling link.
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

    /// Writes the token to the file.
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
            // The file was created here and has no content of use.
            let _ = std::fs::remove_file(self.path);
        }
    }
}

fn unwritable(path: &Path, error: &std::io::Error) -> Problem {
    let said = Message::FileUnwritable.with([path.display().to_string(), error.to_string()]);
    Problem::new(Code::InvalidValue, said)
}
