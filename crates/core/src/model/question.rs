//! A question: its kind with the settings of that, when it is asked, and what an answer must meet.

pub mod choice;
pub mod condition;
pub mod constraint;
pub mod kind;

use crate::model::answer::Answer;
use crate::model::id::{QuestionId, SectionId};
use crate::model::question::choice::ChoiceQuestion;
use crate::model::question::condition::Condition;
use crate::model::question::constraint::Constraint;
use crate::model::question::kind::QuestionKind;

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

impl Question {
    /// Returns a required question with only an id, a prompt and a kind.
    pub fn new(id: impl Into<QuestionId>, prompt: impl Into<String>, kind: impl Into<QuestionKind>) -> Self {
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
            kind: kind.into(),
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
    #[inline]
    pub const fn choice(&self) -> Option<&ChoiceQuestion> {
        self.kind.choice()
    }
}
