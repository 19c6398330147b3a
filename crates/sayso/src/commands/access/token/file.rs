//! File that carries a token: one header line, so that `curl -H @FILE` can use it.

use sayso_core::i18n::own;
use sayso_core::{Message, Problem, ProblemCode};
use sayso_desk::own_file;
use sayso_desk::token::TokenSecret;
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
    pub(super) fn create(path: &'p Path) -> Result<Self, Problem> {
        let file = own_file::create_new(path).map_err(|error| match error.kind() {
            ErrorKind::AlreadyExists => {
                Problem::new(ProblemCode::InvalidValue, Message::FileThere.with([own(path.display())]))
                    .with_hint(Message::FileThereHint)
            }
            _ => unwritable_problem(path, &error),
        })?;
        Ok(Self { path, file, is_finished: false })
    }

    /// Writes the token to the file.
    pub(super) fn finish(mut self, secret: &TokenSecret) -> Result<(), Problem> {
        let result = writeln!(self.file, "Authorization: Bearer {}", secret.reveal());
        result.and_then(|()| self.file.sync_all()).map_err(|error| unwritable_problem(self.path, &error))?;
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

fn unwritable_problem(path: &Path, error: &std::io::Error) -> Problem {
    let message = Message::FileUnwritable.with([own(path.display()), own(error)]);
    Problem::new(ProblemCode::InvalidValue, message)
}
