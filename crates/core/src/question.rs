//! One question and the kinds there are.

use crate::id::{OptionId, QuestionId};

/// One question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    /// Identifies it within its questionnaire.
    pub id: QuestionId,
    /// A short name for tabs and lists.
    pub label: Option<String>,
    /// What is asked.
    pub prompt: String,
    /// More about it, shown under the prompt.
    pub detail: Option<String>,
    /// Whether it must be answered before the questionnaire can be submitted.
    pub required: bool,
    /// What can be answered.
    pub kind: Kind,
}

/// The kinds of question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    /// One or several of some options.
    Choice(Choice),
    /// Typed text.
    Text(TextEntry),
}

/// A choice among options.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Choice {
    /// The options in the order shown, numbered from 1.
    pub options: Vec<Opt>,
    /// Several may be picked.
    pub multi: bool,
    /// A typed own answer is offered beside the options.
    pub other: bool,
}

impl Choice {
    /// The option with this id.
    pub fn option(&self, id: &OptionId) -> Option<&Opt> {
        self.options.iter().find(|option| option.id == *id)
    }

    /// The option with this number on the screen, from 1.
    pub fn numbered(&self, number: usize) -> Option<&Opt> {
        self.options.get(number.checked_sub(1)?)
    }
}

/// One option of a choice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opt {
    /// Identifies it within its question.
    pub id: OptionId,
    /// What the person reads.
    pub label: String,
    /// What it means.
    pub description: Option<String>,
}

/// A text to be typed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TextEntry {
    /// More than a line is expected.
    pub long: bool,
    /// An example of what to type, shown and never sent.
    pub placeholder: Option<String>,
}

impl Question {
    /// The name to call it by in lists and reviews: its label, or else what it asks.
    pub fn name(&self) -> &str {
        self.label.as_deref().unwrap_or(&self.prompt)
    }
}
