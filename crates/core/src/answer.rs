//! What stands at a question.

use crate::id::{OptionId, QuestionId};
use crate::moment::Moment;
use crate::number::Number;
use crate::picks::Picks;
use jiff::civil::{Date, Time};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// One thing picked in a choice.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Pick {
    /// One of the options.
    Option(OptionId),
    /// An own answer, as typed.
    Other(String),
}

impl Pick {
    /// The own answer that this is.
    pub fn own(&self) -> Option<&str> {
        match self {
            Self::Other(text) => Some(text),
            Self::Option(_) => None,
        }
    }
}

/// An answer, by the kind of its question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// What was picked in a choice, in the order it was picked.
    Picks(#[schemars(with = "Vec<Pick>")] Picks),
    /// What was typed, as typed.
    Text(String),
    /// Yes or no.
    Confirm(bool),
    /// A step of a rating's scale.
    Rating(i32),
    /// A number.
    Number(Number),
    /// A day.
    Date(#[schemars(with = "String")] Date),
    /// A time of day.
    Time(#[schemars(with = "String")] Time),
    /// A day with a time of day.
    Datetime(Moment),
}

/// What was said at a question.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Said {
    /// Nothing yet.
    #[default]
    Nothing,
    /// Passed over on purpose.
    Skipped,
    /// It was not asked, because of what stands at another question. Only outcomes say so.
    NotAsked {
        /// The question whose answer decided it.
        because: Option<QuestionId>,
    },
    /// An answer.
    Answer(Answer),
}

/// What stands at one question.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reply {
    /// What was said.
    pub said: Said,
    /// A word to the asker beside it, as typed.
    pub note: Option<String>,
    /// An own answer that was typed and is not the answer as things stand. Only drafts have it; it is never sent.
    pub aside: Option<String>,
    /// Whether it fits the pattern would have cost too much to find out. Only outcomes say so.
    pub pattern_not_checked: bool,
}

/// Nothing at all, for questions that nobody has come to yet.
pub(crate) static NO_REPLY: Reply =
    Reply { said: Said::Nothing, note: None, aside: None, pattern_not_checked: false };

impl Reply {
    /// Nothing yet.
    pub fn unanswered() -> Self {
        Self::default()
    }

    /// Passed over on purpose.
    pub fn skipped() -> Self {
        Self { said: Said::Skipped, ..Self::default() }
    }

    /// An answer.
    pub fn of(answer: Answer) -> Self {
        Self { said: Said::Answer(answer), ..Self::default() }
    }

    /// An answer of typed text.
    pub fn text(text: impl Into<String>) -> Self {
        Self::of(Answer::Text(text.into()))
    }

    /// An answer of picks.
    pub fn picks(picks: impl IntoIterator<Item = Pick>) -> Self {
        Self::of(Answer::Picks(picks.into_iter().collect()))
    }

    /// The same with a note; an empty one is none.
    #[must_use]
    pub fn with_note(mut self, note: Option<String>) -> Self {
        self.note = note.filter(|note| !note.trim().is_empty());
        self
    }

    /// The same with an own answer beside it that is not picked; an empty one is none.
    #[must_use]
    pub fn with_aside(mut self, aside: Option<String>) -> Self {
        self.aside = aside.filter(|aside| !aside.is_empty());
        self
    }

    /// The answer, where there is one.
    pub fn answer(&self) -> Option<&Answer> {
        match &self.said {
            Said::Answer(answer) => Some(answer),
            Said::Nothing | Said::Skipped | Said::NotAsked { .. } => None,
        }
    }

    /// Whether nothing has been said yet, beside a note.
    pub fn is_unanswered(&self) -> bool {
        matches!(self.said, Said::Nothing)
    }

    /// Whether a person passed over it.
    pub fn is_skipped(&self) -> bool {
        matches!(self.said, Said::Skipped)
    }

    /// Whether there is anything that a person gave: an answer, a skip or a note.
    pub fn is_given(&self) -> bool {
        !self.is_unanswered() || self.note.as_ref().is_some_and(|note| !note.trim().is_empty())
    }
}

/// Replies by question. A question that is not in it is unanswered.
pub type Replies = BTreeMap<QuestionId, Reply>;
