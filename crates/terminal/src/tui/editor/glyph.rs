//! Measured graphemes: byte length, width, and the row breaks that they allow.

use super::LineMode;
use ratatui::buffer::CellWidth as _;
use sayso_core::display;
use std::borrow::Cow;
use std::fmt::Write as _;
use unicode_segmentation::UnicodeSegmentation as _;

/// Tab stops: multiples of this column.
const TAB_COLUMNS: usize = 4;

/// Mark of a line break in a one-line text.
const BREAK_MARK: &str = "⏎";

/// A measured grapheme of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Glyph {
    /// Length in bytes.
    pub(super) len: usize,
    /// Width in columns. A line break takes one too, for the caret.
    pub(super) width: usize,
    /// Line-breaking class.
    class: BreakClass,
    /// The grapheme ends its row.
    pub(super) ends_row: bool,
}

/// Line-breaking class of a grapheme.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum BreakClass {
    /// Part of a word.
    Word,
    /// Space: a row may end after it.
    Space,
    /// A picture, or a letter that is a word by itself: a row may end before and after it.
    Alone,
    /// Opening punctuation: no row ends after it.
    Opening,
    /// Closing punctuation: no row begins with it.
    Closing,
}

impl Glyph {
    /// Measures the grapheme at a byte offset, in this column of a screen of this width.
    pub(super) fn measure_at(
        text: &str,
        at: usize,
        column: usize,
        columns: usize,
        lines: LineMode,
    ) -> Option<Self> {
        let bytes = text.as_bytes();
        let next = bytes.get(at + 1);
        match bytes.get(at)? {
            b'\n' => {
                Some(Self { ends_row: lines == LineMode::Multiple, ..Self::new(1, 1, BreakClass::Space) })
            }
            b'\t' => {
                let room = columns.saturating_sub(column).max(1);
                Some(Self::new(1, (TAB_COLUMNS - column % TAB_COLUMNS).min(room), BreakClass::Space))
            }
            b' ' if next.is_none_or(u8::is_ascii) => Some(Self::new(1, 1, BreakClass::Space)),
            b'!'..=b'~' if next.is_none_or(u8::is_ascii) => Some(Self::new(1, 1, BreakClass::Word)),
            _ => Self::measure_first(text.get(at..)?, lines),
        }
    }

    /// Measures the first grapheme of a text, which is neither a tab nor a line break.
    fn measure_first(rest: &str, lines: LineMode) -> Option<Self> {
        let mut chars = rest.chars();
        let first = chars.next()?;
        if let Some(width) = simple_width(first)
            && chars.next().is_none_or(|next| next.is_ascii() || simple_width(next).is_some())
        {
            return Some(Self::new(first.len_utf8(), width, break_class(first, width)));
        }
        let grapheme = rest.graphemes(true).next()?;
        let width = cell_columns(&display_form(grapheme, lines)).max(1);
        let is_break = grapheme.ends_with('\n');
        let class = if is_break { BreakClass::Space } else { break_class(first, width) };
        let ends_row = is_break && lines == LineMode::Multiple;
        Some(Self { ends_row, ..Self::new(grapheme.len(), width, class) })
    }

    const fn new(len: usize, width: usize, class: BreakClass) -> Self {
        Self { len, width, class, ends_row: false }
    }

    pub(super) fn is_space(self) -> bool {
        self.class == BreakClass::Space
    }

    /// Returns whether a row may end between this grapheme and the next.
    pub(super) fn allows_break(self, next: Self) -> bool {
        match (self.class, next.class) {
            (_, BreakClass::Space | BreakClass::Closing) | (BreakClass::Opening, _) => false,
            (BreakClass::Space | BreakClass::Alone | BreakClass::Closing, _)
            | (_, BreakClass::Alone | BreakClass::Opening) => true,
            (BreakClass::Word, BreakClass::Word) => false,
        }
    }

    /// Writes a grapheme as measured to a row.
    pub(super) fn write(self, grapheme: &str, lines: LineMode, row: &mut String) {
        if grapheme == "\t" {
            row.extend(std::iter::repeat_n(' ', self.width));
        } else {
            row.push_str(&display_form(grapheme, lines));
        }
    }
}

/// Returns the width of a character that never joins another one; `None` for every other character.
fn simple_width(c: char) -> Option<usize> {
    match c {
        ' '..='~' | '\u{c0}'..='\u{24f}' | '\u{400}'..='\u{481}' => Some(1),
        '\u{3001}'..='\u{3011}'
        | '\u{3041}'..='\u{3096}'
        | '\u{30a1}'..='\u{30fa}'
        | '\u{3400}'..='\u{4dbf}'
        | '\u{4e00}'..='\u{9fff}'
        | '\u{ac00}'..='\u{d7a3}'
        | '\u{ff01}'..='\u{ff60}' => Some(2),
        _ => None,
    }
}

fn break_class(first: char, width: usize) -> BreakClass {
    match first {
        '（' | '［' | '｛' | '「' | '『' | '【' | '《' | '〈' => BreakClass::Opening,
        '）' | '］' | '｝' | '」' | '』' | '】' | '》' | '〉' | '、' | '。' | '，' | '．' | '：' | '；'
        | '！' | '？' | 'ー' => BreakClass::Closing,
        '\u{a0}' | '\u{2007}' | '\u{202f}' => BreakClass::Word,
        first if first.is_whitespace() => BreakClass::Space,
        // Korean separates words by spaces.
        '\u{1100}'..='\u{11ff}' | '\u{ac00}'..='\u{d7a3}' => BreakClass::Word,
        _ if width == 2 => BreakClass::Alone,
        _ => BreakClass::Word,
    }
}

/// Returns a grapheme as it is drawn: sanitized, and never empty, so that the caret has a cell.
fn display_form(grapheme: &str, lines: LineMode) -> Cow<'_, str> {
    let mark = if lines == LineMode::Single { BREAK_MARK } else { "" };
    match grapheme.strip_suffix('\n') {
        Some("") => Cow::Borrowed(mark),
        Some(rest) => Cow::Owned(display::escape_line(rest).into_owned() + mark),
        None => {
            let line = display::escape_line(grapheme);
            if cell_columns(&line) > 0 { line } else { Cow::Owned(escape_characters(grapheme)) }
        }
    }
}

fn cell_columns(shown: &str) -> usize {
    shown.graphemes(true).map(|grapheme| usize::from(grapheme.cell_width())).sum()
}

fn escape_characters(grapheme: &str) -> String {
    let mut tokens = String::new();
    for c in grapheme.chars() {
        // Writing to a String cannot fail.
        let _ = write!(tokens, "⟦U+{:04X}⟧", u32::from(c));
    }
    tokens
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn simple_width_matches_the_full_measure() {
        let simple: Vec<char> = ('\0'..=char::MAX).filter(|c| simple_width(*c).is_some()).collect();
        for c in &simple {
            let letter = c.to_string();
            assert_eq!(display::escape_line(&letter), letter);
            assert_eq!(simple_width(*c), Some(cell_columns(&letter)), "{c:?}");
        }
        let together: String =
            simple.iter().flat_map(|c| [*c, 'a', *c]).chain(simple.iter().copied()).collect();
        assert_eq!(together.graphemes(true).count(), together.chars().count());
    }
}
