//! One option of a choice.

use crate::i18n::spelling;
use crate::model::id::OptionId;

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
