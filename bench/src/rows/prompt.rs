//! The first question on a terminal: from the start of the program until all of it is there.

use crate::figures::Times;
use crate::others::{node, pinned, python};
use crate::rows::commands::lived_in;
use crate::table::{Quantity, Reference, Table};
use crate::terminal::{END_FRAME, Shown, command, command_of};
use crate::{Run, floor, request};
use portable_pty::CommandBuilder;
use sayso_desk::{RetentionPolicy, StoreDesk};
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

/// The last words of the question.
const LAST: &[u8] = b"Production";
/// The question as the peers get it: that with which our request begins, without what they have no place for.
const QUESTION: &str =
    r#"{"prompt":"Which environment should I target first?","options":["Staging","Canary","Production"]}"#;

/// A library that asks.
struct Library {
    package: &'static str,
    runs: fn(&[&str]) -> Command,
    words: &'static [&'static str],
    /// Last bytes of its picture.
    end: &'static [u8],
}

const LIBRARIES: &[Library] = &[
    Library { package: "@clack/prompts", runs: node, words: &["prompt.mjs", "clack"], end: "└".as_bytes() },
    Library { package: "inquirer", runs: node, words: &["prompt.mjs", "inquirer"], end: b"\x1b[?25l" },
    Library { package: "questionary", runs: python, words: &["questionary_peer.py"], end: b"\x1b[?7h" },
];

/// The line prompter and the full screen.
pub(crate) fn painted(run: &Run, table: &mut Table) -> anyhow::Result<()> {
    let home = lived_in(run, "prompt")?;
    // Somebody else has the desk open too, as where several agents run.
    let other = StoreDesk::open(&home.join("desk.db"))?;
    let hello = floor::hello(run.folder.path())?;
    let floor = times(run, 200, |_| Ok(command(&hello, &home)), b"hello", b"\n")?;
    let hello = Reference::from_times("hello", &floor);
    let references = std::iter::once(hello.clone()).chain(peers(run, table, &home)).collect();
    let plain = times(run, 200, |number| asking(run, &home, &other, &["--plain"], number), LAST, b"): ")?;
    table.times("first question of `sayso ask --plain` painted, durable", &plain, references);
    let full = times(run, 200, |number| asking(run, &home, &other, &[], number), LAST, END_FRAME)?;
    table.times("the same on the full screen", &full, vec![hello]);
    Ok(())
}

/// Asks something new, so that each run has to write it down. The one before was killed; what it does for the desk when
/// it ends is done for it, else its log only grows.
fn asking(
    run: &Run,
    home: &Path,
    desk: &StoreDesk,
    switches: &[&str],
    number: usize,
) -> anyhow::Result<CommandBuilder> {
    desk.run_maintenance(RetentionPolicy::default(), Duration::MAX);
    let title = format!("Deploy plan {}{number}", switches.len());
    std::fs::write(home.join("request.json"), request::TEXT.replace("Deploy plan", &title))?;
    let mut command = command(&run.sayso, home);
    command.args(["ask", "--here"]);
    command.args(switches);
    command.arg("request.json");
    Ok(command)
}

/// Measures programs on a terminal, each from its start until these words and this end are there.
pub(crate) fn times(
    run: &Run,
    count: usize,
    command: impl Fn(usize) -> anyhow::Result<CommandBuilder>,
    words: &[u8],
    end: &[u8],
) -> anyhow::Result<Times> {
    let mut times = Times::default();
    // The first one finds nothing at hand, also not the peers' programs in the system's memory.
    for number in 0..=run.times(count) {
        let command = command(number)?;
        let mut shown = Shown::ready(&command)?;
        let start = Instant::now();
        shown.go()?;
        shown.painted(words, end)?;
        if number > 0 {
            times.push(start.elapsed());
        }
        shown.end()?;
    }
    Ok(times)
}

/// The same question by each of the libraries.
fn peers(run: &Run, table: &mut Table, home: &Path) -> Vec<Reference> {
    let paint = |table: &mut Table, library: &Library| -> anyhow::Result<Quantity> {
        let words: Vec<_> = library.words.iter().copied().chain([QUESTION]).collect();
        let script = (library.runs)(&words);
        let times = times(run, 40, |_| Ok(command_of(&script, home)), LAST, library.end)?;
        table.version(&pinned(library.package)?);
        Ok(Quantity::Time(times.median()))
    };
    let measured =
        LIBRARIES.iter().map(|library| run.peer(table, library.package, |table| paint(table, library)));
    measured.flatten().collect()
}
