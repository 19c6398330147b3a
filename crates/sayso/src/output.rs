//! Output of a command: data, messages, the outcome for the asker, and the exit code.

pub(crate) mod console;
pub(crate) mod delivery;
pub(crate) mod exit;
pub(crate) mod progress_bar;
