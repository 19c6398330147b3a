//! Terminal of this process, independent of its standard streams.

use sayso_core::i18n::own;
use sayso_core::{Message, Problem, ProblemCode};
use std::fs::{File, OpenOptions};
use std::io::{self, IsTerminal as _};

const TTY_PATH: &str = "/dev/tty";

/// Opens the terminal for reading and writing, since standard output may be for data.
pub(crate) fn open() -> io::Result<File> {
    OpenOptions::new().read(true).write(true).open(TTY_PATH)
}

/// Returns whether a person can type here.
pub(crate) fn is_available() -> bool {
    io::stdin().is_terminal() || open().is_ok()
}

/// Returns whether this process may read the terminal now. A background process would be stopped by the attempt.
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

/// Returns the problem of a terminal that can't be opened.
pub(crate) fn open_problem(error: &io::Error) -> Problem {
    Problem::new(ProblemCode::NoTerminal, Message::UnreadableFile.with([own(TTY_PATH), own(error)]))
}
