//! Measures what users wait for, as a ratio to a floor or a peer of the same run: `cargo xtask bench`.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a benchmark talks to whoever runs it")]

mod figures;
mod floor;
mod held_requests;
mod http_client;
pub(crate) mod load;
mod machine;
mod others;
mod peer;
mod report;
mod request;
mod rows;
mod table;
pub(crate) mod terminal;
mod workload;

use anyhow::{Context as _, bail, ensure};
use sayso_desk::StoreDesk;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::Instant;
use table::{Quantity, Reference, Table};

/// Context of every row.
#[derive(Debug)]
struct Run {
    /// The program that is measured.
    sayso: PathBuf,
    /// A folder of its own for desks.
    folder: tempfile::TempDir,
    /// Fewer repetitions, to try the bench itself.
    quick: bool,
    /// Leave out the peers in other languages.
    alone: bool,
    /// A compiler is at work all the time.
    loaded: bool,
}

impl Run {
    fn times(&self, usual: usize) -> usize {
        match self {
            Self { quick: true, .. } => (usual / 20).max(5),
            // Everything takes longer there.
            Self { loaded: true, .. } => usual / 3,
            _ => usual,
        }
    }

    /// Measures a peer, or notes why it did not run. A run without peers has none.
    fn peer(
        &self,
        table: &mut Table,
        name: &str,
        measure: impl FnOnce(&mut Table) -> anyhow::Result<Quantity>,
    ) -> Option<Reference> {
        if self.alone {
            return None;
        }
        match measure(table) {
            Ok(quantity) => Some(Reference::new(name, quantity)),
            Err(error) => {
                table.peer_failed(name, &error);
                None
            }
        }
    }
}

/// Options of the command line.
#[derive(Debug)]
struct Wanted<'a> {
    program: &'a Path,
    quick: bool,
    alone: bool,
    /// Everything twice, at rest and while a compiler runs, for the page.
    report: bool,
    /// Only the page, of the figures that were kept.
    render: bool,
    rows: Vec<&'a str>,
}

fn main() -> anyhow::Result<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    if let ["peer", role, rest @ ..] = words.as_slice() {
        return peer::run(role, rest);
    }
    let wanted = Wanted::read(&words)?;
    if wanted.report {
        return report::make(&wanted);
    }
    if wanted.render {
        return report::again(&wanted);
    }
    let table = wanted.measure(false)?;
    println!("{}", table.render());
    ensure!(table.failures.is_empty(), "rows that did not run: {}", table.failures.join("; "));
    Ok(())
}

impl<'a> Wanted<'a> {
    fn read(words: &[&'a str]) -> anyhow::Result<Self> {
        const USAGE: &str = "bench PROGRAM [--quick] [--no-peers] [--report | --render] [ROW …]";
        let (program, words) = words.split_first().with_context(|| format!("which program? {USAGE}"))?;
        let (switches, rows): (Vec<&str>, Vec<&str>) = words.iter().partition(|word| word.starts_with("--"));
        let known = ["--quick", "--no-peers", "--report", "--render"];
        let unknown = switches.iter().find(|word| !known.contains(word));
        let unknown = unknown.or_else(|| rows.iter().find(|word| rows::all().all(|(name, _)| name != *word)));
        ensure!(unknown.is_none(), "`{}` is not understood: {USAGE}", unknown.unwrap_or(&""));
        let has = |switch| switches.contains(&switch);
        let [quick, alone] = [has("--quick"), has("--no-peers")];
        let [report, render] = [has("--report"), has("--render")];
        Ok(Self { program: Path::new(*program), quick, alone, report, render, rows })
    }

    fn is_whole(&self) -> bool {
        self.rows.is_empty() && !self.quick && !self.alone
    }

    /// Measures all rows that are wanted, one after another. One that fails says so in its place.
    fn measure(&self, loaded: bool) -> anyhow::Result<Table> {
        let sayso = std::fs::canonicalize(self.program)
            .with_context(|| format!("no program {}", self.program.display()))?;
        // Next to a compiler peers would take long and show nothing new.
        let alone = self.alone || loaded;
        let run = Run { sayso, folder: tempfile::tempdir()?, quick: self.quick, alone, loaded };
        // Programs find a desk that has been there for a while.
        for name in ["mcp-conversation", "prompt", "hooks"] {
            StoreDesk::open(&rows::commands::home(&run, name)?.join("desk.db"))?;
        }
        let start = Instant::now();
        let mut table = Table::default();
        let is_wanted = |name: &&str| self.rows.is_empty() || self.rows.contains(name);
        let count = rows::all().filter(|(name, _)| is_wanted(name)).count();
        for (number, (name, row)) in rows::all().filter(|(name, _)| is_wanted(name)).enumerate() {
            let mode = if loaded { ", with a compiler" } else { "" };
            eprintln!("… {name} ({} of {count}{mode}, {:.0?})", number + 1, start.elapsed());
            table.begin(name);
            let measured = catch_unwind(AssertUnwindSafe(|| row(&run, &mut table)));
            if let Err(error) = measured.unwrap_or_else(|_| bail!("it panicked")) {
                table.failed(&error);
            }
        }
        Ok(table)
    }
}
