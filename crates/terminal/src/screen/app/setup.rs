//! What a screen is set up with.

use super::super::theme::Theme;
use crate::prompter::Runs;
use crate::wish::Wishing;
use sayso_core::{AskId, Lang};

/// What a screen is set up with.
#[derive(Debug, Clone)]
pub struct Setup {
    /// The language of our words.
    pub lang: Lang,
    /// The look.
    pub theme: Theme,
    /// Nobody chose the look: it follows the terminal's background, once that tells it.
    pub follows_background: bool,
    /// The person's home folder, which folders are shown without.
    pub home: String,
    /// How askers are told of wishes.
    pub wishing: Wishing,
    /// The only ask there is to answer here; all of them without it.
    pub only: Option<AskId>,
    /// Whether a process still runs that waited for an answer.
    pub runs: Runs,
}
