//! A choice among options.

mod option;

pub use option::ChoiceOption;

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
