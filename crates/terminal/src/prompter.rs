//! Line prompter: puts one ask to a person line by line.

use crate::input::Lines;
use crate::manner::Manner;
use crate::session::Session;
use crate::wish::Wishing;
use jiff::Timestamp;
use sayso_core::who::Process;
use sayso_core::{Ask, AskId, Lang, Person, Problem};
use sayso_desk::Desk;
use std::fmt;
use std::io::Write;

/// Result of a prompter run. All typed text is in the draft, except what was sent.
#[derive(Debug, Clone, PartialEq)]
pub enum Ended {
    /// The person answered or declined here. An asker that judges may still have to accept it.
    Settled {
        /// The ask after the submission.
        ask: Ask,
        /// True if an asker waited for it.
        is_awaited: bool,
    },
    /// The ask was settled elsewhere, before or during the run, and the person has seen how.
    SettledElsewhere(Ask),
    /// The person left; the ask stays open.
    Left,
    /// The person pressed ^C; the ask stays open.
    Interrupted,
    /// The input ended; the ask stays open.
    InputEnded {
        /// True if at least one line was read.
        any_line: bool,
    },
}

/// Opens a text in an editor and returns the edited text.
pub type Editor = dyn Fn(&str) -> Result<String, Problem>;

/// Returns true if a waiting process is still running.
pub type Runs = fn(Process) -> bool;

/// Line prompter for one ask.
pub struct Prompter<'a> {
    /// The desk that has the ask.
    pub desk: &'a dyn Desk,
    /// The answering person.
    pub person: Person,
    /// Prompt style of the ask's dialect.
    pub manner: &'a dyn Manner,
    /// Language of the prompter's own messages.
    pub lang: Lang,
    /// Clock.
    pub clock: &'a dyn Fn() -> Timestamp,
    /// Output.
    pub out: &'a mut dyn Write,
    /// Input.
    pub input: &'a mut Lines,
    /// Ignores pasted or early lines instead of taking them for answers. Set it for terminals only, never if all lines
    /// that arrive together are meant.
    pub guards: bool,
    /// Opens a text in the person's editor, if they have one.
    pub editor: Option<&'a Editor>,
    /// Wording of clarification requests in the asker's format.
    pub wishing: Wishing,
    /// Check for a running process.
    pub runs: Runs,
    /// Quiet mode for scripts: prints no questions, hints or confirmations, asks from the first question, and neither
    /// uses nor sends the draft's answers.
    pub quiet: bool,
    /// Prints questions in quiet mode too, on lines of their own, for a reader of the log.
    pub logs_questions: bool,
}

impl fmt::Debug for Prompter<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Prompter").field("person", &self.person).finish_non_exhaustive()
    }
}

impl Prompter<'_> {
    /// Puts an ask to the person, until it is settled or the person leaves.
    ///
    /// # Errors
    /// Fails if the input, the output or the desk fails. Text typed before is in the draft.
    pub fn run(self, id: AskId) -> Result<Ended, Problem> {
        Session::begin(self, id)?.run()
    }
}
