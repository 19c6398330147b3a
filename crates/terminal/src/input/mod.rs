//! Line input, multiplexed with changes at the desk.

mod buffer;
#[cfg(not(unix))]
mod reader_thread;
#[cfg(unix)]
mod unix;

#[cfg(not(unix))]
pub use reader_thread::{Interrupts, Lines};
#[cfg(unix)]
pub use unix::{Interrupts, Lines};

use sayso_core::{Code, Message, Problem};

/// Event that ends a wait for input.
#[derive(Debug, Clone, PartialEq)]
pub enum Happening {
    /// Line without its line break. The last one may have had none.
    Line(String),
    /// Line that is not valid UTF-8.
    Garbled,
    /// Line longer than [`TEXT_ANSWER_BYTES`](sayso_core::limits::TEXT_ANSWER_BYTES).
    TooLong,
    /// End of the input.
    End,
    /// Change at the desk.
    Desk,
    /// ^C.
    Interrupt,
    /// Timeout.
    Idle,
}

/// Returns the problem for an unreadable input.
pub(crate) fn unreadable(error: &std::io::Error) -> Problem {
    Problem::new(Code::UnreadableFile, Message::InputFailed.with([error.to_string()]))
}
