//! Movement of the cursor of a list by a key, the mouse wheel or a click.

/// A movement. It ends at the first or the last row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CursorMove {
    /// Up by this number of rows.
    Up(usize),
    /// Down by this number of rows.
    Down(usize),
    /// To the first row.
    First,
    /// To the last row.
    Last,
    /// To the row with this index.
    To(usize),
}

impl CursorMove {
    /// Returns the movement by a signed number of rows; a negative one goes up.
    pub(super) const fn by(rows: isize) -> Self {
        if rows < 0 { Self::Up(rows.unsigned_abs()) } else { Self::Down(rows.unsigned_abs()) }
    }

    /// Returns the row that the cursor is at after the movement, in a list whose last row is `last`.
    pub(super) fn apply(self, cursor: usize, last: usize) -> usize {
        let row = match self {
            Self::Up(rows) => cursor.min(last).saturating_sub(rows),
            Self::Down(rows) => cursor.saturating_add(rows),
            Self::First => 0,
            Self::Last => last,
            Self::To(row) => row,
        };
        row.min(last)
    }
}
