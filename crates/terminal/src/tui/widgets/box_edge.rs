//! Edges of boxes.

use super::line_builder::display_width;
use super::symbols::SymbolSet;

/// Returns the upper edge of a box, with a title on the left and text on the right.
pub(crate) fn upper_edge(signs: &SymbolSet, columns: usize, title: &str, words: &str) -> String {
    horizontal_edge(signs, signs.upper, columns, &format!("{} {title} ", signs.rule), words)
}

/// Returns the lower edge, with text on the right.
pub(crate) fn lower_edge(signs: &SymbolSet, columns: usize, words: &str) -> String {
    horizontal_edge(signs, signs.lower, columns, "", words)
}

/// Returns an edge of this width: between its corners the title, a line that fills the rest, and the words before a last
/// stroke.
fn horizontal_edge(
    signs: &SymbolSet,
    [left, right]: [&str; 2],
    columns: usize,
    title: &str,
    words: &str,
) -> String {
    let words = if words.is_empty() { String::new() } else { format!(" {words} {}", signs.rule) };
    let line = signs.rule.repeat(columns.saturating_sub(display_width(title) + display_width(&words) + 2));
    format!("{left}{title}{line}{words}{right}")
}
