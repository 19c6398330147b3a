//! Text editor of the screen: a text, its caret, and rows that fit the width.
//!
//! **Invariant:** the caret is never inside a grapheme, and each key deletes whole graphemes.
//! **Invariant:** nothing is lost: an insertion that does not fit is refused as a whole, and every edit can be undone.
//!
//! It is our own because `ratatui-textarea` 0.9.4, `tui-textarea-2` 0.13.2 and `edtui` 0.11.7 delete single code points,
//! which breaks emoji, `tui-input` 0.15.5 has one line, and `rat-text` 3.1.0 brings 26 more crates. A library that passes
//! `properties` can replace it.

mod glyph;
mod history;
mod keys;
mod layout;
mod motion;
mod paste;
#[cfg(test)]
mod properties;
mod shown_text;
#[cfg(test)]
mod tests;

use crate::tty::Key;
use history::{EditHistory, EditRun, TextEdit};
use keys::EditCommand;
use layout::TextLayout;
use motion::MotionTarget;
use sayso_core::limits;
use std::ops::Range;

/// Initial width in columns.
const DEFAULT_COLUMNS: usize = 80;

/// Number of lines that a text may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LineMode {
    /// One line. Pasted line breaks show as marks in it.
    Single,
    /// Any number of lines.
    Multiple,
}

/// Result of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum KeyResult {
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
pub(crate) struct PasteResult {
    /// Number of lines. A final line break begins no further line.
    pub(crate) lines: usize,
    /// Number of control characters that were removed.
    pub(crate) removed: usize,
}

/// A cell of a text's rows, from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct CellPosition {
    /// The row.
    pub(crate) row: usize,
    /// The column.
    pub(crate) column: usize,
}

/// Text box: a text, its caret and its undo history.
#[derive(Debug)]
pub(crate) struct TextBox {
    text: String,
    layout: TextLayout,
    /// Byte offset of the caret: the start of a grapheme or the end of the text.
    caret: usize,
    /// Insertion point after typed text merged into the grapheme after it: a flag typed before another one arrives
    /// letter by letter.
    insertion_point: Option<usize>,
    /// Column that up and down keep to.
    goal_column: Option<usize>,
    /// Text that was cut last.
    kill_buffer: String,
    /// The last key cut, so that the next cut joins it.
    last_key_cut: bool,
    /// The last step was another surface's.
    was_replaced: bool,
    history: EditHistory,
}

impl TextBox {
    /// Creates a text box with the caret at the end of its text.
    pub(crate) fn new(text: &str, lines: LineMode) -> Self {
        Self {
            layout: TextLayout::new(text, DEFAULT_COLUMNS, lines),
            caret: text.len(),
            text: text.to_owned(),
            insertion_point: None,
            goal_column: None,
            kill_buffer: String::new(),
            last_key_cut: false,
            was_replaced: false,
            history: EditHistory::default(),
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
    pub(crate) const fn line_mode(&self) -> LineMode {
        self.layout.lines()
    }

    /// Sets the number of lines that the text may have.
    pub(crate) fn set_line_mode(&mut self, lines: LineMode) {
        if lines != self.line_mode() {
            self.lay_out(self.layout.columns(), lines);
        }
    }

    /// Replaces the text as one undo step, for example after an external edit. The caret keeps its place in unchanged
    /// text.
    pub(crate) fn set_text(&mut self, text: &str) {
        self.end_runs();
        if text == self.text {
            return;
        }
        // Only what differs is replaced: from the end of the common beginning to the start of the common end.
        let start = common_len(self.text.chars().zip(text.chars()));
        let old_rest = self.text.get(start..).unwrap_or_default();
        let new_rest = text.get(start..).unwrap_or_default();
        let tail = common_len(old_rest.chars().rev().zip(new_rest.chars().rev()));
        let old_end = self.text.len() - tail;
        let new_end = text.len() - tail;
        let caret = match self.caret {
            // A caret at the end stays at the end.
            caret if caret == self.text.len() => text.len(),
            caret if caret <= start => caret,
            caret if caret >= old_end => caret - old_end + new_end,
            _ => new_end,
        };
        self.replace(start..old_end, text.get(start..new_end).unwrap_or_default(), None);
        self.move_caret(caret);
    }

    /// Replaces the text by another surface's version. One undo restores the text from before, however many versions
    /// followed. Returns whether typed text was lost that the new version does not contain.
    pub(crate) fn replace_from_remote(&mut self, text: &str) -> bool {
        if text == self.text {
            return false;
        }
        if self.was_replaced {
            self.undo();
        }
        let is_lost = self.history.can_undo() && !text.contains(self.text.trim());
        let gives_way = text != self.text;
        self.set_text(text);
        self.was_replaced = gives_way;
        is_lost
    }

    /// Handles a key: edits the text, moves the caret, or leaves the key to the caller.
    pub(crate) fn handle_key(&mut self, key: Key) -> KeyResult {
        let Some(command) = keys::command(key, self.line_mode()) else { return KeyResult::Ignored };
        let insertion_point = self.insertion_point.take();
        let goal = self.goal_column.take();
        let was_cutting = std::mem::take(&mut self.last_key_cut);
        match command {
            EditCommand::Insert(c) => {
                let at = insertion_point.unwrap_or(self.caret);
                self.insert(at, c.encode_utf8(&mut [0; 4]), Some(EditRun::Typing))
            }
            EditCommand::Move(to) => {
                self.history.end_run();
                self.caret = self.target(to);
                KeyResult::Moved
            }
            EditCommand::Up => self.move_row(false, goal),
            EditCommand::Down => self.move_row(true, goal),
            EditCommand::Delete(to) => self.delete(to),
            EditCommand::Cut(to) => self.cut(to, was_cutting),
            EditCommand::Yank => {
                let cut = std::mem::take(&mut self.kill_buffer);
                let key_result = self.insert(self.caret, &cut, None);
                self.kill_buffer = cut;
                key_result
            }
            EditCommand::Undo => self.undo(),
            EditCommand::Redo => self.redo(),
        }
    }

    fn target(&self, to: MotionTarget) -> usize {
        motion::target_offset(&self.text, &self.layout, self.caret, to)
    }

    fn move_row(&mut self, is_down: bool, goal: Option<usize>) -> KeyResult {
        self.history.end_run();
        let cell = self.caret_cell();
        let goal = goal.unwrap_or(cell.column);
        let Some(caret) = motion::adjacent_row_offset(&self.text, &self.layout, cell.row, is_down, goal)
        else {
            return KeyResult::Ignored;
        };
        self.caret = caret;
        self.goal_column = Some(goal);
        KeyResult::Moved
    }

    fn delete(&mut self, to: MotionTarget) -> KeyResult {
        let target = self.target(to);
        let run = if target < self.caret { EditRun::Backspace } else { EditRun::Delete };
        self.replace(target.min(self.caret)..target.max(self.caret), "", Some(run))
    }

    fn cut(&mut self, to: MotionTarget, joins: bool) -> KeyResult {
        let target = match self.target(to) {
            // At the end of a line, cuts the line break.
            target if target == self.caret && to == MotionTarget::LineStart => {
                self.target(MotionTarget::Left)
            }
            target if target == self.caret && to == MotionTarget::LineEnd => self.target(MotionTarget::Right),
            target => target,
        };
        let range = target.min(self.caret)..target.max(self.caret);
        self.last_key_cut = joins || !range.is_empty();
        if range.is_empty() {
            return KeyResult::Moved;
        }
        let piece = self.text.get(range.clone()).unwrap_or_default();
        if !joins {
            self.kill_buffer.clear();
        }
        let at = if target < self.caret { 0 } else { self.kill_buffer.len() };
        self.kill_buffer.insert_str(at, piece);
        self.replace(range, "", None)
    }

    fn insert(&mut self, at: usize, text: &str, run: Option<EditRun>) -> KeyResult {
        if self.text.len() + text.len() > limits::TEXT_ANSWER_BYTES {
            return KeyResult::Full;
        }
        let key_result = self.replace(at..at, text, run);
        let end = at + text.len();
        let is_merged = run.is_some() && self.caret != end;
        self.insertion_point = if is_merged { Some(end) } else { None };
        key_result
    }

    /// Replaces a range, records the edit and moves the caret behind it.
    fn replace(&mut self, range: Range<usize>, with: &str, run: Option<EditRun>) -> KeyResult {
        let Some(removed) = self.text.get(range.clone()).map(str::to_owned) else {
            return KeyResult::Moved;
        };
        if removed.is_empty() && with.is_empty() {
            return KeyResult::Moved;
        }
        self.was_replaced = false;
        let caret_before = self.caret;
        self.write(range.clone(), with);
        self.move_caret(range.start + with.len());
        let edit = TextEdit {
            at: range.start,
            removed,
            inserted: with.to_owned(),
            caret_before,
            caret_after: self.caret,
        };
        self.history.record(edit, run);
        KeyResult::Changed
    }

    fn write(&mut self, range: Range<usize>, with: &str) {
        self.text.replace_range(range.clone(), with);
        self.layout.update(&self.text, range.start, range.len(), with.len());
    }

    /// Moves the caret to an offset, or behind the grapheme that contains it.
    fn move_caret(&mut self, at: usize) {
        self.caret = self.layout.next_boundary(&self.text, at);
    }

    fn undo(&mut self) -> KeyResult {
        self.was_replaced = false;
        let Some(edit) = self.history.undo() else { return KeyResult::Moved };
        self.write(edit.at..edit.at + edit.inserted.len(), &edit.removed);
        self.caret = edit.caret_before;
        KeyResult::Changed
    }

    fn redo(&mut self) -> KeyResult {
        let Some(edit) = self.history.redo() else { return KeyResult::Moved };
        self.write(edit.at..edit.at + edit.removed.len(), &edit.inserted);
        self.caret = edit.caret_after;
        KeyResult::Changed
    }

    /// Ends all runs: typing, cutting and column keeping.
    fn end_runs(&mut self) {
        self.history.end_run();
        self.insertion_point = None;
        self.goal_column = None;
        self.last_key_cut = false;
    }

    /// Lays the text out for a width of at least one column: the one that the last frame showed it at.
    pub(crate) fn set_width(&mut self, columns: usize) {
        if columns.max(1) != self.layout.columns() {
            self.lay_out(columns, self.line_mode());
        }
    }

    fn lay_out(&mut self, columns: usize, lines: LineMode) {
        self.layout = TextLayout::new(&self.text, columns, lines);
        self.goal_column = None;
    }

    /// Returns the cell of the caret.
    fn caret_cell(&self) -> CellPosition {
        self.layout.position(&self.text, self.caret)
    }

    /// Moves the caret to the grapheme nearest to a cell.
    pub(crate) fn place_caret(&mut self, cell: CellPosition) {
        self.end_runs();
        self.caret = self.layout.nearest_boundary(&self.text, cell);
    }
}

/// Returns the length of the common prefix in bytes.
fn common_len(pairs: impl Iterator<Item = (char, char)>) -> usize {
    pairs.take_while(|(one, other)| one == other).map(|(one, _)| one.len_utf8()).sum()
}
