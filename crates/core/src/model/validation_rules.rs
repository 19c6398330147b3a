//! The rules by which answers are validated, as data: a dialect sets them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// The unit that lengths are counted in.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LengthUnit {
    /// Unicode scalar values.
    #[default]
    Scalar,
    /// UTF-16 code units, the `length` of JavaScript: an emoji counts 2.
    Utf16,
}

impl LengthUnit {
    /// Returns the length of a text in this unit.
    pub fn count(self, text: &str) -> usize {
        match self {
            _ if text.is_ascii() => text.len(),
            Self::Scalar => text.chars().count(),
            Self::Utf16 => text.encode_utf16().count(),
        }
    }
}

/// Treatment of an answer whose pattern takes too many steps to check.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum UncheckedAnswers {
    /// The answer is accepted and marked for the asker.
    #[default]
    Accept,
    /// The answer is refused.
    Refuse,
}

impl UncheckedAnswers {
    /// Returns true if it is the default.
    pub(crate) fn is_usual(&self) -> bool {
        *self == Self::default()
    }
}

/// The rules of one questionnaire.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "snake_case")]
pub struct Rules {
    /// The unit of all lengths.
    pub length_unit: LengthUnit,
    /// Typed text is trimmed before it is checked and sent.
    pub trim_text: bool,
    /// The same option may be picked more than once and counts each time.
    pub repeated_picks: bool,
    /// A typed own answer replaces the picks of a multiple choice.
    pub other_alone: bool,
    /// An empty own answer counts as an answer.
    pub empty_other: bool,
    /// A typed own answer meets a condition on the option with the same id.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub own_answers_match: bool,
    /// A required confirmation must be yes.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub must_be_true: bool,
    /// Picking nothing is an answer.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub empty_picks: bool,
    /// Several options may be picked even if one is asked for.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub loose_single: bool,
    /// At least one question must be answered, though none is required by itself.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub some_answer: bool,
    /// White space is an answer; an empty text is not.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub blank_text: bool,
    /// Any answer of its kind may be sent and none is required: the asker judges.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub unjudged: bool,
    /// Any text is accepted as a date or time.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub loose_dates: bool,
    /// The own answer's default label is custom, as in its format, not other.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub own_answers_are_custom: bool,
    /// Texts that an own answer must not be, trimmed: they mean something else to the asker.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    #[schemars(with = "Vec<String>")]
    pub reserved: BTreeSet<String>,
}

impl Default for Rules {
    fn default() -> Self {
        Self {
            length_unit: LengthUnit::Scalar,
            trim_text: true,
            repeated_picks: false,
            other_alone: false,
            empty_other: false,
            own_answers_match: false,
            must_be_true: false,
            empty_picks: false,
            loose_single: false,
            some_answer: false,
            blank_text: false,
            unjudged: false,
            loose_dates: false,
            own_answers_are_custom: false,
            reserved: BTreeSet::new(),
        }
    }
}

impl Rules {
    /// Returns true if a text counts as empty.
    pub fn is_blank(&self, text: &str) -> bool {
        if self.blank_text { text.is_empty() } else { text.trim_start().is_empty() }
    }

    /// Returns true if no own answer may be this text.
    pub fn is_reserved(&self, text: &str) -> bool {
        self.reserved.contains(text.trim())
    }

    /// Returns the text as it is validated and sent.
    pub fn trimmed<'t>(&self, text: &'t str) -> &'t str {
        if self.trim_text { text.trim() } else { text }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn emoji_counts_two_in_utf16() {
        assert_eq!(LengthUnit::Utf16.count("🦀字"), 3);
        assert_eq!(LengthUnit::Scalar.count("🦀字"), 2);
    }
}
