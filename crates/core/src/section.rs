//! Questions that belong together.

use crate::condition::Condition;
use crate::id::SectionId;

/// A section of a questionnaire. Its questions name it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// Identifies it within its questionnaire.
    pub id: SectionId,
    /// Its heading.
    pub title: Option<String>,
    /// More about it, shown under the heading.
    pub detail: Option<String>,
    /// It may be left out as a whole: while all in it is empty, nothing in it is required.
    pub optional: bool,
    /// What is on the button that leads on from it.
    pub submit: Option<String>,
    /// When its questions are asked at all.
    pub show_if: Option<Condition>,
}

impl Section {
    /// A section with nothing but its id.
    pub fn new(id: impl Into<SectionId>) -> Self {
        Self { id: id.into(), title: None, detail: None, optional: false, submit: None, show_if: None }
    }
}
