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

    /// Sorts places in the list of rows.
    pub(crate) fn sort(self, places: &mut [usize], rows: &[AskSummary]) {
        let row = |place: &usize| rows.get(*place);
        match self {
            Self::Blocking => places.sort_by_key(|at| row(at).map(|row| (!row.attached, row.created_at))),
            Self::Oldest => places.sort_by_key(|at| row(at).map(|row| row.created_at)),
            Self::Newest => places.sort_by_key(|at| Reverse(row(at).map(|row| row.created_at))),
            Self::Deadline => {
                places.sort_by_key(|at| row(at).map(|row| (row.deadline.is_none(), row.deadline)));
            }
        }
    }
}
