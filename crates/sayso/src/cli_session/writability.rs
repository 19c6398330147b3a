//! Test of whether a desk could be written, without making one.

use sayso_core::i18n::own;
use sayso_core::{Message, Problem, ProblemCode};
use std::fs::{self, File};
use std::io;
use std::path::Path;

/// Tries to write where the desk file is or would be: makes a file in the nearest folder that exists, and removes it.
/// SQLite keeps files next to the desk, so an existing desk needs that folder too.
///
/// # Errors
/// Fails if nothing can be written there.
pub(crate) fn check_writable(desk: &Path) -> Result<(), Problem> {
    try_write(desk).map_err(|error| {
        let message = Message::DeskUnreachable.with([own(desk.display()), own(error)]);
        Problem::new(ProblemCode::DeskUnreachable, message).with_hint(Message::DeskUnreachableHint)
    })
}

fn try_write(desk: &Path) -> io::Result<()> {
    // A desk that is open in this process would lose its locks when another handle of its file is closed.
    match File::options().write(true).open(desk) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        Ok(_) | Err(_) => {}
    }
    let desk = std::path::absolute(desk)?;
    let folder = desk.ancestors().skip(1).find(|folder| folder.exists()).unwrap_or(Path::new("/"));
    let file = folder.join(format!(".sayso-write-test-{}", std::process::id()));
    File::options().write(true).create_new(true).open(&file)?;
    fs::remove_file(&file)
}
