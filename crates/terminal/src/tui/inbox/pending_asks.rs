//! Set of pending asks, independent of the view: for the window title and the announcement of new ones.

use sayso_core::AskId;
use sayso_core::AskSummary;
use std::collections::BTreeSet;

/// Pending asks that the person has been shown.
#[derive(Debug, Default)]
pub(in crate::tui) struct PendingAsks {
    announced: BTreeSet<AskId>,
    /// Number of pending asks; `None` until the first read.
    pub(in crate::tui) count: Option<usize>,
}

impl PendingAsks {
    /// Takes the rows of all pending asks. Returns the number of asks that are new to the person; 0 at the first read.
    pub(in crate::tui) fn update(&mut self, rows: &[AskSummary]) -> usize {
        let mut pending_ids = BTreeSet::new();
        for row in rows {
            if row.state.is_pending() {
                pending_ids.insert(row.id);
            }
        }
        let new = pending_ids.difference(&self.announced).count();
        let is_first_read = self.count.is_none();
        self.count = Some(pending_ids.len());
        self.announced.extend(pending_ids);
        if is_first_read { 0 } else { new }
    }
}
