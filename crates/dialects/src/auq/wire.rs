//! The spec's types ("schema hierarchy" and "response validation") as data.

use crate::javascript;
use serde::{Deserialize, Serialize};
use serde_json::Number;
use std::ops::Not;

/// What the tool is called with: the spec's `AskUserQuestionsParametersSchema`.
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
    /// What is asked; not empty.
    pub prompt: String,
    /// Its short name; not empty.
    pub title: String,
    /// The options, at least two.
    pub options: Vec<OptionInput>,
    /// Several may be picked. A call must say it; what a session kept may leave it out.
    #[serde(default)]
    pub multi_select: bool,
}

/// One option: the spec's `OptionSchema`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OptionInput {
    /// What the person reads, and what names it in an answer.
    pub label: String,
    /// What it means.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
}

/// An answer to one question (the spec's "response validation"). An empty string says nothing; an empty array says that
/// nothing was picked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct UserAnswer {
    /// The question, counted from 0. Only a whole number names one.
    pub question_index: Number,
    /// The label of the option picked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub selected_option: Option<String>,
    /// The labels of the options picked, in the order picked. Where it stands, `selected_option` is not looked at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub selected_options: Option<Vec<String>>,
    /// What was typed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub custom_text: Option<String>,
    /// When, as the answerer wrote it. Nothing reads it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timestamp: Option<String>,
}

impl UserAnswer {
    /// The place of the question it answers; nothing where the number is not whole or below 0.
    pub(super) fn place(&self) -> Option<usize> {
        usize::try_from(self.exact_index()?.whole()?).ok()
    }

    /// The number of the question in JavaScript's words.
    pub(super) fn index_text(&self) -> String {
        javascript::number(&self.question_index)
    }

    fn exact_index(&self) -> Option<sayso_core::Number> {
        sayso_core::Number::parse(&self.question_index.to_string())
    }

    /// The labels picked; nothing where the answer does not speak of options.
    pub(super) fn labels(&self) -> Option<&[String]> {
        let single = || self.selected_option.as_ref().filter(|label| !label.is_empty());
        self.selected_options.as_deref().or_else(|| single().map(std::slice::from_ref))
    }

    /// What was typed, if anything was.
    pub(super) fn own(&self) -> Option<&str> {
        self.custom_text.as_deref().filter(|text| !text.is_empty())
    }
}
