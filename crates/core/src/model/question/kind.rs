//! The kinds of question with their settings, as data. `kinds` has what core does with each.

use crate::model::question::choice::ChoiceQuestion;
use crate::model::value::number::Number;
use std::collections::BTreeMap;

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

/// A text to be typed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TextQuestion {
    /// More than a line is expected.
    pub long: bool,
}

/// A yes or a no.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ConfirmQuestion {
    /// Label of yes; a label of the catalogue without it.
    pub yes: Option<String>,
    /// Label of no; a label of the catalogue without it.
    pub no: Option<String>,
    /// The asker's mark: true for consent, false for an ordinary value. Without it, the rest of the questionnaire
    /// decides.
    pub consent: Option<bool>,
}

/// A number to be typed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NumberQuestion {
    /// Increment of a control with steps. No answer is validated by it.
    pub step: Option<Number>,
}

/// A scale of whole numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RatingQuestion {
    /// The lowest step.
    pub min: i32,
    /// The highest step.
    pub max: i32,
    /// The scale shows faces.
    pub emoji: bool,
    /// Meanings of single steps.
    pub annotations: BTreeMap<i32, String>,
}

impl Default for RatingQuestion {
    fn default() -> Self {
        Self { min: 1, max: 5, emoji: false, annotations: BTreeMap::new() }
    }
}

impl RatingQuestion {
    /// Returns the asker's label of a step, if it has one.
    pub fn label(&self, step: i32) -> Option<&str> {
        self.annotations.get(&step).map(String::as_str)
    }

    /// Returns true if this is a step of its scale.
    pub fn has_step(&self, step: i32) -> bool {
        (self.min..=self.max).contains(&step)
    }
}

impl QuestionKind {
    /// Returns the options and settings of a choice; `None` for other kinds.
    #[inline]
    pub const fn choice(&self) -> Option<&ChoiceQuestion> {
        match self {
            Self::Choice(choice) => Some(choice),
            _ => None,
        }
    }

    /// Returns the options and settings of a choice, to change them.
    pub const fn choice_mut(&mut self) -> Option<&mut ChoiceQuestion> {
        match self {
            Self::Choice(choice) => Some(choice),
            _ => None,
        }
    }
}

impl From<ChoiceQuestion> for QuestionKind {
    fn from(choice: ChoiceQuestion) -> Self {
        Self::Choice(choice)
    }
}

impl From<TextQuestion> for QuestionKind {
    fn from(text: TextQuestion) -> Self {
        Self::Text(text)
    }
}

impl From<ConfirmQuestion> for QuestionKind {
    fn from(confirm: ConfirmQuestion) -> Self {
        Self::Confirm(confirm)
    }
}

impl From<RatingQuestion> for QuestionKind {
    fn from(rating: RatingQuestion) -> Self {
        Self::Rating(rating)
    }
}

impl From<NumberQuestion> for QuestionKind {
    fn from(number: NumberQuestion) -> Self {
        Self::Number(number)
    }
}
