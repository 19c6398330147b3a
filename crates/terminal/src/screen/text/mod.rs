//! A text that a person edits: letters as they are read, whole, a caret, and rows that fit the screen.
//!
//! **Invariant:** the caret never stands inside a grapheme, and what one key deletes is whole graphemes.
//! **Invariant:** nothing is lost: what does not fit is refused as a whole, and every edit can be undone.

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

/// How many columns a text has until it is told.
const COLUMNS: usize = 80;

/// How many lines a text may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lines {
    /// One. Line breaks that were pasted show as marks in it.
    One,
    /// Any number.
    Many,
}

/// What became of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Heard {
    /// The text is another one now.
    Changed,
    /// The key was for the text, which is as it was; the caret may stand elsewhere.
    Moved,
    /// The text would be longer than [`limits::TEXT_ANSWER_BYTES`]: nothing was done.
    Full,
    /// The key is not for the text, or leads out of it: up from its first row or down from its last one.
    Ignored,
}

/// What became of a text that was pasted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Pasted {
    /// How many lines it has. The line break that ends the last one begins no other.
    pub(crate) lines: usize,
    /// How many control characters were left out.
    pub(crate) removed: usize,
}

/// A cell of the rows of a text, from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Spot {
    /// The row.
    pub(crate) row: usize,
    /// The column.
    pub(crate) column: usize,
}

/// A text, a caret in it, and what was done to it.
#[derive(Debug)]
pub(crate) struct TextBox {
    text: String,
    layout: Layout,
    /// Where the caret stands, in bytes; the beginning of a grapheme or the end of the text.
    caret: usize,
    /// Where the next letter goes when what was typed last has become part of the grapheme after it: a flag that is
    /// typed before another one arrives letter by letter.
    typing: Option<usize>,
    /// The column that up and down keep to.
    goal: Option<usize>,
    /// What was cut last.
    cut: String,
    /// Whether the last key cut: what the next one cuts joins it.
    is_cutting: bool,
    /// The last step was somebody else's.
    gave_way: bool,
    history: History,
}

impl TextBox {
    /// A text with the caret at its end.
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

    /// The text, exactly as it would be sent.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Whether there is nothing.
    pub(crate) const fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// Whether nothing has been typed or changed in it.
    pub(crate) fn is_untouched(&self) -> bool {
        self.history.is_empty()
    }

    /// How many lines it may have.
    pub(crate) const fn lines(&self) -> Lines {
        self.layout.lines()
    }

    /// Lets it have so many lines from now on.
    pub(crate) fn set_lines(&mut self, lines: Lines) {
        if lines != self.lines() {
            self.lay_out(self.layout.columns(), lines);
        }
    }

    /// Puts another text in its place, as one step: one that was edited elsewhere, say. The caret stays with the words
    /// that stay.
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
            // Whoever stands at the end goes on at the end.
            caret if caret == self.text.len() => text.len(),
            caret if caret <= before => caret,
            caret if caret >= end => caret - end + new_end,
            _ => new_end,
        };
        self.replace(before..end, text.get(before..new_end).unwrap_or_default(), None);
        self.stand(caret);
    }

    /// Puts in its place what somebody else made of it. However often they do, one undo brings back what stood here
    /// before. Whether that was typed here, and is no part of theirs.
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

    /// Does what a key is for.
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
                let heard = self.insert(self.caret, &cut, None);
                self.cut = cut;
                heard
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
            // At the end of a line that way, what parts it from the next one.
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
        let heard = self.replace(at..at, text, run);
        let end = at + text.len();
        self.typing = (run.is_some() && self.caret != end).then_some(end);
        heard
    }

    /// Puts a text in the place of a range, takes note of it and puts the caret behind it.
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

    /// Puts the caret here, or behind the grapheme that this is inside of.
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

    /// Whatever comes next begins anew.
    fn settle(&mut self) {
        self.history.seal();
        self.typing = None;
        self.goal = None;
        self.is_cutting = false;
    }

    /// Lays it out for so many columns; for at least one.
    pub(crate) fn fit(&mut self, columns: usize) {
        if columns.max(1) != self.layout.columns() {
            self.lay_out(columns, self.lines());
        }
    }

    fn lay_out(&mut self, columns: usize, lines: Lines) {
        self.layout = Layout::new(&self.text, columns, lines);
        self.goal = None;
    }

    /// How many rows it takes; at least one.
    pub(crate) const fn rows(&self) -> usize {
        self.layout.rows()
    }

    /// What so many rows from this one on show, as far as there are any. Only a single grapheme that is wider than the
    /// screen makes a row wider.
    pub(crate) fn shown(&self, first: usize, count: usize) -> Vec<String> {
        (first..self.rows().min(first.saturating_add(count)))
            .filter_map(|row| self.layout.row(&self.text, row))
            .collect()
    }

    /// The cell that the caret stands on.
    pub(crate) fn caret(&self) -> Spot {
        self.layout.spot(&self.text, self.caret)
    }

    /// Puts the caret to the grapheme nearest to a cell.
    pub(crate) fn place(&mut self, spot: Spot) {
        self.settle();
        self.caret = self.layout.nearest(&self.text, spot);
    }

    /// The line with the caret and how many graphemes into it the caret is, both from 1.
    pub(crate) fn line_and_column(&self) -> (usize, usize) {
        let start = motion::line_start(&self.text, self.lines(), self.caret);
        let before = self.text.get(..start).unwrap_or_default();
        let line = before.bytes().filter(|byte| *byte == b'\n').count();
        (line + 1, self.layout.graphemes(&self.text, start, self.caret) + 1)
    }
}

/// How many bytes of the first ones are the same.
fn shared(pairs: impl Iterator<Item = (char, char)>) -> usize {
    pairs.take_while(|(one, other)| one == other).map(|(one, _)| one.len_utf8()).sum()
}
