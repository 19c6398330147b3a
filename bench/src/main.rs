//! Measures what users wait for, beside the floor of the machine in the same run: `cargo xtask bench`.
//!
//! Each row says what was done, how often, its median and 99th percentile, the target, and the floor or the
//! peers measured beside it.
//! Nothing here passes or fails: a reader compares.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a benchmark talks to whoever runs it")]

mod commands;
mod figures;
mod floor;
mod forms;
mod http;
mod idle;
mod inbox;
mod lists;
mod mcp;
mod peer;
mod reading;
mod request;
mod threads;
mod throughput;
mod validators;
mod wakes;

use anyhow::Context as _;
use std::path::PathBuf;

/// What every row needs.
struct Run {
    /// The program that is measured.
    sayso: PathBuf,
    /// A folder of its own for desks.
    folder: tempfile::TempDir,
    /// Fewer repetitions, to try the bench itself.
    quick: bool,
    /// Leave out the peers in other languages.
    alone: bool,
}

impl Run {
    fn times(&self, usual: usize) -> usize {
        if self.quick { (usual / 20).max(5) } else { usual }
    }
}

type Row = fn(&Run, &mut figures::Table) -> anyhow::Result<()>;

const ROWS: &[(&str, Row)] = &[
    ("start", commands::start),
    ("visible", wakes::visible),
    ("answer", wakes::answer),
    ("loaded", wakes::beside_busy_loops),
    ("commands", commands::ask_and_answer),
    ("mcp", mcp::start),
    ("conversation", mcp::conversation),
    ("lists", lists::lists),
    ("inbox", inbox::first_frame),
    ("inbox-keys", inbox::key_to_frame),
    ("idle", idle::idle),
    ("mcp-idle", mcp::idle),
    ("waiting", idle::thousand_waits),
    ("requests", reading::requests),
    ("first", forms::small_form),
    ("thousand", forms::thousand_answers),
    ("questionnaire", forms::thousand_questions),
    ("changed", forms::one_changed),
    ("display", forms::displayed),
    ("one", throughput::one_after_another),
    ("many", throughput::many_at_once),
    ("http-trip", http::round_trip),
    ("http-many", http::many),
    ("http-waits", http::waits),
    ("http-million", http::million),
    ("http-slow", http::slow_clients),
    ("http-questionnaires", threads::questionnaires),
    ("thread-resume", threads::resume),
    ("thread-chunk", threads::chunk),
    ("thread-idle", threads::idle),
];

fn main() -> anyhow::Result<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    if let ["peer", role, rest @ ..] = words.as_slice() {
        return peer::run(role, rest);
    }
    let (program, words) =
        words.split_first().context("which program? bench PROGRAM [--quick] [--no-peers] [ROW …]")?;
    let quick = words.contains(&"--quick");
    let alone = words.contains(&"--no-peers");
    let chosen: Vec<&str> = words.iter().copied().filter(|word| !word.starts_with("--")).collect();
    let sayso = std::fs::canonicalize(program).with_context(|| format!("no program {program}"))?;
    let run = Run { sayso, folder: tempfile::tempdir()?, quick, alone };
    let mut table = figures::Table::default();
    for (name, row) in ROWS {
        if chosen.is_empty() || chosen.contains(name) {
            eprintln!("… {name}");
            row(&run, &mut table)?;
        }
    }
    println!("{}", table.render());
    Ok(())
}
