//! Untrusted text made safe to show: what an agent wrote goes to a person's screen only through here.
//!
//! Nothing is dropped and nothing is hidden: a character that would steer the terminal, turn the direction of
//! writing or leave no mark shows as a visible token, `⟦U+001B⟧`; so do marks that pile up on a letter. Space that
//! would push something off the screen shows as its size, `⋮ 498 spaces ⋮`. What is stored and sent stays as it came.

mod likeness;
mod markdown;
mod padding;
mod plain;
#[cfg(test)]
mod tests;
mod unicode;
mod writer;

pub use likeness::{alike, mixed, undrawn};
pub use markdown::{Block, Kind, Mark, Style, markdown};
pub use padding::escaped;
pub use plain::markdown_lines;

use crate::limits;
use std::borrow::Cow;
use writer::Writer;

/// A line as it is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shown<'t> {
    /// The line.
    pub text: Cow<'t, str>,
    /// How many characters show as tokens.
    pub hidden: usize,
}

/// A text for one line: line breaks show as tokens too.
pub fn line(text: &str) -> Cow<'_, str> {
    shown(text).text
}

/// A text for one line, and how much of it had to be made visible.
pub fn shown(text: &str) -> Shown<'_> {
    if writer::is_plain(text) {
        return Shown { text: Cow::Borrowed(text), hidden: 0 };
    }
    let mut writer = Writer::default();
    writer.write(text);
    let Writer { shown, hidden, .. } = writer;
    let text = if shown == text { Cow::Borrowed(text) } else { Cow::Owned(shown) };
    Shown { text, hidden }
}

/// How many characters of a text of several lines show as tokens.
pub fn hidden(text: &str) -> usize {
    breaks(text).map(|part| shown(part).hidden).sum()
}

/// A text of several lines, each made safe for itself. Blank lines in great number show as one that counts them.
pub fn lines(text: &str) -> impl Iterator<Item = Cow<'_, str>> {
    let mut parts = breaks(text).peekable();
    let mut blanks: Vec<&str> = Vec::new();
    std::iter::from_fn(move || {
        if let Some(blank) = blanks.pop() {
            return Some(line(blank));
        }
        let part = parts.next()?;
        if !is_blank(part) {
            return Some(line(part));
        }
        let mut count = 1;
        while let Some(blank) = parts.next_if(|part| is_blank(part)) {
            count += 1;
            if count <= limits::SHOWN_BLANK_LINES {
                blanks.push(blank);
            }
        }
        if count <= limits::SHOWN_BLANK_LINES {
            return Some(line(part));
        }
        blanks.clear();
        Some(Cow::Owned(padding::counted(count)))
    })
}

fn breaks(text: &str) -> impl Iterator<Item = &str> {
    text.split('\n').map(|part| part.strip_suffix('\r').unwrap_or(part))
}

fn is_blank(line: &str) -> bool {
    line.chars().all(|c| unicode::is_blank(c) && !unicode::is_hidden(c))
}
