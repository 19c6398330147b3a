//! What stands at a question.

use crate::id::{OptionId, QuestionId};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// One thing picked in a choice.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Pick {
    /// One of the options.
    Option(OptionId),
    /// An own answer, as typed.
    Other(String),
}

/// An answer, by the kind of its question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// What was picked in a choice, in the order it was picked.
    Picks(Vec<Pick>),
    /// What was typed, as typed.
    Text(String),
}

/// What stands at one question.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "state", content = "answer", rename_all = "snake_case")]
pub enum Reply {
    /// Nothing yet.
    #[default]
    Unanswered,
    /// Passed over on purpose.
    Skipped,
    /// An answer.
    Answered(Answer),
}

impl Reply {
    /// The answer, where there is one.
    pub fn answer(&self) -> Option<&Answer> {
        match self {
            Self::Answered(answer) => Some(answer),
            Self::Unanswered | Self::Skipped => None,
        }
    }

    /// An answer of typed text.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Answered(Answer::Text(text.into()))
    }

    /// An answer of picks.
    pub fn picks(picks: impl IntoIterator<Item = Pick>) -> Self {
        Self::Answered(Answer::Picks(picks.into_iter().collect()))
    }
}

/// Replies by question. A question that is not in it is unanswered.
pub type Replies = BTreeMap<QuestionId, Reply>;
