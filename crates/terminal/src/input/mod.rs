//! Lines of input, waited for together with what happens at the desk.

mod buffer;
#[cfg(not(unix))]
mod elsewhere;
#[cfg(unix)]
mod unix;

#[cfg(not(unix))]
pub use elsewhere::{Interrupts, Lines};
#[cfg(unix)]
pub use unix::{Interrupts, Lines};

use sayso_core::{Code, Message, Problem};

/// What ended a wait for input.
#[derive(Debug, Clone, PartialEq)]
pub enum Happening {
    /// A line, without its end. The last one need not have had an end.
    Line(String),
    /// A line that is no UTF-8 text.
    Garbled,
    /// A line longer than [`TEXT_ANSWER_BYTES`](sayso_core::limits::TEXT_ANSWER_BYTES).
    TooLong,
    /// The input has ended.
    End,
    /// Something happened at the desk.
    Desk,
    /// The person pressed ^C.
    Interrupt,
    /// Nothing happened in the time given.
    Idle,
}

/// The problem of an input that cannot be read.
pub(crate) fn unreadable(error: &std::io::Error) -> Problem {
    Problem::new(Code::UnreadableFile, Message::InputFailed.with([error.to_string()]))
}
