//! Where a command prints: data to standard output, everything else to standard error.

use crate::exit::Exit;
use sayso_core::message::Text;
use sayso_core::{Lang, Problem, display};
use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::{self, IsTerminal as _, Write};

/// The name and version of the program.
pub(crate) const VERSION: &str = concat!("sayso ", env!("CARGO_PKG_VERSION"));

/// Prints data and makes sure that it is out.
///
/// # Errors
/// How the command ends where nobody reads it any more, or it cannot be written.
pub(crate) fn data(text: &str) -> Result<(), Exit> {
    write_out(text).map_err(|error| match error.kind() {
        io::ErrorKind::BrokenPipe => Exit::Unread,
        _ => Exit::Unwritten,
    })
}

/// Prints data that nothing hangs on, and says how the command ends by that: whoever has read enough of it, as `head` has,
/// makes no error of it.
#[must_use]
pub(crate) fn print(text: &str) -> Exit {
    match data(text) {
        Ok(()) | Err(Exit::Unread) => Exit::Done,
        Err(exit) => exit,
    }
}

/// A terminal gets it in characters that cannot steer it.
fn write_out(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    let text = if out.is_terminal() { harmless(text) } else { Cow::Borrowed(text) };
    out.write_all(text.as_bytes())?;
    if !text.is_empty() && !text.ends_with('\n') {
        out.write_all(b"\n")?;
    }
    out.flush()
}

/// The same data with what would steer a terminal escaped as JSON does it: in JSON it means the same, and in answers as
/// text a person sees what stands there.
fn harmless(text: &str) -> Cow<'_, str> {
    let is_harmless = |part: &str| part.split('\n').all(|line| display::line(line) == line);
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
            // Writing to a String cannot fail.
            let _ = write!(escaped, "\\u{unit:04x}");
        }
    }
    Cow::Owned(escaped)
}

/// Whether a person sees what is printed.
pub(crate) fn is_terminal() -> bool {
    io::stdout().is_terminal()
}

/// Says something to whoever runs the command. Nobody listening is no reason to fail.
pub(crate) fn say(text: &str) {
    let mut out = io::stderr().lock();
    let _ = writeln!(out, "{text}");
}

/// Says words that may come from an agent or another person: as they are to a program, safely to a terminal.
pub(crate) fn say_safely(text: &str) {
    if io::stderr().is_terminal() {
        say(&display::lines(text).collect::<Vec<_>>().join("\n"));
    } else {
        say(text);
    }
}

/// Says what went wrong. Words that came from a request show safely.
pub(crate) fn complain(problem: &Problem, lang: Lang) {
    let mut lines = problem.lines(lang).into_iter();
    if let Some(first) = lines.next() {
        say(&format!("sayso: {}", shown(&first)));
    }
    for line in lines {
        say(&format!("  {}", shown(&line)));
    }
}

/// Says what is odd with what was given, and where.
pub(crate) fn warn(problem: &Problem, lang: Lang) {
    let place = problem.path.bracketed();
    let place = if place.is_empty() { String::new() } else { format!("{place}: ") };
    let words = Text::Verbatim(format!("{place}{}", problem.message.render(lang)));
    complain(&Problem { message: words, ..problem.clone() }, lang);
}

fn shown(text: &str) -> String {
    display::lines(text).collect::<Vec<_>>().join("\n  ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_on_a_terminal_is_the_same_json_without_what_would_steer_it() {
        let value = serde_json::json!({ "a": "\u{1b}[2J\u{9b}2J\u{202e}\u{7f}\u{e0041}é 你好 👨\u{200d}👩\u{200d}👧" });
        let shown = harmless(&value.to_string()).into_owned();
        assert_eq!(shown.find(['\u{1b}', '\u{9b}', '\u{202e}', '\u{7f}', '\u{e0041}']), None);
        assert!(shown.contains("\\u009b2J") && shown.contains("é 你好"), "{shown}");
        assert_eq!(serde_json::from_str::<serde_json::Value>(&shown).unwrap(), value);
        assert!(matches!(harmless("a\nb 👨\u{200d}👩\n"), Cow::Borrowed(_)));
    }
}
