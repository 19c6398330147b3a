//! How a question is answered.

use crate::model::question::Question;
use crate::model::question::choice::ChoiceQuestion;
use crate::model::question::kind::{ConfirmQuestion, RatingQuestion};
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

impl Question {
    /// Returns how it is answered.
    pub fn input(&self) -> QuestionInput<'_> {
        self.kind.input()
    }

    /// Returns true if any text may be typed.
    pub fn is_text(&self) -> bool {
        matches!(self.input(), QuestionInput::Line(LineFormat::Text { .. }))
    }

    /// Returns true if it expects more than one line of text.
    pub fn is_long_text(&self) -> bool {
        matches!(self.input(), QuestionInput::Line(LineFormat::Text { long: true }))
    }
}
