//! The spec's types ("schema hierarchy" and "response validation") as data.

use crate::javascript;
use serde::{Deserialize, Serialize};
use serde_json::Number;
use std::ops::Not;

/// Arguments of the tool: the spec's `AskUserQuestionsParametersSchema`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AskUserQuestionsParameters {
    /// The questions, at least one.
    pub questions: Vec<QuestionInput>,
    /// The asker does not wait for the answers (3.4).
    #[serde(default, skip_serializing_if = "Not::not")]
    pub non_blocking: bool,
}

/// One question: the spec's `QuestionSchema`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct QuestionInput {
    /// Text of the question; not empty.
    pub prompt: String,
    /// Its short name; not empty.
    pub title: String,
    /// The options, at least two.
    pub options: Vec<OptionInput>,
    /// Set if several may be picked. A call must set it; a stored session may omit it.
    #[serde(default)]
    pub multi_select: bool,
}

/// One option: the spec's `OptionSchema`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OptionInput {
    /// Text for the person, which also names the option in an answer.
    pub label: String,
    /// Meaning of the option.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
}

/// An answer to one question (the spec's "response validation"). An empty string is no answer; an empty array is the
/// answer that nothing was picked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct UserAnswer {
    /// The question, counted from 0. Only a whole number names one.
    pub question_index: Number,
    /// The label of the option picked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub selected_option: Option<String>,
    /// Labels of the options picked, in the order picked. If set, `selected_option` is ignored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub selected_options: Option<Vec<String>>,
    /// Typed text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub custom_text: Option<String>,
    /// Time of the answer, as the client wrote it. Nothing reads it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timestamp: Option<String>,
}

impl UserAnswer {
    /// Returns the place of the question it answers; `None` if the number is negative or no whole number.
    pub(super) fn question_place(&self) -> Option<usize> {
        usize::try_from(self.exact_index()?.to_integer()?).ok()
    }

    /// Returns the number of the question in JavaScript's format.
    pub(super) fn index_text(&self) -> String {
        javascript::number_to_string(&self.question_index)
    }

    fn exact_index(&self) -> Option<sayso_core::Number> {
        sayso_core::Number::parse(&self.question_index.to_string())
    }

    /// Returns the labels picked; `None` if the answer has no options.
    pub(super) fn labels(&self) -> Option<&[String]> {
        let single = || self.selected_option.as_ref().filter(|label| !label.is_empty());
        self.selected_options.as_deref().or_else(|| single().map(std::slice::from_ref))
    }

    /// Returns the typed text, if any.
    pub(super) fn custom_answer(&self) -> Option<&str> {
        self.custom_text.as_deref().filter(|text| !text.is_empty())
    }
}
