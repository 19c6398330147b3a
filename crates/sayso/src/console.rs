//! Where a command prints: data to standard output, everything else to standard error.

use sayso_core::{Lang, Problem, display};
use std::io::{self, IsTerminal as _, Write};

/// Prints data and makes sure that it is out.
///
/// # Errors
/// When nobody reads it any more.
pub(crate) fn data(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    if !text.is_empty() && !text.ends_with('\n') {
        out.write_all(b"\n")?;
    }
    out.flush()
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

fn shown(text: &str) -> String {
    display::lines(text).collect::<Vec<_>>().join("\n  ")
}
