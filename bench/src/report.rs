//! The page of figures, `docs/performance.md`: every row at rest and while a compiler runs, in one go.

mod words;

use crate::load::{Compiler, root};
use crate::rows::GROUPS;
use crate::table::{Measured, Table, did_not_run};
use crate::{Wanted, machine};
use anyhow::{Context as _, ensure};
use serde::{Deserialize, Serialize};
use std::fmt::Write as _;
use std::time::{Duration, Instant};

/// The page that is kept with the source.
const PAGE: &str = "docs/performance.md";

/// Idle share of the processors from which a machine counts as at rest, in per cent.
const REST: f64 = 80.0;

/// Figures, and the machine on which they were measured.
#[derive(Serialize, Deserialize)]
struct Page {
    facts: Vec<(String, String)>,
    /// Idle share of the processors before the run, in per cent.
    idle: Option<f64>,
    day: String,
    commit: String,
    rest: Table,
    loaded: Table,
    took: Duration,
    /// True if it had fewer repetitions, to try the bench itself.
    #[serde(default)]
    quick: bool,
}

/// Measures everything twice and writes the page. A try (quick, or not all rows) goes to `target/` instead.
///
/// # Errors
/// When something cannot be written, or a row did not run; what did is in the page all the same.
pub(crate) fn make(wanted: &Wanted<'_>) -> anyhow::Result<()> {
    let start = Instant::now();
    let (day, commit) = (machine::day(), machine::commit());
    let (facts, idle) = (machine::facts(&std::env::temp_dir()), machine::idle().ok());
    let rest = wanted.measure(false)?;
    let loaded = with_compiler(wanted)?;
    let failures: Vec<_> = rest.failures.iter().chain(&loaded.failures).cloned().collect();
    let (took, quick) = (start.elapsed(), wanted.quick);
    let page = Page { facts, idle, day, commit, rest, loaded, took, quick };
    std::fs::write(root().join(kept(wanted)), serde_json::to_vec(&page)?)?;
    page.write(wanted)?;
    ensure!(failures.is_empty(), "rows that did not run: {}", failures.join("; "));
    Ok(())
}

/// Measures while a compiler runs. Without one that column of the page stays empty.
fn with_compiler(wanted: &Wanted<'_>) -> anyhow::Result<Table> {
    let mut table = Table::default();
    match Compiler::start() {
        Ok(compiler) => {
            table = wanted.measure(true)?;
            table.failures.extend(compiler.end().err().map(|error| format!("the compiler: {error:#}")));
        }
        Err(error) => table.failures.push(format!("the compiler {}", did_not_run(&error))),
    }
    Ok(table)
}

/// Writes the page of the last run again: its words may have changed.
///
/// # Errors
/// When there was no such run.
pub(crate) fn again(wanted: &Wanted<'_>) -> anyhow::Result<()> {
    let kept = kept(wanted);
    let text = std::fs::read(root().join(kept)).with_context(|| format!("no run is kept in {kept}"))?;
    serde_json::from_slice::<Page>(&text)?.write(wanted)
}

/// File with the figures of a run.
fn kept(wanted: &Wanted<'_>) -> &'static str {
    if wanted.is_whole() { "target/performance.json" } else { "target/performance-tried.json" }
}

impl Page {
    fn write(&self, wanted: &Wanted<'_>) -> anyhow::Result<()> {
        let place = if wanted.is_whole() { PAGE } else { "target/performance.md" };
        std::fs::write(root().join(place), self.render())?;
        println!("{place}, of a run of {:.0?}", self.took);
        Ok(())
    }

    fn render(&self) -> String {
        let mut text = String::from(words::BEGINNING);
        self.machine(&mut text);
        for group in GROUPS {
            let names: Vec<_> = group.rows.iter().map(|(name, _)| *name).collect();
            let rows: Vec<_> =
                self.rest.rows.iter().filter(|row| names.contains(&row.name.as_str())).collect();
            if !rows.is_empty() {
                // Writing to a String cannot fail, here and below.
                let _ = write!(text, "\n## {}\n\n{}", group.question, words::HEAD);
                rows.iter().for_each(|row| self.row(&mut text, row));
            }
        }
        self.not_run(&mut text);
        text
    }

    fn machine(&self, text: &mut String) {
        let minutes = self.took.as_secs_f64() / 60.0;
        let Self { day, commit, .. } = self;
        let versions: Vec<_> = self.rest.versions.iter().map(String::as_str).collect();
        let _ = writeln!(text, "| | |\n|---|---|\n| Run | {day}, commit {commit}, {minutes:.0} minutes |");
        for (name, words) in &self.facts {
            let _ = writeln!(text, "| {name} | {words} |");
        }
        if let Some(idle) = self.idle {
            let _ = writeln!(text, "| Before the run | processors {idle:.0} % idle |");
        }
        let _ = writeln!(text, "| Peers | {} |", versions.join(", "));
        if self.quick {
            text.push_str(words::TRIED);
        }
        if self.idle.is_some_and(|idle| idle < REST) {
            text.push_str(words::BUSY);
        }
    }

    fn row(&self, text: &mut String, row: &Measured) {
        let same = self.loaded.rows.iter().find(|other| other.what == row.what);
        let loaded = same.map_or_else(String::new, Measured::ratio);
        let _ = writeln!(text, "| {} | {} | {loaded} | {} |", row.what, row.ratio(), row.figures());
    }

    fn not_run(&self, text: &mut String) {
        let failures = self.rest.failures.iter().chain(&self.loaded.failures);
        let mut lines = failures.chain(&self.rest.missing_peers).peekable();
        if lines.peek().is_some() {
            text.push_str("\n## Not run\n\n");
        }
        for line in lines {
            let _ = writeln!(text, "- {line}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Page;
    use crate::rows;
    use crate::table::{Quantity, Reference, Table};
    use std::collections::BTreeSet;
    use std::time::Duration;

    fn page(rest: Table, loaded: Table) -> String {
        let [day, commit] = ["2026-11-22", "0123456789"].map(str::to_owned);
        let took = Duration::from_secs(60);
        Page { facts: Vec::new(), idle: None, day, commit, rest, loaded, took, quick: false }.render()
    }

    fn table(micros: u64) -> Table {
        let mut table = Table::default();
        table.begin("visible");
        let [own, floor] = [micros, 200].map(|micros| Quantity::Time(Duration::from_micros(micros)));
        table.row("an ask", own, vec![Reference::new("raw", floor)]);
        table
    }

    #[test]
    fn row_shows_both_ratios() {
        let text = page(table(300), table(600));
        assert!(text.contains("| an ask | 1.5 × raw | 3.0 × raw | 300.00 µs | raw 200.00 µs |"), "{text}");
    }

    #[test]
    fn failed_row_keeps_the_others() {
        let mut rest = table(300);
        rest.failed(&anyhow::anyhow!("no desk"));
        let text = page(rest, Table::default());
        assert!(text.contains("| an ask | 1.5 × raw |  |"), "{text}");
        assert!(text.ends_with("\n- visible did not run: no desk\n"), "{text}");
    }

    #[test]
    fn row_names_are_unique() {
        let names: Vec<_> = rows::all().map(|(name, _)| *name).collect();
        assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len());
    }
}
