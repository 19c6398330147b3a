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

/// Whether this process may read it now. One in the background would be stopped for trying.
pub(crate) fn is_in_foreground() -> bool {
    let Ok(terminal) = open() else { return false };
    #[cfg(unix)]
    {
        rustix::termios::tcgetpgrp(&terminal).is_ok_and(|group| group == rustix::process::getpgrp())
    }
    #[cfg(not(unix))]
    {
        drop(terminal);
        true
    }
}

/// The problem of a terminal that cannot be opened.
pub(crate) fn unopened(error: &io::Error) -> Problem {
    Problem::new(Code::NoTerminal, Message::UnreadableFile.with([PATH.to_owned(), error.to_string()]))
}
