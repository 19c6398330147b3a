//! The kinds of question, one file a kind. No other module has a `match` on them.

pub mod choice;
pub mod confirm;
pub mod number;
pub mod rating;
pub mod text;

use crate::model::answer::{Pick, Picks};
use crate::model::value::datetime::DatetimeValue;
use crate::model::value::number::Number;
use choice::ChoiceQuestion;
use confirm::ConfirmQuestion;
use jiff::civil::{Date, Time};
use number::NumberQuestion;
use rating::RatingQuestion;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use text::TextQuestion;

/// The kinds of question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum QuestionKind {
    /// One or several of some options.
    Choice(ChoiceQuestion),
    /// Typed text.
    Text(TextQuestion),
    /// Yes or no.
    Confirm(ConfirmQuestion),
    /// A step on a scale.
    Rating(RatingQuestion),
    /// A number.
    Number(NumberQuestion),
    /// A day.
    Date,
    /// A time of day.
    Time,
    /// A day with a time of day.
    Datetime,
}

impl QuestionKind {
    /// Returns true if answers of this kind are dates or times.
    pub const fn is_date_or_time(&self) -> bool {
        matches!(self, Self::Date | Self::Time | Self::Datetime)
    }

    /// Returns true if answers of this kind can be ordered.
    pub const fn has_order(&self) -> bool {
        self.is_date_or_time() || matches!(self, Self::Number(_) | Self::Rating(_))
    }

    /// Returns its name in the wire format.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Choice(_) => "choice",
            Self::Text(_) => "text",
            Self::Confirm(_) => "confirm",
            Self::Rating(_) => "rating",
            Self::Number(_) => "number",
            Self::Date => "date",
            Self::Time => "time",
            Self::Datetime => "datetime",
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
