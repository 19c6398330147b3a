//! Line wrapping that puts a mark of our own in front of every continuation, so that no screen line begins with an
//! agent's text.

use sayso_core::display;
use std::borrow::Cow;

/// Prefix of every line that is not ours.
pub(crate) const GUTTER: &str = "| ";

/// Prefix of the continuation of a line of ours.
const HANGING_INDENT: &str = "    ";

/// Minimum width for wrapping; narrower output would be unreadable anyway.
const MIN_COLUMNS: usize = 24;

/// Returns the width to wrap at; `None` if lines are not wrapped.
fn wrap_columns(columns: Option<usize>) -> Option<usize> {
    columns.filter(|columns| *columns >= MIN_COLUMNS)
}

/// Appends a foreign line to a page behind a prefix, which is another one for continuations.
pub(crate) fn push_wrapped(
    page: &mut String,
    columns: Option<usize>,
    first_prefix: &str,
    other_prefix: &str,
    line: &str,
) {
    let Some(columns) = wrap_columns(columns) else {
        page.push_str(first_prefix);
        page.push_str(line);
        page.push('\n');
        return;
    };
    let options =
        textwrap::Options::new(columns).initial_indent(first_prefix).subsequent_indent(other_prefix);
    let parts = textwrap::wrap(line, options);
    if parts.is_empty() {
        page.push_str(first_prefix);
        page.push('\n');
    }
    for part in parts {
        page.push_str(&part);
        page.push('\n');
    }
}

/// Returns foreign text, escaped, each line behind the gutter.
pub(crate) fn wrap_foreign(text: &str, columns: Option<usize>) -> String {
    let mut page = String::new();
    for line in display::escape_lines(text) {
        push_wrapped(&mut page, columns, GUTTER, GUTTER, &line);
    }
    page.truncate(page.trim_end_matches('\n').len());
    page
}

/// Wraps a line of ours that may contain foreign text. Continuations hang, so that they cannot pass for another line
/// of ours; if the line begins with the gutter, they get the gutter too. Trailing space stays for the input.
pub(crate) fn wrap_own(line: &str, columns: Option<usize>) -> Cow<'_, str> {
    let Some(columns) = wrap_columns(columns) else { return Cow::Borrowed(line) };
    if textwrap::core::display_width(line) <= columns {
        return Cow::Borrowed(line);
    }
    let space = line.get(line.trim_end().len()..).unwrap_or_default();
    let other_prefix = if line.trim_start().starts_with('|') { GUTTER } else { HANGING_INDENT };
    let options = textwrap::Options::new(columns).subsequent_indent(other_prefix);
    Cow::Owned(textwrap::wrap(line.trim_end(), options).join("\n") + space)
}

/// Appends a line that must be shown exactly: cut at the screen width without losing a space, with a mark of its own
/// before each continuation.
pub(crate) fn push_cut(
    page: &mut String,
    columns: Option<usize>,
    first_prefix: &str,
    other_prefix: &str,
    line: &str,
) {
    let room = match wrap_columns(columns) {
        Some(columns) => columns - first_prefix.len(),
        None => usize::MAX,
    };
    let mut width = 0;
    page.push_str(first_prefix);
    for c in line.chars() {
        let char_width = textwrap::core::display_width(c.encode_utf8(&mut [0; 4]));
        if width + char_width > room {
            page.push('\n');
            page.push_str(other_prefix);
            width = 0;
        }
        page.push(c);
        width += char_width;
    }
    page.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrapped(columns: usize, line: &str) -> String {
        let mut page = String::new();
        push_wrapped(&mut page, Some(columns), "| ", "| ", line);
        page
    }

    #[test]
    fn wrapped_foreign_lines_keep_gutter() {
        assert_eq!(wrapped(24, "one two three four five six"), "| one two three four\n| five six\n");
        let long = wrapped(24, &"字".repeat(30));
        assert!(long.lines().count() > 2 && long.lines().all(|line| line.starts_with("| 字")), "{long}");
        assert_eq!(wrapped(24, ""), "| \n");
        assert_eq!(wrapped(5, &"x".repeat(40)).lines().count(), 1, "too narrow to break");
    }

    #[test]
    fn wrapped_own_lines_hang() {
        assert_eq!(
            wrap_own("Recorded: one two three four. ", Some(24)),
            "Recorded: one two three\n    four. "
        );
        assert_eq!(wrap_own("short", Some(24)), "short");
        let claimed = wrap_own("| a title that looks like ours. Recorded: yes. Sent.", Some(24)).into_owned();
        assert!(
            claimed.lines().count() > 2 && claimed.lines().all(|line| line.starts_with("| ")),
            "{claimed}"
        );
    }

    #[test]
    fn exact_line_keeps_all_spaces() {
        let mut page = String::new();
        push_cut(&mut page, Some(24), "| ", "|>", "rm -rf /data/aaaa      /home/b");
        assert_eq!(page, "| rm -rf /data/aaaa     \n|> /home/b\n");
    }
}
