//! Text editor of the screen: a text, its caret, and rows that fit the width.
//!
//! **Invariant:** the caret is never inside a grapheme, and each key deletes whole graphemes.
//! **Invariant:** nothing is lost: an insertion that does not fit is refused as a whole, and every edit can be undone.

mod glyph;
mod history;
mod keys;
mod layout;
mod motion;
mod paste;
#[cfg(test)]
mod properties;
#[cfg(test)]
mod tests;

use super::Key;
use history::{Edit, History, Run};
use keys::Deed;
use layout::Layout;
use motion::To;
use sayso_core::limits;
use std::ops::Range;

/// Initial width in columns.
const COLUMNS: usize = 80;

/// Number of lines that a text may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lines {
    /// One line. Pasted line breaks show as marks in it.
    One,
    /// Any number of lines.
    Many,
}

/// Result of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Heard {
    /// The text changed.
    Changed,
    /// The text box handled the key without changing the text; the caret may have moved.
    Moved,
    /// The text would be longer than [`limits::TEXT_ANSWER_BYTES`], so nothing changed.
    Full,
    /// The text box does not handle the key, or it leads out: up from the first row or down from the last one.
    Ignored,
}

/// Result of a paste.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Pasted {
    /// Number of lines. A final line break begins no further line.
    pub(crate) lines: usize,
    /// Number of control characters that were removed.
    pub(crate) removed: usize,
}

/// A cell of a text's rows, from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Spot {
    /// The row.
    pub(crate) row: usize,
    /// The column.
    pub(crate) column: usize,
}

/// Text box: a text, its caret and its undo history.
#[derive(Debug)]
pub(crate) struct TextBox {
    text: String,
    layout: Layout,
    /// Byte offset of the caret: the start of a grapheme or the end of the text.
    caret: usize,
    /// Insertion point after typed text merged into the grapheme after it: a flag typed before another one arrives
    /// letter by letter.
    typing: Option<usize>,
    /// Column that up and down keep to.
    goal: Option<usize>,
    /// Text that was cut last.
    cut: String,
    /// The last key cut, so that the next cut joins it.
    is_cutting: bool,
    /// The last step was another surface's.
    gave_way: bool,
    history: History,
}

impl TextBox {
    /// Creates a text box with the caret at the end of its text.
    pub(crate) fn new(text: &str, lines: Lines) -> Self {
        Self {
            layout: Layout::new(text, COLUMNS, lines),
            caret: text.len(),
            text: text.to_owned(),
            typing: None,
            goal: None,
            cut: String::new(),
            is_cutting: false,
            gave_way: false,
            history: History::default(),
        }
    }

    /// Returns the text exactly as it would be sent.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Returns whether the text is empty.
    pub(crate) const fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// Returns whether the text has never been edited.
    pub(crate) fn is_untouched(&self) -> bool {
        self.history.is_empty()
    }

    /// Returns the number of lines that the text may have.
    pub(crate) const fn lines(&self) -> Lines {
        self.layout.lines()
    }

    /// Sets the number of lines that the text may have.
    pub(crate) fn set_lines(&mut self, lines: Lines) {
        if lines != self.lines() {
            self.lay_out(self.layout.columns(), lines);
        }
    }

    /// Replaces the text as one undo step, for example after an external edit. The caret keeps its place in unchanged
    /// text.
    pub(crate) fn set_text(&mut self, text: &str) {
        self.settle();
        if text == self.text {
            return;
        }
        let before = shared(self.text.chars().zip(text.chars()));
        let (rest, new_rest) = (self.text.get(before..), text.get(before..));
        let (rest, new_rest) = (rest.unwrap_or_default(), new_rest.unwrap_or_default());
        let after = shared(rest.chars().rev().zip(new_rest.chars().rev()));
        let end = self.text.len() - after;
        let new_end = text.len() - after;
        let caret = match self.caret {
            // A caret at the end stays at the end.
            caret if caret == self.text.len() => text.len(),
            caret if caret <= before => caret,
            caret if caret >= end => caret - end + new_end,
            _ => new_end,
        };
        self.replace(before..end, text.get(before..new_end).unwrap_or_default(), None);
        self.stand(caret);
    }

    /// Replaces the text by another surface's version. One undo restores the text from before, however many versions
    /// followed. Returns whether typed text was lost that the new version does not contain.
    pub(crate) fn give_way(&mut self, text: &str) -> bool {
        if text == self.text {
            return false;
        }
        if self.gave_way {
            self.undo();
        }
        let is_lost = self.history.has_done() && !text.contains(self.text.trim());
        let gives_way = text != self.text;
        self.set_text(text);
        self.gave_way = gives_way;
        is_lost
    }

    /// Handles a key.
    pub(crate) fn key(&mut self, key: Key) -> Heard {
        let Some(deed) = keys::deed(key, self.lines()) else { return Heard::Ignored };
        let typing = self.typing.take();
        let goal = self.goal.take();
        let was_cutting = std::mem::take(&mut self.is_cutting);
        match deed {
            Deed::Type(c) => {
                self.insert(typing.unwrap_or(self.caret), c.encode_utf8(&mut [0; 4]), Some(Run::Typed))
            }
            Deed::Go(to) => {
                self.history.seal();
                self.caret = self.target(to);
                Heard::Moved
            }
            Deed::Up => self.go_beside(false, goal),
            Deed::Down => self.go_beside(true, goal),
            Deed::Delete(to) => self.delete(to),
            Deed::Cut(to) => self.cut(to, was_cutting),
            Deed::PutBack => {
                let cut = std::mem::take(&mut self.cut);
                let key_result = self.insert(self.caret, &cut, None);
                self.cut = cut;
                key_result
            }
            Deed::Undo => self.undo(),
            Deed::Redo => self.redo(),
        }
    }

    fn target(&self, to: To) -> usize {
        motion::target(&self.text, &self.layout, self.caret, to)
    }

    fn go_beside(&mut self, is_down: bool, goal: Option<usize>) -> Heard {
        self.history.seal();
        let spot = self.caret();
        let goal = goal.unwrap_or(spot.column);
        let Some(caret) = motion::row_beside(&self.text, &self.layout, spot.row, is_down, goal) else {
            return Heard::Ignored;
        };
        self.caret = caret;
        self.goal = Some(goal);
        Heard::Moved
    }

    fn delete(&mut self, to: To) -> Heard {
        let target = self.target(to);
        let run = if target < self.caret { Run::Back } else { Run::Forward };
        self.replace(target.min(self.caret)..target.max(self.caret), "", Some(run))
    }

    fn cut(&mut self, to: To, joins: bool) -> Heard {
        let target = match self.target(to) {
            // At the end of a line, cuts the line break.
            target if target == self.caret && to == To::LineStart => self.target(To::Left),
            target if target == self.caret && to == To::LineEnd => self.target(To::Right),
            target => target,
        };
        let range = target.min(self.caret)..target.max(self.caret);
        self.is_cutting = joins || !range.is_empty();
        if range.is_empty() {
            return Heard::Moved;
        }
        let piece = self.text.get(range.clone()).unwrap_or_default();
        if !joins {
            self.cut.clear();
        }
        let at = if target < self.caret { 0 } else { self.cut.len() };
        self.cut.insert_str(at, piece);
        self.replace(range, "", None)
    }

    fn insert(&mut self, at: usize, text: &str, run: Option<Run>) -> Heard {
        if self.text.len() + text.len() > limits::TEXT_ANSWER_BYTES {
            return Heard::Full;
        }
        let key_result = self.replace(at..at, text, run);
        let end = at + text.len();
        self.typing = (run.is_some() && self.caret != end).then_some(end);
        key_result
    }

    /// Replaces a range, records the edit and moves the caret behind it.
    fn replace(&mut self, range: Range<usize>, with: &str, run: Option<Run>) -> Heard {
        let Some(gone) = self.text.get(range.clone()).map(str::to_owned) else { return Heard::Moved };
        if gone.is_empty() && with.is_empty() {
            return Heard::Moved;
        }
        self.gave_way = false;
        let caret_before = self.caret;
        self.write(range.clone(), with);
        self.stand(range.start + with.len());
        let (at, come, caret_after) = (range.start, with.to_owned(), self.caret);
        self.history.record(Edit { at, gone, come, caret_before, caret_after }, run);
        Heard::Changed
    }

    fn write(&mut self, range: Range<usize>, with: &str) {
        self.text.replace_range(range.clone(), with);
        self.layout.edited(&self.text, range.start, range.len(), with.len());
    }

    /// Moves the caret to an offset, or behind the grapheme that contains it.
    fn stand(&mut self, at: usize) {
        self.caret = self.layout.snapped(&self.text, at);
    }

    fn undo(&mut self) -> Heard {
        self.gave_way = false;
        let Some(edit) = self.history.undo() else { return Heard::Moved };
        self.write(edit.at..edit.at + edit.come.len(), &edit.gone);
        self.caret = edit.caret_before;
        Heard::Changed
    }

    fn redo(&mut self) -> Heard {
        let Some(edit) = self.history.redo() else { return Heard::Moved };
        self.write(edit.at..edit.at + edit.gone.len(), &edit.come);
        self.caret = edit.caret_after;
        Heard::Changed
    }

    /// Ends all runs: typing, cutting and column keeping.
    fn settle(&mut self) {
        self.history.seal();
        self.typing = None;
        self.goal = None;
        self.is_cutting = false;
    }

    /// Lays the text out for a width of at least one column.
    pub(crate) fn fit(&mut self, columns: usize) {
        if columns.max(1) != self.layout.columns() {
            self.lay_out(columns, self.lines());
        }
    }

    fn lay_out(&mut self, columns: usize, lines: Lines) {
        self.layout = Layout::new(&self.text, columns, lines);
        self.goal = None;
    }

    /// Returns the number of rows, at least one.
    pub(crate) const fn rows(&self) -> usize {
        self.layout.rows()
    }

    /// Returns up to `count` rows from `first` on, as they are drawn. A row exceeds the width only if a single grapheme
    /// does.
    pub(crate) fn shown(&self, first: usize, count: usize) -> Vec<String> {
        (first..self.rows().min(first.saturating_add(count)))
            .filter_map(|row| self.layout.row(&self.text, row))
            .collect()
    }

    /// Returns the cell of the caret.
    pub(crate) fn caret(&self) -> Spot {
        self.layout.spot(&self.text, self.caret)
    }

    /// Moves the caret to the grapheme nearest to a cell.
    pub(crate) fn place(&mut self, spot: Spot) {
        self.settle();
        self.caret = self.layout.nearest(&self.text, spot);
    }

    /// Returns the line and the grapheme column of the caret, both from 1.
    pub(crate) fn line_and_column(&self) -> (usize, usize) {
        let start = motion::line_start(&self.text, self.lines(), self.caret);
        let before = self.text.get(..start).unwrap_or_default();
        let line = before.bytes().filter(|byte| *byte == b'\n').count();
        (line + 1, self.layout.graphemes(&self.text, start, self.caret) + 1)
    }
}

/// Returns the length of the common prefix in bytes.
fn shared(pairs: impl Iterator<Item = (char, char)>) -> usize {
    pairs.take_while(|(one, other)| one == other).map(|(one, _)| one.len_utf8()).sum()
}
