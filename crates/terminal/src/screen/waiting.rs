//! Set of pending asks, independent of the view: for the window title and the announcement of new ones.

use sayso_core::AskId;
use sayso_core::row::Row;
use std::collections::BTreeSet;

/// Pending asks that the person has been shown.
#[derive(Debug, Default)]
pub(super) struct Waiting {
    known: BTreeSet<AskId>,
    /// Number of pending asks; `None` until the first read.
    pub(super) count: Option<usize>,
}

impl Waiting {
    /// Takes the rows of all pending asks. Returns the number of asks that are new to the person; 0 at the first read.
    pub(super) fn take(&mut self, rows: &[Row]) -> usize {
        let waiting: BTreeSet<_> =
            rows.iter().filter(|row| row.state.is_pending()).map(|row| row.id).collect();
        let new = waiting.difference(&self.known).count();
        let was_read = self.count.replace(waiting.len()).is_some();
        self.known.extend(waiting);
        if was_read { new } else { 0 }
    }
}
