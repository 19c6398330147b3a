//! Caret motions.

use super::layout::TextLayout;
use super::{CellPosition, LineMode};
use unicode_segmentation::UnicodeSegmentation as _;

/// Target of a motion, relative to the caret.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MotionTarget {
    /// The previous grapheme.
    Left,
    /// The next grapheme.
    Right,
    /// The start of the word, or of the previous word.
    WordLeft,
    /// The end of the word, or of the next word.
    WordRight,
    /// After the last space before the word.
    SpaceLeft,
    /// The start of the line.
    LineStart,
    /// The end of the line.
    LineEnd,
    /// The start of the text.
    TextStart,
    /// The end of the text.
    TextEnd,
}

/// Script of a letter; a word has letters of one script.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum WordScript {
    Letters,
    Han,
    Kana,
}

/// Returns the offset of a motion's target.
pub(super) fn target_offset(text: &str, layout: &TextLayout, caret: usize, to: MotionTarget) -> usize {
    match to {
        MotionTarget::Left => layout.graphemes_backwards(text, caret).next().map_or(0, |(at, _)| at),
        MotionTarget::Right => layout.glyph(text, caret, 0).map_or(caret, |glyph| caret + glyph.len),
        MotionTarget::WordLeft => word_left(text, layout, caret),
        MotionTarget::WordRight => word_right(text, caret),
        MotionTarget::SpaceLeft => space_left(text, layout, caret),
        MotionTarget::LineStart => line_start(text, layout.lines(), caret),
        MotionTarget::LineEnd => line_end(text, layout.lines(), caret),
        MotionTarget::TextStart => 0,
        MotionTarget::TextEnd => text.len(),
    }
}

/// Returns the offset in the row above or below nearest to a column; `None` if there is no such row.
pub(super) fn adjacent_row_offset(
    text: &str,
    layout: &TextLayout,
    row: usize,
    is_down: bool,
    column: usize,
) -> Option<usize> {
    let row = if is_down { row + 1 } else { row.checked_sub(1)? };
    if row < layout.rows() { Some(layout.nearest_boundary(text, CellPosition { row, column })) } else { None }
}

fn word_left(text: &str, layout: &TextLayout, caret: usize) -> usize {
    let mut word = None;
    let mut start = caret;
    for (at, grapheme) in layout.graphemes_backwards(text, caret) {
        let script = script_of(grapheme);
        if word.is_some() && script != word {
            return start;
        }
        word = script;
        start = at;
    }
    start
}

fn word_right(text: &str, caret: usize) -> usize {
    let mut word = None;
    let mut end = caret;
    for grapheme in text.get(caret..).unwrap_or_default().graphemes(true) {
        let script = script_of(grapheme);
        if word.is_some() && script != word {
            return end;
        }
        word = script;
        end += grapheme.len();
    }
    end
}

fn space_left(text: &str, layout: &TextLayout, caret: usize) -> usize {
    let mut start = caret;
    let mut has_word = false;
    for (at, grapheme) in layout.graphemes_backwards(text, caret) {
        let is_space = grapheme.starts_with(char::is_whitespace);
        if has_word && is_space {
            return start;
        }
        has_word |= !is_space;
        start = at;
    }
    start
}

fn script_of(grapheme: &str) -> Option<WordScript> {
    match grapheme.chars().next()? {
        '々' | '\u{3400}'..='\u{9fff}' | '\u{2_0000}'..='\u{3_ffff}' => Some(WordScript::Han),
        'ー' | '\u{3041}'..='\u{3096}' | '\u{30a1}'..='\u{30fa}' => Some(WordScript::Kana),
        c if c.is_alphanumeric() || c == '_' => Some(WordScript::Letters),
        _ => None,
    }
}

/// Returns the start of the caret's line. A one-line text has only one, even with pasted breaks.
pub(super) fn line_start(text: &str, lines: LineMode, caret: usize) -> usize {
    let head = text.get(..caret).unwrap_or_default();
    match head.rfind('\n') {
        Some(line_break) if lines == LineMode::Multiple => line_break + 1,
        _ => 0,
    }
}

fn line_end(text: &str, lines: LineMode, caret: usize) -> usize {
    let rest = text.get(caret..).unwrap_or_default();
    match rest.split_once('\n') {
        // CRLF is one grapheme.
        Some((line, _)) if lines == LineMode::Multiple => {
            caret + line.strip_suffix('\r').unwrap_or(line).len()
        }
        _ => text.len(),
    }
}
