//! The terminal of this process, whatever its standard streams are.

use sayso_core::{Code, Message, Problem};
use std::fs::{File, OpenOptions};
use std::io::{self, IsTerminal as _};

const PATH: &str = "/dev/tty";

/// Opens it, for reading and writing: standard output is data's.
pub(crate) fn open() -> io::Result<File> {
    OpenOptions::new().read(true).write(true).open(PATH)
}

/// Whether a person can type here.
pub(crate) fn is_there() -> bool {
    io::stdin().is_terminal() || open().is_ok()
}

/// The problem of a terminal that cannot be opened.
pub(crate) fn unopened(error: &io::Error) -> Problem {
    Problem::new(Code::NoTerminal, Message::UnreadableFile.with([PATH.to_owned(), error.to_string()]))
}
