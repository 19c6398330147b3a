//! Terminal surfaces: the inbox and the asks, on the full screen or line by line.
//!
//! **Invariant:** nothing here reads the environment or the clock, ends the process or decides what a valid answer is.
//! All text of an agent reaches the screen through [`sayso_core::display`]. Only lines that a person typed answer
//! anything. The end of the input leaves an ask unchanged, and typed text is saved to the draft before it is
//! announced.

mod action;
mod answers;
mod asked;
mod asking;
mod at_desk;
mod awaited;
mod commands;
mod editing;
mod hearing;
mod input;
mod manner;
mod notes;
mod plain;
mod prompter;
mod recap;
mod review;
pub mod screen;
mod sending;
mod session;
pub mod short;
#[cfg(unix)]
mod signals;
mod typed;
mod verdict;
mod voice;
mod when;
mod wish;
mod wrap;

pub use action::action_text;
pub use awaited::Awaited;
pub use input::{Happening, Interrupts, Lines};
pub use manner::{Heard, Manner, Partial, Scene};
pub use plain::Plain;
pub use prompter::{Editor, Ended, Prompter, Runs};
pub use recap::{asker_and_folder, labelled, receipt};
pub use verdict::with_verdict;
pub use wish::{Wish, Wishing};
