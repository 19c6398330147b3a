//! What was done to a text, to be undone and done again.

use sayso_core::limits;
use std::collections::VecDeque;

/// One piece of a text that made way for another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Edit {
    /// Where, in bytes.
    pub(super) at: usize,
    /// What was there.
    pub(super) gone: String,
    /// What is there now.
    pub(super) come: String,
    /// Where the caret was before.
    pub(super) caret_before: usize,
    /// Where the caret is after.
    pub(super) caret_after: usize,
}

/// What an edit is part of, when it goes on from the one before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Run {
    /// Typing.
    Typed,
    /// Deleting what stands before the caret.
    Back,
    /// Deleting what stands after the caret.
    Forward,
}

/// All that can be undone, and what was undone since the last edit.
#[derive(Debug, Default)]
pub(super) struct History {
    done: VecDeque<Edit>,
    undone: Vec<Edit>,
    /// What the last edit is part of, while more may join it.
    run: Option<Run>,
    /// How much `done` holds, in bytes.
    bytes: usize,
}

impl Edit {
    fn bytes(&self) -> usize {
        size_of::<Self>() + self.gone.len() + self.come.len()
    }

    /// Takes in the edit that goes on from here; gives it back where it is a step of its own.
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

/// Whether what follows is neither a new word nor another line.
fn stays_in_word(last: Option<char>, next: &str) -> bool {
    let begins_word = last.is_some_and(char::is_whitespace) && !next.starts_with(char::is_whitespace);
    !begins_word && !next.contains('\n')
}

impl History {
    /// Takes note of an edit, as part of a run or as a step of its own.
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

    /// Whether nothing can be undone or done again.
    pub(super) fn is_empty(&self) -> bool {
        self.done.is_empty() && self.undone.is_empty()
    }

    /// Whether something can be undone.
    pub(super) fn has_done(&self) -> bool {
        !self.done.is_empty()
    }

    /// What comes next is a step of its own.
    pub(super) const fn seal(&mut self) {
        self.run = None;
    }

    /// The last edit, which is now undone.
    pub(super) fn undo(&mut self) -> Option<Edit> {
        self.seal();
        let edit = self.done.pop_back()?;
        self.bytes -= edit.bytes();
        self.undone.push(edit.clone());
        Some(edit)
    }

    /// The edit that was undone last, which is now done again.
    pub(super) fn redo(&mut self) -> Option<Edit> {
        self.seal();
        let edit = self.undone.pop()?;
        self.bytes += edit.bytes();
        self.done.push_back(edit.clone());
        Some(edit)
    }
}
