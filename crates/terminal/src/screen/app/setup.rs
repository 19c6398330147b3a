//! What a screen is set up with.

use super::super::theme::Theme;
use sayso_core::{Ask, AskId, Lang};

/// Words that ask the asker of a question to explain it, with what the person notes; where its format can carry that.
pub type Explain = fn(&Ask, Option<&str>) -> Option<String>;

/// Words that ask the asker to put the question at a place in another way, with what the person notes; where its format
/// can carry that.
pub type Rephrase = fn(&Ask, usize, Option<&str>) -> Option<String>;

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
    /// Asks an asker to explain.
    pub explain: Option<Explain>,
    /// Asks an asker for other words.
    pub rephrase: Option<Rephrase>,
    /// The only ask there is to answer here; all of them without it.
    pub only: Option<AskId>,
    /// Whether a process still runs that waited for an answer.
    pub runs: fn(sayso_core::who::Process) -> bool,
}
