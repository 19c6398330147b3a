//! Terminal surfaces: the inbox and the asks, on the full screen or line by line.
//!
//! **Invariant:** nothing here reads the environment or the clock, ends the process or decides what a valid answer is.
//! All text of an agent reaches the screen through [`sayso_core::display`]. Only lines that a person typed answer
//! anything. The end of the input leaves an ask unchanged, and typed text is saved to the draft before it is
//! announced.

mod describe;
mod draft_sync;
mod line_inbox;
mod presence;
mod prompter;
mod sending;
mod surface;
pub mod tty;
pub mod tui;
mod wrap;

pub use describe::{
    ask_receipt, asker_and_folder, asker_claims, folder_in_sentence, hidden_answers, offers_line,
    prompt_text, quote_markdown, request_text, row_name, short_form, summary_lines, title_text,
};
pub use line_inbox::LineInbox;
pub use presence::WaiterPresence;
pub use prompter::{
    InputLines, InterruptListener, LineEvent, LinePrompter, ParsedLine, PartialAnswer, PlainStyle,
    PromptContext, PromptStyle,
};
pub use sending::wait_for_verdict;
pub use surface::{Clarification, ClarifyFn, EditorFn, NotesCheck, ProcessCheck, PromptOutcome};
