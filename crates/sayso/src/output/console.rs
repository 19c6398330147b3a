//! Output of commands: data to standard output, everything else to standard error.

use crate::output::exit::CommandExit;
use sayso_core::LocalizedText;
use sayso_core::{Lang, Problem, display};
use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::{self, IsTerminal as _, Write};

/// Name and version of the program, which the build script puts together.
pub(crate) const VERSION: &str = concat!("sayso ", env!("SAYSO_VERSION"));

/// Prints data and flushes it.
///
/// # Errors
/// Returns the exit of the command if standard output is closed or can't be written.
pub(crate) fn print_data(text: &str) -> Result<(), CommandExit> {
    write_out(text).map_err(|error| match error.kind() {
        io::ErrorKind::BrokenPipe => CommandExit::Unread,
        _ => CommandExit::Unwritten,
    })
}

/// Prints data that no later step depends on, and returns the exit of the command. A closed pipe, as `head` leaves
/// it, is not an error.
#[must_use]
pub(crate) fn print_output(text: &str) -> CommandExit {
    match print_data(text) {
        Ok(()) | Err(CommandExit::Unread) => CommandExit::Done,
        Err(exit) => exit,
    }
}

/// Writes to standard output; on a terminal, control characters are escaped.
fn write_out(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    let text = if out.is_terminal() { escape_controls(text) } else { Cow::Borrowed(text) };
    out.write_all(text.as_bytes())?;
    if !text.is_empty() && !text.ends_with('\n') {
        out.write_all(b"\n")?;
    }
    out.flush()
}

/// Returns the data with control characters escaped as in JSON. JSON keeps its meaning, and in plain answers a person
/// sees the characters.
fn escape_controls(text: &str) -> Cow<'_, str> {
    let is_harmless = |part: &str| part.split('\n').all(|line| display::escape_composed(line) == line);
    if is_harmless(text) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if matches!(c, '\n' | '\t') || is_harmless(c.encode_utf8(&mut [0; 4])) {
            escaped.push(c);
            continue;
        }
        for unit in c.encode_utf16(&mut [0; 2]) {
            // Writing to a `String` can't fail.
            let _ = write!(escaped, "\\u{unit:04x}");
        }
    }
    Cow::Owned(escaped)
}

/// Returns whether standard output is a terminal.
pub(crate) fn is_terminal() -> bool {
    io::stdout().is_terminal()
}

/// Prints a message to standard error. A failure is ignored.
pub(crate) fn print_message(text: &str) {
    let mut out = io::stderr().lock();
    let _ = writeln!(out, "{text}");
}

/// Prints a message with text of an agent or another person: unchanged to a program, without control characters to a
/// terminal.
pub(crate) fn print_untrusted(text: &str) {
    if io::stderr().is_terminal() {
        print_message(&display::escape_composed_lines(text).collect::<Vec<_>>().join("\n"));
    } else {
        print_message(text);
    }
}

/// Prints a problem. Text from a request is escaped.
pub(crate) fn print_problem(problem: &Problem, lang: Lang) {
    let mut lines = problem.render_lines(lang).into_iter();
    if let Some(first) = lines.next() {
        print_message(&format!("sayso: {}", indented_lines(&first)));
    }
    for line in lines {
        print_message(&format!("  {}", indented_lines(&line)));
    }
}

/// Prints a warning about the input, with its place.
pub(crate) fn print_warning(problem: &Problem, lang: Lang) {
    let place = problem.path.to_js_path();
    let place = if place.is_empty() { String::new() } else { format!("{place}: ") };
    let words = LocalizedText::Verbatim(format!("{place}{}", problem.message.render(lang)));
    print_problem(&Problem { message: words, ..problem.clone() }, lang);
}

fn indented_lines(text: &str) -> String {
    display::escape_composed_lines(text).collect::<Vec<_>>().join("\n  ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terminal_output_is_harmless_json() {
        let value = serde_json::json!({ "a": "\u{1b}[2J\u{9b}2J\u{202e}\u{7f}\u{e0041}é 你好 👨\u{200d}👩\u{200d}👧" });
        let escaped = escape_controls(&value.to_string()).into_owned();
        assert_eq!(escaped.find(['\u{1b}', '\u{9b}', '\u{202e}', '\u{7f}', '\u{e0041}']), None);
        assert!(escaped.contains("\\u009b2J") && escaped.contains("é 你好"), "{escaped}");
        assert_eq!(serde_json::from_str::<serde_json::Value>(&escaped).unwrap(), value);
        assert!(matches!(escape_controls("a\nb 👨\u{200d}👩\n"), Cow::Borrowed(_)));
    }
}
