//! Change log of a store: every committed change in order, for watchers.

use crate::watch::{AskChange, ChangeCursor};
use jiff::Timestamp;
use sayso_core::lifecycle::AskEvent;
use sayso_core::{AskId, Problem};

/// Change log of a store. Every reader fails if the store cannot be read.
pub(crate) trait ChangeStore: Send + Sync {
    /// Returns the cursor after the last change.
    fn latest_cursor(&self) -> Result<ChangeCursor, Problem>;

    /// Returns whether every change after this cursor is still known.
    fn can_resume_from(&self, cursor: ChangeCursor) -> Result<bool, Problem>;

    /// Returns the changes after a cursor, in order, at most `limit` of them.
    fn changes_after(&self, cursor: ChangeCursor, limit: usize) -> Result<Vec<AskChange>, Problem>;

    /// Returns the changes of one ask after a cursor, and the cursor up to which they are complete.
    fn ask_changes_after(
        &self,
        id: AskId,
        cursor: ChangeCursor,
    ) -> Result<(Vec<AskChange>, ChangeCursor), Problem>;

    /// Returns every event of an ask with the time of its change.
    fn history(&self, id: AskId) -> Result<Vec<(Timestamp, Vec<AskEvent>)>, Problem>;
}
