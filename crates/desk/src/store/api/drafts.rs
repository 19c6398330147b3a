//! Drafts of a store.

use crate::draft::{Draft, DraftRev, OnConflict};
use sayso_core::{AskId, Person, Problem, QuestionId, Reply};

/// Drafts of a store. Every method fails if the store cannot be read or written.
pub(crate) trait DraftStore: Send + Sync {
    /// Saves replies, and returns the new revision and the questions that were saved since the base revision.
    fn save_draft(
        &self,
        id: AskId,
        base: DraftRev,
        by: &Person,
        replies: Vec<(QuestionId, Reply)>,
        on_conflict: OnConflict,
    ) -> Result<(DraftRev, Vec<QuestionId>), Problem>;

    /// Returns the draft of an ask; an empty one if there is no such ask.
    fn draft(&self, id: AskId) -> Result<Draft, Problem>;
}
