//! Sections, which group questions.

use crate::model::id::SectionId;
use crate::model::question::condition::Condition;

/// A section of a questionnaire. Its questions name it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// Identifies it within its questionnaire.
    pub id: SectionId,
    /// Its heading.
    pub title: Option<String>,
    /// Further details, shown under the heading.
    pub detail: Option<String>,
    /// It may be omitted as a whole: while all of it is empty, nothing in it is required.
    pub optional: bool,
    /// Label of the button that continues to the next section.
    pub submit: Option<String>,
    /// Condition under which its questions are asked.
    pub show_if: Option<Condition>,
}

impl Section {
    /// Returns a section with only an id.
    pub fn new(id: impl Into<SectionId>) -> Self {
        Self { id: id.into(), title: None, detail: None, optional: false, submit: None, show_if: None }
    }
}
