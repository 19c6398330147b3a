//! How a dialect wants its prompt to look and its input lines to be read.

use sayso_core::{Ask, Pick, Question, Reply, Rules, Sheet};
use std::time::Duration;

/// What there is to show.
#[derive(Debug, Clone, Copy)]
pub struct Scene<'a> {
    /// The ask, with who asks and what the asker wanted mended.
    pub ask: &'a Ask,
    /// The questions, with the replies so far.
    pub sheet: &'a Sheet,
    /// How long ago it was asked.
    pub age: Duration,
    /// How wide the screen is, where that is known.
    pub columns: Option<usize>,
}

/// What has been heard so far of the answer to one question.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Partial {
    /// Nothing yet.
    #[default]
    Nothing,
    /// An own answer was chosen; its words come on the next line.
    OwnAnswer {
        /// What was picked beside it.
        picks: Vec<Pick>,
        /// Its place among the picks, from 0.
        at: usize,
    },
    /// The lines of a long text so far. They go into the draft as they come.
    Lines(Vec<String>),
}

/// What a line of input means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Heard {
    /// The question has its reply. Unanswered takes back what was there and asks again.
    Reply {
        /// The reply.
        reply: Reply,
        /// What to tell the person, as a line of its own.
        said: Option<String>,
    },
    /// More lines are needed.
    More {
        /// What has been heard so far.
        partial: Partial,
        /// What is shown in front of the next line.
        prompt: String,
    },
    /// It cannot be read: this is said, and the question asked again.
    Again {
        /// What is said; nothing where it is empty.
        said: String,
    },
}

/// The look of a prompt and the reading of its lines.
pub trait Manner {
    /// What is said before the first question, as whole lines; may be empty.
    fn intro(&self, scene: &Scene<'_>) -> String;

    /// The question with this place, from 0, up to and including the hint that stands in front of the input.
    fn render(&self, scene: &Scene<'_>, index: usize) -> String;

    /// What an option would look like, or all of them where none is named; nothing where there is no such thing.
    fn preview(&self, scene: &Scene<'_>, index: usize, number: Option<usize>) -> Option<String>;

    /// What a line means as an answer to a question, after what has been heard of it so far.
    fn read_line(&self, question: &Question, rules: &Rules, partial: Partial, line: &str) -> Heard;

    /// Whether all answers are shown for review before they are sent.
    fn reviews(&self) -> bool;

    /// Whether the person is told what was recorded.
    fn announces(&self) -> bool;

    /// Whether only a line that is exactly a command acts, and every other one is read as an answer, also when it
    /// begins with a slash.
    fn strict_commands(&self) -> bool;
}
