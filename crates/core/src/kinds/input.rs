//! How a question is answered.

use super::choice::ChoiceQuestion;
use super::confirm::ConfirmQuestion;
use super::rating::RatingQuestion;
use crate::model::value::number::Number;

/// Input of a question: all that a surface needs to know of its kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QuestionInput<'q> {
    /// One or several options are picked.
    Options(&'q ChoiceQuestion),
    /// Yes or no.
    Toggle(&'q ConfirmQuestion),
    /// A step on a scale.
    Scale(&'q RatingQuestion),
    /// A value is typed.
    Line(LineFormat),
}

/// Format of a typed value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineFormat {
    /// Any text.
    Text {
        /// More than a line is expected.
        long: bool,
    },
    /// A number.
    Number {
        /// Increment of a control with steps.
        step: Option<Number>,
    },
    /// A day.
    Date,
    /// A time of day.
    Time,
    /// A day with a time of day.
    Datetime,
}
