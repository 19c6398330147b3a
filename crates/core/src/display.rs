//! Escaping of untrusted text: an agent's text reaches a person's screen only through this module.
//!
//! Nothing is dropped or hidden. A character that would control the terminal, change the direction of writing or be
//! invisible shows as a token, `⟦U+001B⟧`; so do combining marks that pile up on a letter. Space that would push text
//! off the screen shows as its size, `⋮ 498 spaces ⋮`. The characters of these marks are tokens themselves if others
//! wrote them. Stored and sent text stays unchanged.

mod blank_rows;
mod confusables;
mod exact;
mod imitation;
mod json_layout;
mod mark_entities;
mod markdown;
mod plain_text;
#[cfg(test)]
mod tests;
mod unicode;
mod writer;

pub(crate) use confusables::folded_skeleton;
pub use confusables::{find_confusable, latin_lookalikes};
pub use exact::{ExactLine, LineNote, exact_lines, quote_argument};
pub use imitation::mixed_script_words;
pub use json_layout::indent_json;
pub use markdown::{BlockKind, MarkdownBlock, MarkdownMark, TextStyle, markdown};
pub use plain_text::markdown_lines;

use crate::limits;
use std::borrow::Cow;
use writer::{LineAuthor, LineEscaper};

/// A line as shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EscapedLine<'t> {
    /// The line.
    pub text: Cow<'t, str>,
    /// Number of characters that show as tokens.
    pub token_count: usize,
}

/// Escapes a text for one line: line breaks show as tokens too.
pub fn escape_line(text: &str) -> Cow<'_, str> {
    escape_and_count(text).text
}

/// Escapes a line of ours whose parts are escaped already: the marks in it stay. A last guard before a terminal.
pub fn escape_composed(text: &str) -> Cow<'_, str> {
    escape_line_of(text, LineAuthor::Ours).text
}

/// Puts a name or a title on one line: each line break and the space around it becomes one space. For a value, which
/// must be shown exactly, [`escape_line`] shows line breaks as tokens.
pub fn join_lines(text: &str) -> Cow<'_, str> {
    const BREAKS: [char; 7] = ['\n', '\r', '\u{b}', '\u{c}', '\u{85}', '\u{2028}', '\u{2029}'];
    if !text.contains(BREAKS) {
        return Cow::Borrowed(text);
    }
    let lines: Vec<_> = text.split(BREAKS).map(str::trim).filter(|line| !line.is_empty()).collect();
    Cow::Owned(lines.join(" "))
}

/// Puts a text on one line that fits between quotation marks of ours: it has none that would end the quotation.
pub fn quotable(text: &str) -> String {
    without_quotes(&escape_line(&join_lines(text)))
}

/// Returns a line with each quotation mark that would end a quotation of ours as an apostrophe.
pub(crate) fn without_quotes(line: &str) -> String {
    const QUOTES: [char; 10] = ['"', '“', '”', '„', '‟', '«', '»', '″', '〞', '＂'];
    line.replace(QUOTES, "'")
}

/// Returns true if a name, quoted, can be part of a sentence of ours. Any other goes on a line of its own.
pub fn is_plain_name(name: &str) -> bool {
    (1..=limits::QUOTED_NAME_BYTES).contains(&name.len())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_.:/-".contains(&byte))
}

/// Escapes a text for one line, and counts its tokens.
pub fn escape_and_count(text: &str) -> EscapedLine<'_> {
    escape_line_of(text, LineAuthor::Foreign)
}

fn escape_line_of(text: &str, author: LineAuthor) -> EscapedLine<'_> {
    if writer::needs_no_escaping(text, author) {
        return EscapedLine { text: Cow::Borrowed(text), token_count: 0 };
    }
    let mut writer = LineEscaper::new(author);
    writer.write(text);
    let LineEscaper { shown, hidden, .. } = writer;
    let text = if shown == text { Cow::Borrowed(text) } else { Cow::Owned(shown) };
    EscapedLine { text, token_count: hidden }
}

/// Counts the characters of a multi-line text that show as tokens.
pub fn count_tokens(text: &str) -> usize {
    split_lines(text).map(|part| escape_and_count(part).token_count).sum()
}

/// Escapes a multi-line text line by line. A long run of blank lines shows as one line that counts them.
pub fn escape_lines(text: &str) -> impl Iterator<Item = Cow<'_, str>> {
    escape_lines_of(text, LineAuthor::Foreign)
}

/// Escapes lines of ours whose parts are escaped already, as [`escape_composed`].
pub fn escape_composed_lines(text: &str) -> impl Iterator<Item = Cow<'_, str>> {
    escape_lines_of(text, LineAuthor::Ours)
}

fn escape_lines_of(text: &str, author: LineAuthor) -> impl Iterator<Item = Cow<'_, str>> {
    let escape = move |line| escape_line_of(line, author).text;
    let mut parts = split_lines(text).peekable();
    let mut blanks: Vec<&str> = Vec::new();
    std::iter::from_fn(move || {
        if let Some(blank) = blanks.pop() {
            return Some(escape(blank));
        }
        let part = parts.next()?;
        if !is_blank(part) {
            return Some(escape(part));
        }
        let mut count = 1;
        while let Some(blank) = parts.next_if(|part| is_blank(part)) {
            count += 1;
            if count <= limits::SHOWN_BLANK_LINES {
                blanks.push(blank);
            }
        }
        if count <= limits::SHOWN_BLANK_LINES {
            return Some(escape(part));
        }
        blanks.clear();
        Some(Cow::Owned(blank_rows::count_row(count)))
    })
}

fn split_lines(text: &str) -> impl Iterator<Item = &str> {
    text.split('\n').map(|part| part.strip_suffix('\r').unwrap_or(part))
}

fn is_blank(line: &str) -> bool {
    line.chars().all(|c| unicode::is_blank(c) && !unicode::is_hidden(c))
}
