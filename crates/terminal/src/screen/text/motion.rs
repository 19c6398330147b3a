//! Caret motions.

use super::layout::Layout;
use super::{Lines, Spot};
use unicode_segmentation::UnicodeSegmentation as _;

/// Target of a motion, relative to the caret.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum To {
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
enum Script {
    Letters,
    Han,
    Kana,
}

/// Returns the offset of a motion's target.
pub(super) fn target(text: &str, layout: &Layout, caret: usize, to: To) -> usize {
    match to {
        To::Left => layout.backwards(text, caret).next().map_or(0, |(at, _)| at),
        To::Right => layout.glyph(text, caret, 0).map_or(caret, |glyph| caret + glyph.len),
        To::WordLeft => word_left(text, layout, caret),
        To::WordRight => word_right(text, caret),
        To::SpaceLeft => space_left(text, layout, caret),
        To::LineStart => line_start(text, layout.lines(), caret),
        To::LineEnd => line_end(text, layout.lines(), caret),
        To::TextStart => 0,
        To::TextEnd => text.len(),
    }
}

/// Returns the offset in the row above or below nearest to a column; `None` if there is no such row.
pub(super) fn row_beside(
    text: &str,
    layout: &Layout,
    row: usize,
    is_down: bool,
    column: usize,
) -> Option<usize> {
    let row = if is_down { row + 1 } else { row.checked_sub(1)? };
    (row < layout.rows()).then(|| layout.nearest(text, Spot { row, column }))
}

fn word_left(text: &str, layout: &Layout, caret: usize) -> usize {
    let mut word = None;
    let mut start = caret;
    for (at, grapheme) in layout.backwards(text, caret) {
        let script = script(grapheme);
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
        let script = script(grapheme);
        if word.is_some() && script != word {
            return end;
        }
        word = script;
        end += grapheme.len();
    }
    end
}

fn space_left(text: &str, layout: &Layout, caret: usize) -> usize {
    let mut start = caret;
    let mut has_word = false;
    for (at, grapheme) in layout.backwards(text, caret) {
        let is_space = grapheme.starts_with(char::is_whitespace);
        if has_word && is_space {
            return start;
        }
        has_word |= !is_space;
        start = at;
    }
    start
}

fn script(grapheme: &str) -> Option<Script> {
    match grapheme.chars().next()? {
        '々' | '\u{3400}'..='\u{9fff}' | '\u{2_0000}'..='\u{3_ffff}' => Some(Script::Han),
        'ー' | '\u{3041}'..='\u{3096}' | '\u{30a1}'..='\u{30fa}' => Some(Script::Kana),
        c if c.is_alphanumeric() || c == '_' => Some(Script::Letters),
        _ => None,
    }
}

/// Returns the start of the caret's line. A one-line text has only one, even with pasted breaks.
pub(super) fn line_start(text: &str, lines: Lines, caret: usize) -> usize {
    match lines {
        Lines::One => 0,
        Lines::Many => text.get(..caret).and_then(|before| before.rfind('\n')).map_or(0, |at| at + 1),
    }
}

fn line_end(text: &str, lines: Lines, caret: usize) -> usize {
    let rest = text.get(caret..).unwrap_or_default();
    match rest.find('\n').filter(|_| lines == Lines::Many) {
        None => text.len(),
        // CRLF is one grapheme.
        Some(at) => caret + rest.get(..at).map_or(0, |line| line.strip_suffix('\r').unwrap_or(line).len()),
    }
}
