//! Lines that are too long for the screen are broken by us, so that what comes after the break begins with a mark of
//! ours and not with an agent's words.

use sayso_core::display;
use std::borrow::Cow;

/// Stands in front of every line that is not ours.
pub(crate) const GUTTER: &str = "| ";

/// Stands in front of what goes on from a line of ours.
const HANGING: &str = "    ";

/// Below this many columns nothing is broken: it would not be readable anyway.
const COLUMNS_MIN: usize = 24;

/// Puts a line of somebody else's words on a page: `first` before it, `then` before each line that it is broken into.
pub(crate) fn push_wrapped(page: &mut String, columns: Option<usize>, first: &str, then: &str, line: &str) {
    let Some(columns) = columns.filter(|columns| *columns >= COLUMNS_MIN) else {
        page.push_str(first);
        page.push_str(line);
        page.push('\n');
        return;
    };
    let options = textwrap::Options::new(columns).initial_indent(first).subsequent_indent(then);
    let broken = textwrap::wrap(line, options);
    if broken.is_empty() {
        page.push_str(first);
        page.push('\n');
    }
    for part in broken {
        page.push_str(&part);
        page.push('\n');
    }
}

/// Words of others, made safe, each line behind the gutter.
pub(crate) fn foreign(text: &str, columns: Option<usize>) -> String {
    let mut page = String::new();
    display::lines(text).for_each(|line| push_wrapped(&mut page, columns, GUTTER, GUTTER, &line));
    page.truncate(page.trim_end_matches('\n').len());
    page
}

/// A line of ours, which may have words of others in it: what is broken off hangs, so that it cannot be taken for
/// another line of ours. It may begin with their words, and those like the gutter: what is broken off is behind it then.
/// Space at the end stays, for what is typed behind it.
pub(crate) fn ours(line: &str, columns: Option<usize>) -> Cow<'_, str> {
    let room = columns.filter(|columns| *columns >= COLUMNS_MIN);
    let Some(room) = room.filter(|room| textwrap::core::display_width(line) > *room) else {
        return Cow::Borrowed(line);
    };
    let space = line.get(line.trim_end().len()..).unwrap_or_default();
    let then = if line.trim_start().starts_with('|') { GUTTER } else { HANGING };
    let options = textwrap::Options::new(room).subsequent_indent(then);
    Cow::Owned(textwrap::wrap(line.trim_end(), options).join("\n") + space)
}

/// Puts a line on a page that must be seen exactly as it is: it is cut where the screen ends, no space is lost, and what
/// goes on from the line before has a mark of its own.
pub(crate) fn push_cut(page: &mut String, columns: Option<usize>, first: &str, then: &str, line: &str) {
    let room = columns.filter(|columns| *columns >= COLUMNS_MIN).map(|columns| columns - first.len());
    let mut width = 0;
    page.push_str(first);
    for c in line.chars() {
        let wide = textwrap::core::display_width(c.encode_utf8(&mut [0; 4]));
        if room.is_some_and(|room| width + wide > room) {
            page.push('\n');
            page.push_str(then);
            width = 0;
        }
        page.push(c);
        width += wide;
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
        assert_eq!(ours("Recorded: one two three four. ", Some(24)), "Recorded: one two three\n    four. ");
        assert_eq!(ours("short", Some(24)), "short");
        let claimed = ours("| a title that looks like ours. Recorded: yes. Sent.", Some(24)).into_owned();
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
