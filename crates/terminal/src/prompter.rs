//! Line prompter: puts one ask to a person line by line.

mod answers;
mod clarification;
mod commands;
mod ending;
mod external_editor;
mod input;
mod input_loop;
mod line_input;
mod notes;
mod output;
mod plain;
mod prompt_style;
mod question_loop;
mod review;
mod session;

pub(crate) use ending::Decision;
pub(crate) use input_loop::{OtherAsks, PASTE_GAP};
pub(crate) use line_input::{parse_yes_no, strip_controls};
pub(crate) use output::PromptOutput;
pub(crate) use session::PromptSession;

pub use input::{InputLines, InterruptListener, LineEvent};
pub use plain::PlainStyle;
pub use prompt_style::{ParsedLine, PartialAnswer, PromptContext, PromptStyle};

use crate::surface::{ClarifyFn, EditorFn, NotesCheck, ProcessCheck, PromptOutcome};
use jiff::Timestamp;
use sayso_core::{AskId, Lang, Person, Problem};
use sayso_desk::Desk;
use std::fmt;
use std::io::Write;

/// Line prompter for one ask.
pub struct LinePrompter<'a> {
    /// The desk that has the ask.
    pub desk: &'a dyn Desk,
    /// The answering person.
    pub person: Person,
    /// Prompt style of the ask's dialect.
    pub style: &'a dyn PromptStyle,
    /// Language of the prompter's own messages.
    pub lang: Lang,
    /// Clock.
    pub clock: &'a dyn Fn() -> Timestamp,
    /// Output.
    pub out: &'a mut dyn Write,
    /// Input.
    pub input: &'a mut InputLines,
    /// Ignores pasted or early lines instead of taking them for answers. Set it for terminals only, never if all lines
    /// that arrive together are meant.
    pub guards: bool,
    /// Opens a text in the person's editor, if they have one.
    pub editor: Option<&'a EditorFn>,
    /// Wording of clarification requests in the asker's format.
    pub clarify: ClarifyFn,
    /// Returns true for an ask whose asker receives notes.
    pub carries_notes: NotesCheck,
    /// Check for a running process.
    pub is_running: ProcessCheck,
    /// Quiet mode for scripts: prints no questions, hints or confirmations, asks from the first question, and neither
    /// uses nor sends the draft's answers.
    pub quiet: bool,
    /// Reviews also a single answer before it is sent.
    pub always_reviews: bool,
    /// Prints questions in quiet mode too, on lines of their own, for a reader of the log.
    pub logs_questions: bool,
}

impl fmt::Debug for LinePrompter<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Prompter").field("person", &self.person).finish_non_exhaustive()
    }
}

impl LinePrompter<'_> {
    /// Puts an ask to the person, until it is settled or the person leaves.
    ///
    /// # Errors
    /// Fails if the input, the output or the desk fails. Text typed before is in the draft.
    pub fn run(self, id: AskId) -> Result<PromptOutcome, Problem> {
        PromptSession::open(self, id)?.run()
    }
}
