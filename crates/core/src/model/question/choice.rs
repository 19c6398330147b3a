//! Choices and their options.

use crate::model::id::OptionId;
use std::cmp::Ordering;

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

    /// Returns true if it has no value, and an id that we numbered.
    pub(crate) fn is_numbered(&self) -> bool {
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
