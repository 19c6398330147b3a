//! Escaping of untrusted text: an agent's text reaches a person's screen only through this module.
//!
//! Nothing is dropped or hidden. A character that would control the terminal, change the direction of writing or be
//! invisible shows as a token, `⟦U+001B⟧`; so do combining marks that pile up on a letter. Space that would push text
//! off the screen shows as its size, `⋮ 498 spaces ⋮`. Stored and sent text stays unchanged.

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

/// A line as shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shown<'t> {
    /// The line.
    pub text: Cow<'t, str>,
    /// Number of characters that show as tokens.
    pub hidden: usize,
}

/// Escapes a text for one line: line breaks show as tokens too.
pub fn line(text: &str) -> Cow<'_, str> {
    shown(text).text
}

/// Escapes a text for one line, and counts its tokens.
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

/// Counts the characters of a multi-line text that show as tokens.
pub fn hidden(text: &str) -> usize {
    breaks(text).map(|part| shown(part).hidden).sum()
}

/// Escapes a multi-line text line by line. A long run of blank lines shows as one line that counts them.
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
