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
        let waiting: BTreeSet<_> =
            rows.iter().filter(|row| row.state.is_pending()).map(|row| row.id).collect();
        let new = waiting.difference(&self.announced).count();
        let was_read = self.count.replace(waiting.len()).is_some();
        self.announced.extend(waiting);
        if was_read { new } else { 0 }
    }
}
