//! Undo history of a text.

use sayso_core::limits;
use std::collections::VecDeque;

/// One replacement in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TextEdit {
    /// Byte offset.
    pub(super) at: usize,
    /// Removed text.
    pub(super) removed: String,
    /// Inserted text.
    pub(super) inserted: String,
    /// Caret before the edit.
    pub(super) caret_before: usize,
    /// Caret after the edit.
    pub(super) caret_after: usize,
}

/// Kind of edits that are merged into one undo step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum EditRun {
    /// Typing.
    Typing,
    /// Deletion before the caret.
    Backspace,
    /// Deletion after the caret.
    Delete,
}

/// Undo and redo stacks.
#[derive(Debug, Default)]
pub(super) struct EditHistory {
    undo_stack: VecDeque<TextEdit>,
    redo_stack: Vec<TextEdit>,
    /// Run that the last edit belongs to, while more edits may join it.
    run: Option<EditRun>,
    /// Size of the undo stack in bytes.
    bytes: usize,
}

impl TextEdit {
    fn bytes(&self) -> usize {
        size_of::<Self>() + self.removed.len() + self.inserted.len()
    }

    /// Merges the next edit into this one; returns it if it is a step of its own.
    fn merge(&mut self, next: Self, run: EditRun) -> Option<Self> {
        let continues = match run {
            EditRun::Typing => {
                next.at == self.at + self.inserted.len()
                    && stays_in_word(self.inserted.chars().next_back(), &next.inserted)
            }
            EditRun::Backspace => {
                next.at + next.removed.len() == self.at
                    && stays_in_word(self.removed.chars().next(), &next.removed)
            }
            EditRun::Delete => {
                next.at == self.at && stays_in_word(self.removed.chars().next_back(), &next.removed)
            }
        };
        if !continues {
            return Some(next);
        }
        self.caret_after = next.caret_after;
        match run {
            EditRun::Typing => self.inserted.push_str(&next.inserted),
            EditRun::Backspace => {
                self.at = next.at;
                self.removed.insert_str(0, &next.removed);
            }
            EditRun::Delete => self.removed.push_str(&next.removed),
        }
        None
    }
}

/// Returns whether the next text begins neither a word nor a line.
fn stays_in_word(last: Option<char>, next: &str) -> bool {
    let begins_word = last.is_some_and(char::is_whitespace) && !next.starts_with(char::is_whitespace);
    !begins_word && !next.contains('\n')
}

impl EditHistory {
    /// Records an edit, as part of a run or as a step of its own.
    pub(super) fn record(&mut self, edit: TextEdit, run: Option<EditRun>) {
        self.redo_stack.clear();
        let step = self.merge_into_last(edit, run);
        self.run = run;
        if let Some(step) = step {
            self.bytes += step.bytes();
            self.undo_stack.push_back(step);
        }
        while self.bytes > limits::UNDO_BYTES
            && let Some(oldest) = self.undo_stack.pop_front()
        {
            self.bytes -= oldest.bytes();
        }
    }

    /// Merges an edit into the last step if it goes on with the run of that; returns it otherwise.
    fn merge_into_last(&mut self, edit: TextEdit, run: Option<EditRun>) -> Option<TextEdit> {
        if let Some(run) = run
            && self.run == Some(run)
            && let Some(last) = self.undo_stack.back_mut()
        {
            let earlier_bytes = last.bytes();
            let step = last.merge(edit, run);
            self.bytes += last.bytes() - earlier_bytes;
            return step;
        }
        Some(edit)
    }

    /// Returns whether there is nothing to undo or redo.
    pub(super) fn is_empty(&self) -> bool {
        self.undo_stack.is_empty() && self.redo_stack.is_empty()
    }

    /// Returns whether there is something to undo.
    pub(super) fn can_undo(&self) -> bool {
        !self.undo_stack.is_empty()
    }

    /// Ends the run: the next edit is a step of its own.
    pub(super) const fn end_run(&mut self) {
        self.run = None;
    }

    /// Moves the last edit to the redo stack and returns it.
    pub(super) fn undo(&mut self) -> Option<TextEdit> {
        self.end_run();
        let edit = self.undo_stack.pop_back()?;
        self.bytes -= edit.bytes();
        self.redo_stack.push(edit.clone());
        Some(edit)
    }

    /// Moves the edit undone last back to the undo stack and returns it.
    pub(super) fn redo(&mut self) -> Option<TextEdit> {
        self.end_run();
        let edit = self.redo_stack.pop()?;
        self.bytes += edit.bytes();
        self.undo_stack.push_back(edit.clone());
        Some(edit)
    }
}
