//! The asks that wait, whichever are shown: for the title of the window, and to tell of new ones.

use sayso_core::AskId;
use sayso_core::row::Row;
use std::collections::BTreeSet;

/// What is known of them.
#[derive(Debug, Default)]
pub(super) struct Waiting {
    known: BTreeSet<AskId>,
    /// How many there are, once that has been read.
    pub(super) count: Option<usize>,
}

impl Waiting {
    /// Takes in the rows of all that wait. How many are new to a person who has seen those before; none at first.
    pub(super) fn take(&mut self, rows: &[Row]) -> usize {
        let waiting: BTreeSet<_> =
            rows.iter().filter(|row| row.state.is_pending()).map(|row| row.id).collect();
        let new = waiting.difference(&self.known).count();
        let was_read = self.count.replace(waiting.len()).is_some();
        self.known.extend(waiting);
        if was_read { new } else { 0 }
    }
}
