//! Line layout: the start of each row for a width, and the grapheme in each column.
//!
//! **Invariant:** every grapheme, and the end of the text, has a cell of its own: a row, and the column it begins in.
//! A row ends at a line break or at the width: after a space, if there is one, or else inside the word.

use super::glyph::Glyph;
use super::{CellPosition, LineMode};
use unicode_segmentation::UnicodeSegmentation as _;

/// Number of rows before an edit that are laid out again. A row's start depends on no text after the first grapheme of
/// the row after the next, and where that grapheme ends depends on what follows it.
const REFLOWED_ROWS: usize = 3;

/// Rows of a text.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct TextLayout {
    columns: usize,
    lines: LineMode,
    /// Rows in order. There is always one, at the start of the text.
    rows: Vec<TextRow>,
}

/// A row of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct TextRow {
    /// Byte offset of its start.
    start: usize,
    /// Number of graphemes.
    graphemes: usize,
}

impl TextLayout {
    pub(super) fn new(text: &str, columns: usize, lines: LineMode) -> Self {
        let mut layout = Self { columns: columns.max(1), lines, rows: Vec::new() };
        layout.update(text, 0, 0, text.len());
        layout
    }

    pub(super) const fn columns(&self) -> usize {
        self.columns
    }

    pub(super) const fn lines(&self) -> LineMode {
        self.lines
    }

    pub(super) const fn rows(&self) -> usize {
        self.rows.len()
    }

    /// Updates the rows after an edit at `at` that removed and inserted this many bytes; `text` is the new text.
    pub(super) fn update(&mut self, text: &str, at: usize, removed: usize, inserted: usize) {
        let first = self.row_index(at).saturating_sub(REFLOWED_ROWS);
        let mut old_row = self.rows.partition_point(|row| row.start < at + removed);
        let mut new_rows = Vec::new();
        let mut unchanged_row = self.rows.len();
        let mut start = Some(self.row_start(first));
        while let Some(row_start) = start {
            let (row, next) = self.lay_out_row(text, row_start);
            new_rows.push(row);
            start = next;
            // From the first row with an unchanged start, all rows are unchanged.
            if let Some(next) = next
                && let Some(distance) = next.checked_sub(at + inserted)
            {
                let old_start = at + removed + distance;
                while self.rows.get(old_row).is_some_and(|row| row.start < old_start) {
                    old_row += 1;
                }
                if self.rows.get(old_row).is_some_and(|row| row.start == old_start) {
                    unchanged_row = old_row;
                    break;
                }
            }
        }
        for row in self.rows.iter_mut().skip(unchanged_row) {
            row.start = row.start - removed + inserted;
        }
        self.rows.splice(first..unchanged_row, new_rows);
    }

    /// Returns the row that starts here, and the start of the next one; `None` after the last row.
    fn lay_out_row(&self, text: &str, start: usize) -> (TextRow, Option<usize>) {
        let mut at = start;
        let mut column = 0;
        let mut graphemes = 0;
        // The last place at which the row may end: its offset, and the number of graphemes before it.
        let mut last_break = None;
        let mut last_glyph: Option<Glyph> = None;
        loop {
            let Some(glyph) = self.glyph(text, at, column) else {
                // The end of the text has a cell too.
                let next = if column >= self.columns { Some(at) } else { None };
                return (TextRow { start, graphemes }, next);
            };
            if last_glyph.is_some_and(|last| last.allows_break(glyph)) {
                last_break = Some((at, graphemes));
            }
            if column + glyph.width > self.columns && at > start {
                let (next, graphemes) = match last_break {
                    Some(last_break) if !glyph.is_space() => last_break,
                    _ => (at, graphemes),
                };
                return (TextRow { start, graphemes }, Some(next));
            }
            at += glyph.len;
            column += glyph.width;
            graphemes += 1;
            if glyph.ends_row {
                return (TextRow { start, graphemes }, Some(at));
            }
            last_glyph = Some(glyph);
        }
    }

    pub(super) fn glyph(&self, text: &str, at: usize, column: usize) -> Option<Glyph> {
        Glyph::measure_at(text, at, column, self.columns, self.lines)
    }

    fn row_index(&self, at: usize) -> usize {
        self.rows.partition_point(|row| row.start <= at).saturating_sub(1)
    }

    /// Returns the start of a row, or of the last row if there are fewer.
    fn row_start(&self, row: usize) -> usize {
        self.rows.get(row).or(self.rows.last()).map_or(0, |row| row.start)
    }

    /// Returns the cell of the grapheme at a byte offset.
    pub(super) fn position(&self, text: &str, caret: usize) -> CellPosition {
        let row = self.row_index(caret);
        let mut at = self.row_start(row);
        let mut column = 0;
        while at < caret
            && let Some(glyph) = self.glyph(text, at, column)
        {
            at += glyph.len;
            column += glyph.width;
        }
        CellPosition { row, column }
    }

    /// Returns the start of the grapheme nearest to a cell; after the last row, the end of the text.
    pub(super) fn nearest_boundary(&self, text: &str, cell: CellPosition) -> usize {
        let Some(row) = self.rows.get(cell.row) else { return text.len() };
        let next_row = self.rows.get(cell.row + 1).map(|row| row.start);
        let mut at = row.start;
        let mut column = 0;
        while let Some(glyph) = self.glyph(text, at, column) {
            let end = at + glyph.len;
            // The position after the last grapheme belongs to the next row.
            if cell.column.saturating_sub(column) * 2 <= glyph.width || Some(end) == next_row {
                return at;
            }
            at = end;
            column += glyph.width;
        }
        at
    }

    /// Returns the first grapheme boundary at or after an offset.
    pub(super) fn next_boundary(&self, text: &str, raw: usize) -> usize {
        let mut at = self.row_start(self.row_index(raw));
        while at < raw
            && let Some(glyph) = self.glyph(text, at, 0)
        {
            at += glyph.len;
        }
        at
    }

    /// Iterates over the graphemes before an offset, the nearest first, with their offsets.
    pub(super) fn graphemes_backwards<'t>(
        &self,
        text: &'t str,
        caret: usize,
    ) -> impl Iterator<Item = (usize, &'t str)> {
        let rows = self.rows.partition_point(|row| row.start < caret);
        let mut end = caret;
        self.rows.iter().take(rows).rev().flat_map(move |row| {
            let row_text = text.get(row.start..end).unwrap_or_default();
            end = row.start;
            let mut graphemes = Vec::new();
            for (at, grapheme) in row_text.grapheme_indices(true) {
                graphemes.push((row.start + at, grapheme));
            }
            graphemes.into_iter().rev()
        })
    }

    /// Counts the graphemes from the start of a line to an offset.
    pub(super) fn count_graphemes(&self, text: &str, line: usize, caret: usize) -> usize {
        let first = self.row_index(line);
        let last = self.row_index(caret);
        let in_whole_rows: usize = self.rows.iter().take(last).skip(first).map(|row| row.graphemes).sum();
        let last_row = text.get(self.row_start(last)..caret).unwrap_or_default();
        in_whole_rows + last_row.graphemes(true).count()
    }

    /// Returns a row as it is drawn; `None` if there are fewer rows.
    pub(super) fn display_row(&self, text: &str, row: usize) -> Option<String> {
        let mut at = self.rows.get(row)?.start;
        let end = self.rows.get(row + 1).map_or(text.len(), |row| row.start);
        let mut row_text = String::new();
        let mut column = 0;
        while at < end
            && let Some(glyph) = self.glyph(text, at, column)
        {
            glyph.write(text.get(at..at + glyph.len).unwrap_or_default(), self.lines, &mut row_text);
            at += glyph.len;
            column += glyph.width;
        }
        Some(row_text)
    }
}
