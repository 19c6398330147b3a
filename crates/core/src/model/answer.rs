//! Replies to questions.

mod picks;

pub use picks::Picks;

use crate::model::id::{OptionId, QuestionId};
use crate::model::value::OrderedValue;
use crate::model::value::datetime::DatetimeValue;
use crate::model::value::number::Number;
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
    /// Returns the text of an own answer.
    pub fn other_text(&self) -> Option<&str> {
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
    /// Picked options of a choice, in the order picked.
    Picks(#[schemars(with = "Vec<Pick>")] Picks),
    /// Text, as typed.
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
    Datetime(DatetimeValue),
}

impl Answer {
    /// Returns its ordered value, if it has one.
    pub(crate) fn ordered_value(&self) -> Option<OrderedValue> {
        match self {
            Self::Rating(step) => Some(OrderedValue::Number(Number::from(i64::from(*step)))),
            Self::Number(number) => Some(OrderedValue::Number(*number)),
            Self::Date(date) => Some(OrderedValue::Date(*date)),
            Self::Time(time) => Some(OrderedValue::Time(*time)),
            Self::Datetime(moment) => Some(OrderedValue::Moment(*moment)),
            Self::Picks(_) | Self::Text(_) | Self::Confirm(_) => None,
        }
    }
}

/// Content of the reply to a question.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum ReplyContent {
    /// Nothing yet.
    #[default]
    Unanswered,
    /// Skipped on purpose.
    Skipped,
    /// Not asked, because of the answer to another question. Only outcomes have this.
    NotAsked {
        /// The question whose answer decided it.
        decided_by: Option<QuestionId>,
    },
    /// An answer.
    Answered(Answer),
}

/// Reply to one question.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reply {
    /// The content.
    pub content: ReplyContent,
    /// A note to the asker, as typed.
    pub note: Option<String>,
    /// An own answer that was typed but is not picked. Only drafts have it; it is never sent.
    pub unused_other: Option<String>,
    /// The answer exhausted the step budget before its pattern was checked. Only outcomes have this.
    pub pattern_not_checked: bool,
}

/// The empty reply, for questions without one.
pub(crate) static NO_REPLY: Reply =
    Reply { content: ReplyContent::Unanswered, note: None, unused_other: None, pattern_not_checked: false };

impl Reply {
    /// Returns an empty reply.
    pub fn unanswered() -> Self {
        Self::default()
    }

    /// Returns a reply that skips the question.
    pub fn skipped() -> Self {
        Self { content: ReplyContent::Skipped, ..Self::default() }
    }

    /// Returns a reply with this answer.
    pub fn from_answer(answer: Answer) -> Self {
        Self { content: ReplyContent::Answered(answer), ..Self::default() }
    }

    /// Returns a reply with typed text.
    pub fn from_text(text: impl Into<String>) -> Self {
        Self::from_answer(Answer::Text(text.into()))
    }

    /// Returns a reply with these picks.
    pub fn from_picks(picks: impl IntoIterator<Item = Pick>) -> Self {
        Self::from_answer(Answer::Picks(picks.into_iter().collect()))
    }

    /// Returns the reply with a note; a blank note is dropped.
    #[must_use]
    pub fn with_note(mut self, note: Option<String>) -> Self {
        self.note = note.filter(|note| !note.trim().is_empty());
        self
    }

    /// Returns the reply with an own answer that is not picked; an empty one is dropped.
    #[must_use]
    pub fn with_unused_other(mut self, aside: Option<String>) -> Self {
        self.unused_other = aside.filter(|aside| !aside.is_empty());
        self
    }

    /// Returns the answer, if the reply has one.
    pub fn answer(&self) -> Option<&Answer> {
        match &self.content {
            ReplyContent::Answered(answer) => Some(answer),
            ReplyContent::Unanswered | ReplyContent::Skipped | ReplyContent::NotAsked { .. } => None,
        }
    }

    /// Returns true if there is neither an answer nor a skip; a note may exist.
    pub fn is_unanswered(&self) -> bool {
        matches!(self.content, ReplyContent::Unanswered)
    }

    /// Returns true if a person skipped the question.
    pub fn is_skipped(&self) -> bool {
        matches!(self.content, ReplyContent::Skipped)
    }

    /// Returns true if a person gave an answer, a skip or a note.
    pub fn has_input(&self) -> bool {
        !self.is_unanswered() || self.note.as_ref().is_some_and(|note| !note.trim().is_empty())
    }
}

/// Replies by question. A question without an entry is unanswered. The note on the whole form is that of
/// [`QuestionId::FORM`].
pub type Replies = BTreeMap<QuestionId, Reply>;

/// Returns the note on the whole form.
pub fn form_note(replies: &Replies) -> Option<&str> {
    replies.get(&QuestionId::FORM)?.note.as_deref()
}
