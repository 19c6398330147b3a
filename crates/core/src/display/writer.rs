//! Escaping of one line, character by character.

use super::unicode::{
    has_emoji_variant, is_blank, is_combining_mark, is_hidden, is_pictograph, may_precede_joiner,
};
use crate::limits;
use std::fmt::Write as _;

/// Returns true if it is a character of our own marks.
pub(super) fn is_of_marks(c: char) -> bool {
    matches!(c, '⟦' | '⟧' | '⋮')
}

/// Returns true if a line needs no escaping. May return false for one that needs none.
pub(super) fn needs_no_escaping(text: &str, author: LineAuthor) -> bool {
    let mut blanks = 0;
    for c in text.chars() {
        blanks = if c == ' ' { blanks + 1 } else { 0 };
        let is_plain = match c {
            ' ' => blanks <= limits::SHOWN_BLANKS,
            '!'..='~' => true,
            _ if is_of_marks(c) => author == LineAuthor::Ours,
            _ => !is_blank(c) && !is_hidden(c) && !is_combining_mark(c),
        };
        if !is_plain {
            return false;
        }
    }
    true
}

/// Author of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LineAuthor {
    /// Others: the characters of our marks are tokens, so that nothing that they write can be taken for one.
    Foreign,
    /// This program, which put lines together that are escaped: their marks stay.
    Ours,
}

/// Writer of one escaped line.
#[derive(Debug)]
pub(super) struct LineEscaper {
    author: LineAuthor,
    pub(super) shown: String,
    /// Number of characters that show as tokens.
    pub(super) hidden: usize,
    /// Marks on the last character; `None` without a character that they can combine with.
    marks: Option<usize>,
    /// Pending space.
    blanks: Vec<char>,
    blank_count: usize,
    /// The pending token, and its number of repetitions.
    token: Option<(char, usize)>,
}

impl LineEscaper {
    pub(super) fn new(author: LineAuthor) -> Self {
        let shown = String::new();
        Self { author, shown, hidden: 0, marks: None, blanks: Vec::new(), blank_count: 0, token: None }
    }

    pub(super) fn write(&mut self, text: &str) {
        let mut previous = None;
        let mut chars = text.chars().peekable();
        while let Some(c) = chars.next() {
            self.push_char(c, previous, chars.peek().copied());
            previous = Some(c);
        }
        self.end_blanks(true);
        self.end_token();
    }

    fn push_char(&mut self, c: char, previous: Option<char>, next: Option<char>) {
        if is_blank(c) {
            self.end_token();
            self.blank_count += 1;
            if self.blank_count <= limits::SHOWN_BLANKS {
                self.blanks.push(c);
            }
            return;
        }
        self.end_blanks(false);
        let is_part = match c {
            '\u{200d}' => previous.is_some_and(may_precede_joiner) && next.is_some_and(is_pictograph),
            '\u{fe0e}' | '\u{fe0f}' => previous.is_some_and(has_emoji_variant),
            _ => false,
        };
        if is_part && self.token.is_none() {
            self.shown.push(c);
            return;
        }
        let is_excess_mark =
            is_combining_mark(c) && self.marks.is_none_or(|marks| marks >= limits::SHOWN_MARKS);
        let is_forged = is_of_marks(c) && self.author == LineAuthor::Foreign;
        if is_hidden(c) || is_excess_mark || is_forged {
            self.hidden += usize::from(!is_forged);
            self.put_token(c);
            return;
        }
        self.end_token();
        self.marks = Some(if is_combining_mark(c) { self.marks.unwrap_or(0) + 1 } else { 0 });
        self.shown.push(c);
    }

    fn put_token(&mut self, c: char) {
        match &mut self.token {
            Some((same, count)) if *same == c => *count += 1,
            _ => {
                self.end_token();
                self.token = Some((c, 1));
            }
        }
        // Further marks on a full base combine with nothing, so that a token in between makes no room for more.
        if !is_combining_mark(c) {
            self.marks = None;
        }
    }

    fn end_token(&mut self) {
        let Some((c, count)) = self.token.take() else { return };
        let token = format!("⟦U+{:04X}⟧", u32::from(c));
        if count <= limits::SHOWN_TOKENS {
            self.shown.extend(std::iter::repeat_n(token.as_str(), count));
        } else {
            // Writing to a String cannot fail.
            let _ = write!(self.shown, "{token} ⋮ {count} times ⋮");
        }
        self.marks = None;
    }

    fn end_blanks(&mut self, at_end: bool) {
        let count = std::mem::take(&mut self.blank_count);
        if count == 0 {
            return;
        }
        let mut blanks = std::mem::take(&mut self.blanks);
        if count > limits::SHOWN_BLANKS {
            let left = if self.shown.is_empty() || self.shown.ends_with(' ') { "" } else { " " };
            let right = if at_end { "" } else { " " };
            // Writing to a String cannot fail.
            let _ = write!(self.shown, "{left}⋮ {count} spaces ⋮{right}");
            self.marks = None;
            return;
        }
        for blank in blanks.drain(..) {
            match blank {
                '\t' => self.shown.push(' '),
                '\u{2800}' => {
                    self.hidden += 1;
                    self.put_token(blank);
                    continue;
                }
                _ => {
                    self.end_token();
                    self.shown.push(blank);
                }
            }
            self.marks = Some(0);
        }
        // The buffer serves the next run.
        self.blanks = blanks;
    }
}
