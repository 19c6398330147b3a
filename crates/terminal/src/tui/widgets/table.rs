//! Layout of an agent's table: columns as wide as their content, as far as the screen allows, and wrapped cells.

use super::line_builder::{LineBuilder, StyledSpan, display_width, spans_width};
use super::theme::StyleRole;
use super::wrapping::wrap_spans;
use ratatui::style::Style;

/// Minimum width of a column in which words are still readable.
const MIN_COLUMNS: usize = 6;

/// Cell of a table.
type Cell = Vec<StyledSpan>;

/// Table under construction.
#[derive(Debug, Default)]
pub(super) struct TableLayouter {
    rows: Vec<TableRow>,
}

#[derive(Debug, Default)]
struct TableRow {
    is_head: bool,
    cells: Vec<Cell>,
    /// The first cell has begun.
    is_begun: bool,
}

impl TableLayouter {
    pub(super) fn begin_row(&mut self, is_head: bool) {
        self.rows.push(TableRow { is_head, ..TableRow::default() });
    }

    /// Adds the content before the next cell. The first call of a row has no content yet.
    pub(super) fn push_cell(&mut self, cell: Cell) {
        if let Some(row) = self.rows.last_mut()
            && (std::mem::replace(&mut row.is_begun, true) || !cell.is_empty())
        {
            row.cells.push(cell);
        }
    }

    /// Adds the rows of the table behind a prefix.
    pub(super) fn lay_out(self, builder: &mut LineBuilder<'_>, prefix: &[StyledSpan]) {
        let separator = builder.span(format!(" {} ", builder.theme.symbols.separator), StyleRole::Faint);
        let columns = self.rows.iter().map(|row| row.cells.len()).max().unwrap_or_default();
        let separators_width = columns.saturating_sub(1) * display_width(&separator.0);
        let room = builder.columns.saturating_sub(spans_width(prefix) + separators_width);
        let Some(widths) = fit_widths(self.natural_widths(columns), room) else {
            // Too wide for columns: the cells one after another.
            for row in &self.rows {
                builder.push_wrapped(prefix, prefix, row.cells.join(&separator));
            }
            return;
        };
        for row in &self.rows {
            push_in_columns(row, &widths, builder, prefix, &separator);
            if row.is_head {
                let symbols = builder.theme.symbols;
                let parts: Vec<_> = widths.iter().map(|width| symbols.rule.repeat(*width)).collect();
                let line = parts.join(&format!("{0}{1}{0}", symbols.rule, symbols.crossing));
                let line = builder.span(line, StyleRole::Faint);
                builder.push_row(prefix.iter().cloned().chain([line]).collect());
            }
        }
    }

    /// Returns the width of each column's widest cell.
    fn natural_widths(&self, columns: usize) -> Vec<usize> {
        let mut widths = vec![1; columns];
        for row in &self.rows {
            for (width, cell) in widths.iter_mut().zip(&row.cells) {
                *width = spans_width(cell).max(*width);
            }
        }
        widths
    }
}

/// Narrows the widest columns until all fit. Returns `None` if they cannot.
fn fit_widths(mut widths: Vec<usize>, room: usize) -> Option<Vec<usize>> {
    let least: usize = widths.iter().map(|width| (*width).min(MIN_COLUMNS)).sum();
    if least > room {
        return None;
    }
    let mut excess = widths.iter().sum::<usize>().saturating_sub(room);
    while excess > 0 {
        let widest = widths.iter().copied().max()?;
        let next = widths.iter().copied().filter(|width| *width < widest).max().unwrap_or(MIN_COLUMNS);
        let count = widths.iter().filter(|width| **width == widest).count();
        let cut = (widest - next.max(MIN_COLUMNS)).min(excess.div_ceil(count)).max(1);
        for width in &mut widths {
            if *width == widest {
                let less = cut.min(excess);
                *width -= less;
                excess -= less;
            }
        }
    }
    Some(widths)
}

/// Adds a row of a table in columns of these widths. A row with few cells has empty ones at its end.
fn push_in_columns(
    row: &TableRow,
    widths: &[usize],
    builder: &mut LineBuilder<'_>,
    prefix: &[StyledSpan],
    separator: &StyledSpan,
) {
    let mut cells = Vec::with_capacity(widths.len());
    for (column, width) in widths.iter().enumerate() {
        let cell = row.cells.get(column).cloned().unwrap_or_default();
        cells.push(wrap_spans(cell, *width, *width));
    }
    let height = cells.iter().map(Vec::len).max().unwrap_or(1);
    for line in 0..height {
        let mut spans = prefix.to_vec();
        for (column, (cell, width)) in cells.iter().zip(widths).enumerate() {
            if column > 0 {
                spans.push(separator.clone());
            }
            let part = cell.get(line).cloned().unwrap_or_default();
            let fill = width.saturating_sub(spans_width(&part));
            spans.extend(part);
            if column + 1 < widths.len() {
                spans.push((" ".repeat(fill), Style::new()));
            }
        }
        builder.push_row(spans);
    }
}

#[cfg(test)]
mod tests {
    use super::super::theme::Theme;
    use super::*;

    fn drawn(columns: usize, text: &str) -> Vec<String> {
        let mut builder = LineBuilder::new(&Theme::MONO, columns);
        builder.push_markdown(0, text);
        let mut rows = Vec::new();
        for row in &builder.rows {
            let text: String = row.spans.iter().map(|(words, _)| words.as_str()).collect();
            rows.push(text.trim_end().to_owned());
        }
        rows
    }

    #[test]
    fn table_columns_are_aligned() {
        let table =
            "Costs:\n\n| Plan | Price |\n|---|--:|\n| Small | 3 |\n| A **very** large one | 字 |\n\nEnd.";
        let shown = [
            "┃ Costs:",
            "┃",
            "┃ Plan             │ Price",
            "┃ ─────────────────┼──────",
            "┃ Small            │ 3",
            "┃ A very large one │ 字",
            "┃",
            "┃ End.",
        ];
        assert_eq!(drawn(40, table), shown);
    }

    #[test]
    fn wide_tables_wrap_their_cells() {
        let table = "|a|b|\n|-|-|\n|one two three four|five six seven|\n";
        let shown = [
            "┃ a        │ b",
            "┃ ─────────┼──────────",
            "┃ one two  │ five six",
            "┃ three    │ seven",
            "┃ four     │",
        ];
        assert_eq!(drawn(22, table), shown);
        let many = format!("{}\n{}\n{}\n", "|head".repeat(9), "|-".repeat(9), "|cell".repeat(9));
        let shown = drawn(24, &many);
        assert!(shown.iter().all(|row| row.starts_with('┃') && display_width(row) <= 24), "{shown:?}");
        assert_eq!(shown.concat().matches("cell").count(), 9, "{shown:?}");
    }

    #[test]
    fn widths_shrink_to_fit() {
        assert_eq!(fit_widths(vec![4, 30, 20], 34), Some(vec![4, 15, 15]));
        assert_eq!(fit_widths(vec![4, 5], 34), Some(vec![4, 5]));
        assert_eq!(fit_widths(vec![7, 7, 7], 20).map(|widths| widths.iter().sum()), Some(20));
        assert_eq!(fit_widths(vec![40; 5], 20), None);
    }
}
