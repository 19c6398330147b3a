//! Contract of a surface, the same for the prompter and the full screen: its results, and what its caller supplies.

use sayso_core::i18n::own;
use sayso_core::model::actor::ProcessId;
use sayso_core::{Ask, Lang, Message, Problem};

/// Result of a run of a surface. All typed text is in the draft, except what was sent.
#[derive(Debug, Clone, PartialEq)]
pub enum PromptOutcome {
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
pub type EditorFn = dyn Fn(&str) -> Result<String, Problem>;

/// Returns true if a waiting process is still running.
pub type ProcessCheck = fn(ProcessId) -> bool;

/// Returns the clarification request in the words of the asker's format, for the question at an index and with the
/// person's note. `None` if the format has no words for it.
pub type ClarifyFn = fn(Clarification, &Ask, usize, Option<&str>) -> Option<String>;

/// Returns whether the asker's format has a place for a person's notes; otherwise they stay in the desk's record.
pub type NotesCheck = fn(&Ask) -> bool;

/// Clarification of one question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Clarification {
    /// Explanation of the question.
    Explanation,
    /// The question in other words.
    Rephrasing,
}

impl Clarification {
    /// Returns the confirmation for the person.
    pub(crate) fn confirmation(self, ask: &Ask, lang: Lang) -> String {
        let message = match self {
            Self::Explanation => Message::ExplainAsked,
            Self::Rephrasing => Message::RephraseAsked,
        };
        message.render_with(lang, [own(ask.request.shown_asker().name_in_sentence(lang))])
    }
}
