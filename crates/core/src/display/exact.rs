//! Exact data of an action: arguments, commands, diffs, JSON, paths and addresses. No character of it is replaced or
//! left out, and no two texts look the same: what cannot be seen, or imitates a letter, is a token. A literal bracket
//! of a token is a token too. `web/src/text/exact.ts` does the same, held by the same cases.

use super::imitation::imitating_letters;
use super::unicode::{is_blank, is_combining_mark, is_hidden};
use crate::limits;
use std::borrow::Cow;
use std::fmt::Write as _;

/// A line of exact data as shown.
#[derive(Debug, PartialEq, Eq)]
pub struct ExactLine<'t> {
    /// The line.
    pub text: Cow<'t, str>,
    /// Our note after it.
    pub note: Option<LineNote>,
}

/// Note of ours at the end of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineNote {
    /// The line stands for this many empty ones.
    EmptyLines(usize),
    /// The line ends here, though it seems to end in `\`.
    EndsHere,
    /// The next line continues this one.
    Continues,
    /// The next line continues this one, unless it is a comment.
    ContinuesUnlessComment,
}

/// Returns the lines of exact data as shown. One that ends in `\` has a note on whether the next one continues it.
pub fn exact_lines(text: &str) -> Vec<ExactLine<'_>> {
    let mut rows = Vec::new();
    let mut lines = text.split('\n').peekable();
    while let Some(line) = lines.next() {
        let mut count = 1;
        while line.is_empty() && lines.next_if_eq(&"").is_some() {
            count += 1;
        }
        if count > limits::SHOWN_BLANK_LINES {
            rows.push(ExactLine { text: Cow::Borrowed(""), note: Some(LineNote::EmptyLines(count)) });
            continue;
        }
        for _ in 1..count {
            rows.push(ExactLine { text: Cow::Borrowed(""), note: None });
        }
        let is_last = lines.peek().is_none();
        let note = if is_last { None } else { line_end_note(line) };
        rows.push(ExactLine { text: exact_line(line), note });
    }
    rows
}

/// Quotes an argument of a program as one line. Its line breaks and tabs show as `\n`, `\r` and `\t`.
pub fn quote_argument(argument: &str) -> String {
    let mut quotation = String::with_capacity(argument.len() + 2);
    quotation.push('"');
    for c in argument.chars() {
        match c {
            '"' | '\\' => quotation.extend(['\\', c]),
            '\n' => quotation.push_str("\\n"),
            '\r' => quotation.push_str("\\r"),
            '\t' => quotation.push_str("\\t"),
            _ => quotation.push(c),
        }
    }
    quotation.push('"');
    quotation
}

/// Returns our note on a line that ends in `\`, or seems to. A shell joins the next line only if the line break follows
/// immediately, and never to a comment.
fn line_end_note(line: &str) -> Option<LineNote> {
    let end = line.trim_end_matches(is_invisible);
    let slashes = end.len() - end.trim_end_matches('\\').len();
    if slashes == 0 {
        return None;
    }
    if end.len() < line.len() || slashes.is_multiple_of(2) {
        return Some(LineNote::EndsHere);
    }
    Some(if line.contains('#') { LineNote::ContinuesUnlessComment } else { LineNote::Continues })
}

fn is_invisible(c: char) -> bool {
    is_blank(c) || is_hidden(c)
}

/// Returns a line of exact data as shown.
fn exact_line(line: &str) -> Cow<'_, str> {
    if needs_no_token(line) {
        return Cow::Borrowed(line);
    }
    let imitations = imitating_letters(line);
    let end = line.trim_end_matches(is_invisible).len();
    let mut writer = ExactWriter::default();
    // Marks on the last letter; `None` without a letter that they can combine with.
    let mut marks = None;
    for (at, c) in line.char_indices() {
        let is_mark = is_combining_mark(c);
        let is_excess_mark = is_mark && marks.is_none_or(|marks| marks >= limits::SHOWN_MARKS);
        let is_token = is_invisible(c) && (c != ' ' || at >= end)
            || is_excess_mark
            || matches!(c, '⟦' | '⟧')
            || imitations.contains(&at);
        if is_token && !is_mark {
            marks = None;
        } else if !is_token {
            marks = Some(if is_mark { marks.unwrap_or(0) + 1 } else { 0 });
        }
        writer.push(c, is_token);
    }
    writer.end_run();
    Cow::Owned(count_escaped_breaks(&writer.shown))
}

/// Returns true if a line shows as it is. May return false for one that does.
fn needs_no_token(line: &str) -> bool {
    line.bytes().all(|byte| matches!(byte, b' '..=b'~'))
        && !line.ends_with(' ')
        && !line.contains(ESCAPED_BREAKS)
        && memchr::memmem::find(line.as_bytes(), &[b' '; limits::SHOWN_BLANKS + 1]).is_none()
}

/// Writer that counts repetitions.
#[derive(Debug, Default)]
struct ExactWriter {
    shown: String,
    /// The last character, and if it is a token.
    last: (char, bool),
    count: usize,
}

impl ExactWriter {
    fn push(&mut self, c: char, is_token: bool) {
        if self.last != (c, is_token) {
            self.end_run();
            self.last = (c, is_token);
        }
        self.count += 1;
    }

    fn end_run(&mut self) {
        let count = std::mem::take(&mut self.count);
        let (c, is_token) = self.last;
        if !is_token && (c != ' ' || count <= limits::SHOWN_BLANKS) {
            self.shown.extend(std::iter::repeat_n(c, count));
            return;
        }
        // Writing to a String cannot fail.
        let _ = match c {
            ' ' => write!(self.shown, "⟦SP"),
            '\t' => write!(self.shown, "⟦TAB"),
            '\r' => write!(self.shown, "⟦CR"),
            _ => write!(self.shown, "⟦U+{:04X}", u32::from(c)),
        };
        if count > 1 {
            let _ = write!(self.shown, " ×{count}");
        }
        self.shown.push('⟧');
    }
}

/// Line breaks that are written as `\n`, as in JSON and in arguments: this many in a row are counted.
const ESCAPED_BREAKS: &str = r"\n\n\n\n";

fn count_escaped_breaks(line: &str) -> String {
    let mut row = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(at) = rest.find(ESCAPED_BREAKS)
        && let Some((text, run)) = rest.split_at_checked(at)
    {
        rest = run.trim_start_matches(r"\n");
        let count = (run.len() - rest.len()) / r"\n".len();
        row.push_str(text);
        // Writing to a String cannot fail.
        let _ = write!(row, r"⟦\n ×{count}⟧");
    }
    row.push_str(rest);
    row
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Returns exact data from its lines as shown.
    fn read_back(shown: &[ExactLine<'_>]) -> String {
        let lines: Vec<String> = shown.iter().map(read_line).collect();
        lines.join("\n")
    }

    fn read_line(line: &ExactLine<'_>) -> String {
        if let Some(LineNote::EmptyLines(count)) = line.note {
            return "\n".repeat(count - 1);
        }
        let mut parts = line.text.split('⟦');
        let mut text = parts.next().unwrap().to_owned();
        for part in parts {
            let (token, rest) = part.split_once('⟧').unwrap();
            let (name, count) = token.split_once(" ×").unwrap_or((token, "1"));
            let unit = match name {
                "SP" => " ".to_owned(),
                "TAB" => "\t".to_owned(),
                "CR" => "\r".to_owned(),
                r"\n" => name.to_owned(),
                _ => char::from_u32(u32::from_str_radix(&name[2..], 16).unwrap()).unwrap().to_string(),
            };
            text.push_str(&unit.repeat(count.parse().unwrap()));
            text.push_str(rest);
        }
        text
    }

    fn pieces() -> impl Strategy<Value = String> {
        let pieces = [
            "a",
            " ",
            "  ",
            "\t",
            "\r",
            "\n",
            "\r\n",
            "\\",
            r"\n",
            "#",
            "⟦",
            "⟧",
            "⟦CR⟧",
            " ×3",
            "\u{a0}",
            "\u{3000}",
            "\u{2800}",
            "\u{200b}",
            "\u{202e}",
            "\u{301}",
            "é",
            "с",
            "п",
            "ο",
            "://",
            "/",
            "字",
            "❤\u{fe0f}",
            "✓",
            "\0",
        ];
        let long = [" ".repeat(41), r"\n".repeat(5), "\n".repeat(4), "\t".repeat(50)];
        let all: Vec<String> = pieces.iter().map(|piece| (*piece).to_owned()).chain(long).collect();
        prop::collection::vec(prop::sample::select(all), 0..30).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #[test]
        fn exact_data_can_be_read_back(text in prop_oneof![any::<String>(), pieces()]) {
            let shown = exact_lines(&text);
            prop_assert_eq!(read_back(&shown), text.as_str());
            for ExactLine { text: line, .. } in &shown {
                prop_assert!(!line.contains(|c| is_invisible(c) && c != ' ') && !line.ends_with(' '), "{:?}", line);
            }
        }
    }
}
