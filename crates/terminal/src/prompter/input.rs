//! Line input, multiplexed with changes at the desk.

mod buffer;
#[cfg(not(unix))]
mod reader_thread;
#[cfg(unix)]
mod unix;

#[cfg(not(unix))]
pub use reader_thread::{InputLines, InterruptListener};
#[cfg(unix)]
pub use unix::{InputLines, InterruptListener};

/// Event that ends a wait for input.
#[derive(Debug, Clone, PartialEq)]
pub enum LineEvent {
    /// Line without its line break. The last one may have had none.
    Line(String),
    /// Line that is not valid UTF-8.
    InvalidUtf8,
    /// Line longer than [`TEXT_ANSWER_BYTES`](sayso_core::limits::TEXT_ANSWER_BYTES).
    TooLong,
    /// End of the input.
    End,
    /// Change at the desk.
    DeskChanged,
    /// ^C.
    Interrupt,
    /// Timeout.
    Timeout,
}
