//! Undo history of a text.

use sayso_core::limits;
use std::collections::VecDeque;

/// One replacement in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Edit {
    /// Byte offset.
    pub(super) at: usize,
    /// Removed text.
    pub(super) gone: String,
    /// Inserted text.
    pub(super) come: String,
    /// Caret before the edit.
    pub(super) caret_before: usize,
    /// Caret after the edit.
    pub(super) caret_after: usize,
}

/// Kind of edits that are merged into one undo step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Run {
    /// Typing.
    Typed,
    /// Deletion before the caret.
    Back,
    /// Deletion after the caret.
    Forward,
}

/// Undo and redo stacks.
#[derive(Debug, Default)]
pub(super) struct History {
    done: VecDeque<Edit>,
    undone: Vec<Edit>,
    /// Run that the last edit belongs to, while more edits may join it.
    run: Option<Run>,
    /// Size of `done` in bytes.
    bytes: usize,
}

impl Edit {
    fn bytes(&self) -> usize {
        size_of::<Self>() + self.gone.len() + self.come.len()
    }

    /// Merges the next edit into this one; returns it if it is a step of its own.
    fn join(&mut self, next: Self, run: Run) -> Option<Self> {
        let goes_on = match run {
            Run::Typed => {
                next.at == self.at + self.come.len()
                    && stays_in_word(self.come.chars().next_back(), &next.come)
            }
            Run::Back => {
                next.at + next.gone.len() == self.at && stays_in_word(self.gone.chars().next(), &next.gone)
            }
            Run::Forward => next.at == self.at && stays_in_word(self.gone.chars().next_back(), &next.gone),
        };
        if !goes_on {
            return Some(next);
        }
        self.caret_after = next.caret_after;
        match run {
            Run::Typed => self.come.push_str(&next.come),
            Run::Back => {
                self.at = next.at;
                self.gone.insert_str(0, &next.gone);
            }
            Run::Forward => self.gone.push_str(&next.gone),
        }
        None
    }
}

/// Returns whether the next text begins neither a word nor a line.
fn stays_in_word(last: Option<char>, next: &str) -> bool {
    let begins_word = last.is_some_and(char::is_whitespace) && !next.starts_with(char::is_whitespace);
    !begins_word && !next.contains('\n')
}

impl History {
    /// Records an edit, as part of a run or as a step of its own.
    pub(super) fn record(&mut self, edit: Edit, run: Option<Run>) {
        self.undone.clear();
        let mut step = Some(edit);
        if let (Some(run), Some(last)) = (run.filter(|run| self.run == Some(*run)), self.done.back_mut()) {
            let before = last.bytes();
            step = step.and_then(|edit| last.join(edit, run));
            self.bytes += last.bytes() - before;
        }
        self.run = run;
        if let Some(step) = step {
            self.bytes += step.bytes();
            self.done.push_back(step);
        }
        while self.bytes > limits::UNDO_BYTES
            && let Some(oldest) = self.done.pop_front()
        {
            self.bytes -= oldest.bytes();
        }
    }

    /// Returns whether there is nothing to undo or redo.
    pub(super) fn is_empty(&self) -> bool {
        self.done.is_empty() && self.undone.is_empty()
    }

    /// Returns whether there is something to undo.
    pub(super) fn has_done(&self) -> bool {
        !self.done.is_empty()
    }

    /// Ends the run: the next edit is a step of its own.
    pub(super) const fn seal(&mut self) {
        self.run = None;
    }

    /// Moves the last edit to the redo stack and returns it.
    pub(super) fn undo(&mut self) -> Option<Edit> {
        self.seal();
        let edit = self.done.pop_back()?;
        self.bytes -= edit.bytes();
        self.undone.push(edit.clone());
        Some(edit)
    }

    /// Moves the edit undone last back to the undo stack and returns it.
    pub(super) fn redo(&mut self) -> Option<Edit> {
        self.seal();
        let edit = self.undone.pop()?;
        self.bytes += edit.bytes();
        self.done.push_back(edit.clone());
        Some(edit)
    }
}
