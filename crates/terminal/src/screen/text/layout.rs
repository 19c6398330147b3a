//! Where the rows of a text begin on a screen with so many columns, and which grapheme stands in which column.
//!
//! **Invariant:** every grapheme, and the end of the text, has a cell of its own: a row, and the column it begins in.
//! A row ends at a line break or where no more fits: after a space, if there is one, or else inside the word.

use super::glyph::Glyph;
use super::{Lines, Spot};
use unicode_segmentation::UnicodeSegmentation as _;

/// From how many rows before an edit the rows may change: what begins a row is settled at the latest by the first
/// grapheme of the row after the next, and that by what comes right after it.
const SETTLED_ROWS: usize = 3;

/// The rows of a text.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Layout {
    columns: usize,
    lines: Lines,
    /// Where each row begins, in bytes, in order. There is always one, the first of the text.
    starts: Vec<usize>,
}

impl Layout {
    pub(super) fn new(text: &str, columns: usize, lines: Lines) -> Self {
        let mut layout = Self { columns: columns.max(1), lines, starts: vec![0] };
        layout.edited(text, 0, 0, text.len());
        layout
    }

    pub(super) const fn columns(&self) -> usize {
        self.columns
    }

    pub(super) const fn lines(&self) -> Lines {
        self.lines
    }

    pub(super) const fn rows(&self) -> usize {
        self.starts.len()
    }

    /// Takes note that at this place so many bytes went and so many came: `text` is the text after that.
    pub(super) fn edited(&mut self, text: &str, at: usize, gone: usize, come: usize) {
        let first = self.row_of(at).saturating_sub(SETTLED_ROWS);
        let mut start = self.starts.get(first).copied().unwrap_or(0);
        let mut old = self.starts.partition_point(|start| *start < at + gone).max(first + 1);
        let (mut fresh, mut kept) = (Vec::new(), self.starts.len());
        while let Some(next) = self.next_start(text, start) {
            // From the first row that begins with what began a row before, all is as it was.
            if let Some(before) = next.checked_sub(at + come).map(|after| at + gone + after) {
                old += self.starts.iter().skip(old).take_while(|start| **start < before).count();
                if self.starts.get(old) == Some(&before) {
                    kept = old;
                    break;
                }
            }
            fresh.push(next);
            start = next;
        }
        for start in self.starts.iter_mut().skip(kept) {
            *start = *start - gone + come;
        }
        self.starts.splice(first + 1..kept, fresh);
    }

    /// Where the row after the one that begins here begins; none where that is the last one.
    fn next_start(&self, text: &str, start: usize) -> Option<usize> {
        let (mut at, mut column) = (start, 0);
        let mut part = None;
        let mut before: Option<Glyph> = None;
        loop {
            let Some(glyph) = self.glyph(text, at, column) else {
                // The end of the text has a cell too.
                return (column >= self.columns).then_some(at);
            };
            if before.is_some_and(|before| before.may_part(glyph)) {
                part = Some(at);
            }
            if column + glyph.width > self.columns && at > start {
                return Some(part.filter(|_| !glyph.is_space()).unwrap_or(at));
            }
            at += glyph.len;
            column += glyph.width;
            if glyph.ends_row {
                return Some(at);
            }
            before = Some(glyph);
        }
    }

    pub(super) fn glyph(&self, text: &str, at: usize, column: usize) -> Option<Glyph> {
        Glyph::at(text, at, column, self.columns, self.lines)
    }

    fn row_of(&self, at: usize) -> usize {
        self.starts.partition_point(|start| *start <= at).saturating_sub(1)
    }

    /// The cell of the grapheme that begins here.
    pub(super) fn spot(&self, text: &str, caret: usize) -> Spot {
        let row = self.row_of(caret);
        let (mut at, mut column) = (self.starts.get(row).copied().unwrap_or(0), 0);
        while at < caret
            && let Some(glyph) = self.glyph(text, at, column)
        {
            at += glyph.len;
            column += glyph.width;
        }
        Spot { row, column }
    }

    /// The beginning of the grapheme of a row that is nearest to a column; after the last row, the end of the text.
    pub(super) fn nearest(&self, text: &str, spot: Spot) -> usize {
        let Some(mut at) = self.starts.get(spot.row).copied() else { return text.len() };
        let end = self.starts.get(spot.row + 1).copied();
        let mut column = 0;
        while let Some(glyph) = self.glyph(text, at, column) {
            let after = at + glyph.len;
            // What comes after the last grapheme stands in the next row.
            if spot.column.saturating_sub(column) * 2 <= glyph.width || Some(after) == end {
                return at;
            }
            at = after;
            column += glyph.width;
        }
        at
    }

    /// The first beginning of a grapheme from here on.
    pub(super) fn snapped(&self, text: &str, raw: usize) -> usize {
        let mut at = self.starts.get(self.row_of(raw)).copied().unwrap_or(0);
        while at < raw
            && let Some(glyph) = self.glyph(text, at, 0)
        {
            at += glyph.len;
        }
        at
    }

    /// The graphemes before a place, the nearest first, each with where it begins.
    pub(super) fn backwards<'t>(
        &self,
        text: &'t str,
        caret: usize,
    ) -> impl Iterator<Item = (usize, &'t str)> {
        let rows = self.starts.partition_point(|start| *start < caret);
        let mut end = caret;
        self.starts.iter().take(rows).rev().flat_map(move |start| {
            let row = text.get(*start..end).unwrap_or_default();
            end = *start;
            let mut found: Vec<_> = row.grapheme_indices(true).collect();
            found.reverse();
            found.into_iter().map(move |(at, grapheme)| (start + at, grapheme))
        })
    }

    /// What a row shows.
    pub(super) fn row(&self, text: &str, row: usize) -> Option<String> {
        let mut at = *self.starts.get(row)?;
        let end = self.starts.get(row + 1).copied().unwrap_or(text.len());
        let (mut shown, mut column) = (String::new(), 0);
        while at < end
            && let Some(glyph) = self.glyph(text, at, column)
        {
            glyph.write(text.get(at..at + glyph.len).unwrap_or_default(), self.lines, &mut shown);
            at += glyph.len;
            column += glyph.width;
        }
        Some(shown)
    }
}
