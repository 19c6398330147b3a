//! Configuration of a screen.

use super::super::widgets::theme::Theme;
use crate::surface::{ClarifyFn, NotesCheck, ProcessCheck};
use sayso_core::{AskId, Lang};
use sayso_desk::ListScope;

/// Configuration of a screen.
#[derive(Debug, Clone)]
pub struct ScreenSetup {
    /// Language of the interface.
    pub lang: Lang,
    /// Colour theme.
    pub theme: Theme,
    /// The person chose no theme: it follows the terminal's background, once that is reported.
    pub follows_background: bool,
    /// The person's home folder, which is removed from shown paths.
    pub home: String,
    /// Wording of clarification requests to askers.
    pub clarification: ClarifyFn,
    /// Returns true for an ask whose asker receives notes.
    pub carries_notes: NotesCheck,
    /// The only ask to answer here; `None` for the inbox.
    pub only_ask: Option<AskId>,
    /// Asks that the list shows.
    pub scope: ListScope,
    /// Every ask is reviewed before it is sent, also a lone question.
    pub always_reviews: bool,
    /// Liveness check of a process that waited for an answer.
    pub is_running: ProcessCheck,
}
