//! A text box at the width of a frame. Drawing reads it and leaves the text box as it is.

use super::layout::TextLayout;
use super::{CellPosition, TextBox, motion};

/// Rows and caret of a text box at some width.
#[derive(Debug)]
pub(crate) struct ShownText<'t> {
    source: &'t TextBox,
    /// Layout for a width that the text box does not have yet.
    other_layout: Option<TextLayout>,
}

impl TextBox {
    /// Returns the text as shown at a width of at least one column.
    pub(crate) fn at_width(&self, columns: usize) -> ShownText<'_> {
        let columns = columns.max(1);
        if columns == self.layout.columns() {
            return ShownText { source: self, other_layout: None };
        }
        let other_layout = TextLayout::new(&self.text, columns, self.line_mode());
        ShownText { source: self, other_layout: Some(other_layout) }
    }
}

impl ShownText<'_> {
    fn layout(&self) -> &TextLayout {
        self.other_layout.as_ref().unwrap_or(&self.source.layout)
    }

    /// Returns the number of rows, at least one.
    pub(crate) fn rows(&self) -> usize {
        self.layout().rows()
    }

    /// Returns up to `count` rows from `first` on, as they are drawn. A row exceeds the width only if a single grapheme
    /// does.
    pub(crate) fn visible_rows(&self, first: usize, count: usize) -> Vec<String> {
        let end = self.rows().min(first.saturating_add(count));
        (first..end).filter_map(|row| self.layout().display_row(&self.source.text, row)).collect()
    }

    /// Returns the cell of the caret.
    pub(crate) fn caret_cell(&self) -> CellPosition {
        self.layout().position(&self.source.text, self.source.caret)
    }

    /// Returns the line and the grapheme column of the caret, both from 1.
    pub(crate) fn line_and_column(&self) -> (usize, usize) {
        let TextBox { text, caret, .. } = self.source;
        let start = motion::line_start(text, self.source.line_mode(), *caret);
        let lines_above = text.get(..start).unwrap_or_default().matches('\n').count();
        (lines_above + 1, self.layout().count_graphemes(text, start, *caret) + 1)
    }
}
