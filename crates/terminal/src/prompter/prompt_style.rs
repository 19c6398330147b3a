//! Prompt style of a dialect: how it renders a question and parses a line.

use sayso_core::{Ask, Pick, Question, Reply, Rules, Sheet};
use std::time::Duration;

/// Input of a rendering.
#[derive(Debug, Clone, Copy)]
pub struct PromptContext<'a> {
    /// The ask, with its asker and the changes that the asker wants.
    pub ask: &'a Ask,
    /// The questions, with the current replies.
    pub sheet: &'a Sheet,
    /// Time since the ask was created.
    pub age: Duration,
    /// Screen width in columns, if it is known.
    pub columns: Option<usize>,
}

/// Unfinished answer to one question.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum PartialAnswer {
    /// No input yet.
    #[default]
    Nothing,
    /// The free-text option was chosen; its text is the next line.
    OtherText {
        /// The other picks.
        picks: Vec<Pick>,
        /// Its index among the picks, from 0.
        at: usize,
    },
    /// The lines of a long text so far. The prompter saves them to the draft as they arrive.
    Lines(Vec<String>),
}

/// Result of parsing an input line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ParsedLine {
    /// Complete reply. An unanswered one clears the current reply and asks again.
    Reply {
        /// The reply.
        reply: Reply,
        /// Notice for the person, on a line of its own.
        notice: Option<String>,
    },
    /// More lines are needed.
    More {
        /// The unfinished answer.
        partial: PartialAnswer,
        /// Prompt in front of the next line.
        prompt: String,
    },
    /// Unreadable line: the question is asked again.
    Invalid {
        /// Notice for the person; empty for none.
        notice: String,
    },
}

/// Renderer and parser of a prompt.
pub trait PromptStyle {
    /// Returns the text before the first question, as whole lines; may be empty.
    fn intro(&self, scene: &PromptContext<'_>) -> String;

    /// Returns the question at an index, from 0, up to and including the input hint.
    fn render(&self, scene: &PromptContext<'_>, index: usize) -> String;

    /// Returns the preview of an option, or of all options without a number. `None` if it has no preview.
    fn preview(&self, scene: &PromptContext<'_>, index: usize, number: Option<usize>) -> Option<String>;

    /// Returns the action to approve, as whole lines; empty without one.
    fn action(&self, _scene: &PromptContext<'_>) -> String {
        String::new()
    }

    /// Parses a line as an answer to a question, given the unfinished answer.
    fn read_line(&self, question: &Question, rules: &Rules, partial: PartialAnswer, line: &str)
    -> ParsedLine;

    /// Returns true if all answers are shown for review before they are sent.
    fn has_review(&self) -> bool;

    /// Returns true if recorded answers are announced.
    fn announces_replies(&self) -> bool;

    /// Returns true if only exact commands act. Every other line is an answer, even if it begins with a slash.
    fn has_strict_commands(&self) -> bool;
}
