//! Terminal surfaces: the inbox and the asks, on the full screen or line by line.
//!
//! **Invariant:** nothing here reads the environment or the clock, ends the process or decides what a valid answer is.
//! All text of an agent reaches the screen through [`sayso_core::display`]. Only lines that a person typed answer
//! anything. The end of the input leaves an ask unchanged, and typed text is saved to the draft before it is
//! announced.

mod action;
mod answers;
mod clarification;
mod commands;
mod date_input;
mod describe_ask;
mod describe_question;
mod draft_sync;
mod external_editor;
mod input;
mod input_loop;
mod line_input;
mod notes;
mod output;
mod plain;
mod presence;
mod prompt_style;
mod prompter;
mod question_loop;
mod review;
pub mod screen;
mod session;
pub mod short_form;
#[cfg(unix)]
mod signals;
mod submission;
mod verdict;
mod wrap;

pub use action::describe_action;
pub use clarification::{Clarification, ClarifyFn};
pub use describe_ask::{ask_receipt, asker_and_folder, label_with_value};
pub use input::{InputLines, InterruptListener, LineEvent};
pub use plain::PlainStyle;
pub use presence::WaiterPresence;
pub use prompt_style::{ParsedLine, PartialAnswer, PromptContext, PromptStyle};
pub use prompter::{EditorFn, LinePrompter, ProcessCheck, PromptOutcome};
pub use verdict::wait_for_verdict;
