//! Order of the inbox's rows.

use sayso_core::AskSummary;
use std::cmp::Reverse;

/// Sort order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SortOrder {
    /// Blocked askers first, then the longest waiting.
    Blocking,
    /// The longest waiting first.
    Oldest,
    /// The newest first.
    Newest,
    /// The nearest deadline first.
    Deadline,
}

impl SortOrder {
    /// Returns the order after this one, in the order in which the key leads through them.
    pub(super) const fn next(self) -> Self {
        match self {
            Self::Blocking => Self::Oldest,
            Self::Oldest => Self::Newest,
            Self::Newest => Self::Deadline,
            Self::Deadline => Self::Blocking,
        }
    }

    /// Sorts indices of `rows`. An index without a row comes first.
    pub(crate) fn sort(self, indices: &mut [usize], rows: &[AskSummary]) {
        match self {
            Self::Blocking => sort_by(indices, rows, |row| (!row.attached, row.created_at)),
            Self::Oldest => sort_by(indices, rows, |row| row.created_at),
            Self::Newest => sort_by(indices, rows, |row| Reverse(row.created_at)),
            Self::Deadline => sort_by(indices, rows, |row| (row.deadline.is_none(), row.deadline)),
        }
    }
}

/// Sorts indices by a key of their rows. Rows with the same key stay in the order of the desk.
fn sort_by<K: Ord>(indices: &mut [usize], rows: &[AskSummary], key: impl Fn(&AskSummary) -> K) {
    indices.sort_by_key(|index| rows.get(*index).map(&key));
}
