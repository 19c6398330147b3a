//! Edges of boxes.

use super::super::paper::width;
use super::super::theme::Signs;

/// Returns the upper edge of a box, with a title on the left and text on the right.
pub(super) fn upper(signs: &Signs, columns: usize, title: &str, words: &str) -> String {
    edge(signs, signs.upper, columns, &format!("{} {title} ", signs.rule), words)
}

/// Returns the lower edge, with text on the right.
pub(super) fn lower(signs: &Signs, columns: usize, words: &str) -> String {
    edge(signs, signs.lower, columns, "", words)
}

fn edge(signs: &Signs, [left, right]: [&str; 2], columns: usize, title: &str, words: &str) -> String {
    let words = if words.is_empty() { String::new() } else { format!(" {words} {}", signs.rule) };
    let line = signs.rule.repeat(columns.saturating_sub(width(title) + width(&words) + 2));
    format!("{left}{title}{line}{words}{right}")
}
