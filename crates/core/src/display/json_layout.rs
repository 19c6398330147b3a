//! Layout of JSON for a person: one member or item a row.

use crate::limits;
use serde::de::IgnoredAny;
use std::borrow::Cow;

/// Returns JSON text with one member or item a row. Names, texts, digits and their order stay as they are; also a member
/// that is there twice. Text that is no JSON, or that exceeds the limits of a request, is returned unchanged.
pub fn indent_json(text: &str) -> Cow<'_, str> {
    if text.len() > limits::REQUEST_BYTES || serde_json::from_str::<IgnoredAny>(text).is_err() {
        return Cow::Borrowed(text);
    }
    let mut layout = JsonLayout::default();
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '"' => {
                layout.push(letter);
                let mut is_escaped = false;
                for letter in letters.by_ref() {
                    layout.push(letter);
                    if letter == '"' && !is_escaped {
                        break;
                    }
                    is_escaped = letter == '\\' && !is_escaped;
                }
            }
            ' ' | '\t' | '\r' | '\n' => {}
            letter => layout.add(letter),
        }
        // The indentation of a deeper text would take more space than the text itself.
        if layout.depth > limits::JSON_DEPTH {
            return Cow::Borrowed(text);
        }
    }
    Cow::Owned(layout.text)
}

/// Text so far, and the depth of its end.
#[derive(Default)]
struct JsonLayout {
    text: String,
    depth: usize,
    /// True after an opening bracket, whose first row is not begun yet.
    is_empty: bool,
}

impl JsonLayout {
    /// Adds a letter that is no blank and outside of strings.
    fn add(&mut self, letter: char) {
        match letter {
            '{' | '[' => {
                self.push(letter);
                self.depth += 1;
                self.is_empty = true;
            }
            '}' | ']' => {
                self.depth = self.depth.saturating_sub(1);
                if !std::mem::take(&mut self.is_empty) {
                    self.begin_row();
                }
                self.text.push(letter);
            }
            ',' => {
                self.text.push(',');
                self.begin_row();
            }
            ':' => self.text.push_str(": "),
            letter => self.push(letter),
        }
    }

    /// Adds a letter of a value or a name.
    fn push(&mut self, letter: char) {
        if std::mem::take(&mut self.is_empty) {
            self.begin_row();
        }
        self.text.push(letter);
    }

    fn begin_row(&mut self) {
        self.text.push('\n');
        self.text.extend(std::iter::repeat_n("  ", self.depth));
    }
}
