//! Paste.

use super::{KeyResult, PasteResult, TextBox};
use sayso_core::{Message, Problem, ProblemCode, limits};

impl TextBox {
    /// Inserts a pasted text at the caret as one undo step. Converts line breaks of any kind, and removes control
    /// characters except tabs.
    ///
    /// # Errors
    /// If the text would be longer than [`limits::TEXT_ANSWER_BYTES`], nothing changes.
    pub(crate) fn paste(&mut self, pasted: &str) -> Result<PasteResult, Problem> {
        self.end_runs();
        let (clean, removed) = sanitize(pasted);
        if self.insert(self.caret, &clean, None) == KeyResult::Full {
            let bytes = self.text().len() + clean.len();
            let message = Message::TextTooLong.with([bytes, limits::TEXT_ANSWER_BYTES]);
            return Err(Problem::new(ProblemCode::TooLarge, message));
        }
        Ok(PasteResult { lines: clean.lines().count(), removed })
    }
}

/// Removes control characters and returns their number.
fn sanitize(pasted: &str) -> (String, usize) {
    let mut clean = String::with_capacity(pasted.len());
    let mut removed = 0;
    let mut chars = pasted.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\r' => {
                // CRLF is one line break.
                let _ = chars.next_if_eq(&'\n');
                clean.push('\n');
            }
            '\n' | '\t' => clean.push(c),
            c if c.is_control() => removed += 1,
            c => clean.push(c),
        }
    }
    (clean, removed)
}
