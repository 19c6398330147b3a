//! The line prompter: one ask, put to a person line by line.

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

/// How a prompter ended. Whatever was typed is in the draft, except what was sent.
#[derive(Debug, Clone, PartialEq)]
pub enum Ended {
    /// The person answered or declined here. An asker that judges may have yet to accept it.
    Settled {
        /// The ask after it.
        ask: Ask,
        /// Whether somebody waited for it.
        is_awaited: bool,
    },
    /// It was settled in another way meanwhile, or before, and the person has been told how.
    SettledElsewhere(Ask),
    /// The person left; the ask stays open.
    Left,
    /// The person pressed ^C; the ask stays open.
    Interrupted,
    /// The input ended; the ask stays open.
    InputEnded {
        /// Whether any line had been read before.
        any_line: bool,
    },
}

/// Opens a text in an editor and returns what the person made of it.
pub type Editor = dyn Fn(&str) -> Result<String, Problem>;

/// Whether a process that waited for an answer still runs.
pub type Runs = fn(Process) -> bool;

/// A prompter: where it asks, whom, and how.
pub struct Prompter<'a> {
    /// The desk that has the ask.
    pub desk: &'a dyn Desk,
    /// Who answers.
    pub person: Person,
    /// The look of the prompt and the reading of its lines.
    pub manner: &'a dyn Manner,
    /// The language of what the prompter says itself.
    pub lang: Lang,
    /// The time now.
    pub clock: &'a dyn Fn() -> Timestamp,
    /// Where everything goes that the person is to read.
    pub out: &'a mut dyn Write,
    /// What the person types.
    pub input: &'a mut Lines,
    /// Lines that were pasted or typed too early are not taken for answers. For terminals; never where lines that
    /// arrive together are all meant.
    pub guards: bool,
    /// Opens a text in the person's editor, where they have one.
    pub editor: Option<&'a Editor>,
    /// How askers are told of wishes.
    pub wishing: Wishing,
    /// Whether a process still runs.
    pub runs: Runs,
    /// Nobody reads along: questions, hints and what was recorded are not shown, and every question is asked from the
    /// first; what a draft has is neither used nor sent.
    pub quiet: bool,
    /// Questions are shown all the same, on lines of their own: somebody may read what is written.
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
    /// When the input, the output or the desk fails. What was typed before is in the draft.
    pub fn run(self, id: AskId) -> Result<Ended, Problem> {
        Session::begin(self, id)?.run()
    }
}
