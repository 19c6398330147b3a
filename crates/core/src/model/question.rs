//! A question and the kinds of questions.

use crate::i18n::spelling;
use crate::model::answer::Answer;
use crate::model::id::{OptionId, QuestionId, SectionId};
use crate::model::value::number::Number;
use crate::rules::condition::Condition;
use crate::rules::constraint::Constraint;
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// One question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    /// Identifies it within its questionnaire.
    pub id: QuestionId,
    /// The asker's name for it, if that differs from its id.
    pub key: Option<String>,
    /// The section it belongs to.
    pub section: Option<SectionId>,
    /// The question it follows up: it is asked only if that is answered.
    pub parent: Option<QuestionId>,
    /// Condition under which it is asked.
    pub show_if: Option<Condition>,
    /// A short name for tabs and lists.
    pub label: Option<String>,
    /// The text of the question.
    pub prompt: String,
    /// Further details, shown under the prompt.
    pub detail: Option<String>,
    /// It must be answered before the questionnaire can be submitted.
    pub required: bool,
    /// Surfaces accept any answer of its kind; a submitted answer is validated nevertheless.
    pub validates_on_submit: bool,
    /// An example of what to type, shown and never sent.
    pub placeholder: Option<String>,
    /// The initial answer.
    pub prefill: Option<Answer>,
    /// Constraints on an answer, in the order checked.
    pub constraints: Vec<Constraint>,
    /// The kind of question, with its settings.
    pub kind: QuestionKind,
}

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

/// A choice among options.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ChoiceQuestion {
    /// The options in the order shown, numbered from 1.
    pub options: Vec<ChoiceOption>,
    /// Several may be picked.
    pub multi: bool,
    /// A typed own answer is offered in addition to the options.
    pub other: bool,
    /// Label of the own answer; a label of the catalogue without it.
    pub other_label: Option<String>,
    /// Number of options above the own answer; all of them without it.
    pub other_at: Option<usize>,
}

/// One item that can be picked in a choice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChoiceItem<'c> {
    /// An option.
    Option(&'c ChoiceOption),
    /// An own answer, to be typed.
    Other,
}

impl ChoiceQuestion {
    /// Returns the option with this id.
    #[inline]
    pub fn option(&self, id: &OptionId) -> Option<&ChoiceOption> {
        self.options.iter().find(|option| option.id == *id)
    }

    /// Returns the items that can be picked, in the order shown: the options, with the own answer at its position.
    pub fn items(&self) -> impl Iterator<Item = ChoiceItem<'_>> {
        let (above, below) = self.options.split_at(self.other_index());
        let own = self.other.then_some(ChoiceItem::Other);
        above.iter().map(ChoiceItem::Option).chain(own).chain(below.iter().map(ChoiceItem::Option))
    }

    /// Returns the number of items that can be picked.
    pub fn item_count(&self) -> usize {
        self.options.len() + usize::from(self.other)
    }

    /// Returns the item with this number on the screen, from 1.
    pub fn item_by_number(&self, number: usize) -> Option<ChoiceItem<'_>> {
        let at = number.checked_sub(1)?;
        match at.cmp(&self.other_index()) {
            Ordering::Equal if self.other => Some(ChoiceItem::Other),
            Ordering::Greater if self.other => self.options.get(at - 1).map(ChoiceItem::Option),
            _ => self.options.get(at).map(ChoiceItem::Option),
        }
    }

    fn other_index(&self) -> usize {
        self.other_at.map_or(self.options.len(), |at| at.min(self.options.len()))
    }
}

/// One option of a choice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChoiceOption {
    /// Identifies it within its question.
    pub id: OptionId,
    /// The value sent to the asker, if that differs from its id.
    pub value: Option<String>,
    /// The text that people read.
    pub label: String,
    /// Explanation of the option.
    pub description: Option<String>,
    /// Preview of the result: a text of any length, shown next to the options.
    pub preview: Option<String>,
    /// The asker recommends it. It is marked, and never picked for a person.
    pub recommended: bool,
}

impl ChoiceOption {
    /// Returns the value sent to the asker.
    pub fn sent_value(&self) -> &str {
        self.value.as_deref().unwrap_or(self.id.as_str())
    }

    /// Returns the value in the asker's own words: its value or id, or else its label if we numbered it.
    pub fn asker_value(&self) -> &str {
        if self.is_numbered() { &self.label } else { self.sent_value() }
    }

    /// Returns the value sent to the asker, unless it only respells the label or is an id that we numbered.
    pub(crate) fn distinct_value(&self) -> Option<&str> {
        (!self.is_numbered() && !spelling::is_same_spelling(self.sent_value(), &self.label))
            .then(|| self.sent_value())
    }

    /// Returns true if it has no value, and an id that we numbered.
    fn is_numbered(&self) -> bool {
        let number = self.id.as_str().strip_prefix('o').filter(|number| !number.is_empty());
        let is_digits = |number: &str| number.bytes().all(|byte| byte.is_ascii_digit());
        self.value.is_none() && number.is_some_and(is_digits)
    }

    /// Returns an option with only an id and a label.
    pub fn new(id: impl Into<OptionId>, label: impl Into<String>) -> Self {
        Self {
            id: id.into(),
            value: None,
            label: label.into(),
            description: None,
            preview: None,
            recommended: false,
        }
    }
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

/// A number to be typed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NumberQuestion {
    /// Increment of a control with steps. No answer is validated by it.
    pub step: Option<Number>,
}

impl Question {
    /// Returns a required question with only an id, a prompt and a kind.
    pub fn new(id: impl Into<QuestionId>, prompt: impl Into<String>, kind: QuestionKind) -> Self {
        Self {
            id: id.into(),
            key: None,
            section: None,
            parent: None,
            show_if: None,
            label: None,
            prompt: prompt.into(),
            detail: None,
            required: true,
            validates_on_submit: false,
            placeholder: None,
            prefill: None,
            constraints: Vec::new(),
            kind,
        }
    }

    /// Returns the asker's name for it.
    pub fn asker_key(&self) -> &str {
        self.key.as_deref().unwrap_or(self.id.as_str())
    }

    /// Returns its display name in lists and reviews: its label, or else its prompt.
    pub fn display_name(&self) -> &str {
        self.label.as_deref().unwrap_or(&self.prompt)
    }

    /// Returns its options; `None` for other kinds.
    pub const fn choice(&self) -> Option<&ChoiceQuestion> {
        match &self.kind {
            QuestionKind::Choice(choice) => Some(choice),
            _ => None,
        }
    }

    /// Returns true if it expects more than one line of text.
    pub const fn is_long_text(&self) -> bool {
        matches!(&self.kind, QuestionKind::Text(entry) if entry.long)
    }
}
