//! The page of figures, `docs/performance.md`: every row at rest and beside a compiler, in one go.

mod words;

use crate::load::{Compiler, root};
use crate::rows::GROUPS;
use crate::table::{Measured, Table};
use crate::{Wanted, machine};
use anyhow::ensure;
use std::fmt::Write as _;
use std::time::{Duration, Instant};

/// What was measured, and on what.
struct Page {
    facts: Vec<(&'static str, String)>,
    day: String,
    commit: String,
    rest: Table,
    loaded: Table,
    took: Duration,
}

/// Measures everything twice and writes the page. A try (quick, or not all rows) goes to `target/` instead.
///
/// # Errors
/// When something cannot be written, or a row did not run; what did is in the page all the same.
pub(crate) fn make(wanted: &Wanted<'_>) -> anyhow::Result<()> {
    let start = Instant::now();
    let (day, commit) = (machine::day(), machine::commit());
    let facts = machine::facts(&std::env::temp_dir());
    let rest = wanted.measure(false)?;
    let compiler = Compiler::start()?;
    let loaded = wanted.measure(true)?;
    let ended = compiler.end();
    let failures: Vec<_> = rest.failures.iter().chain(&loaded.failures).cloned().collect();
    let page = Page { facts, day, commit, rest, loaded, took: start.elapsed() };
    let place = if wanted.is_whole() { "docs/performance.md" } else { "target/performance.md" };
    std::fs::write(root().join(place), page.render())?;
    println!("{place}, after {:.0?}", page.took);
    ended?;
    ensure!(failures.is_empty(), "rows that did not run: {}", failures.join("; "));
    Ok(())
}

impl Page {
    fn render(&self) -> String {
        let mut text = String::from(words::BEGINNING);
        self.machine(&mut text);
        for group in GROUPS {
            let names: Vec<_> = group.rows.iter().map(|(name, _)| *name).collect();
            let rows: Vec<_> = self.rest.rows.iter().filter(|row| names.contains(&row.name)).collect();
            if !rows.is_empty() {
                text.push_str(&format!("\n## {}\n\n{}\n\n{}", group.question, group.about, words::HEAD));
                rows.iter().for_each(|row| self.row(&mut text, row));
            }
        }
        self.missed(&mut text);
        text.push_str(words::NOT_RUN);
        text
    }

    fn machine(&self, text: &mut String) {
        let minutes = self.took.as_secs_f64() / 60.0;
        let Self { day, commit, .. } = self;
        let versions: Vec<_> = self.rest.versions.iter().map(String::as_str).collect();
        // Writing to a String cannot fail, here and below.
        let _ = writeln!(text, "| | |\n|---|---|\n| Run | {day}, commit {commit}, {minutes:.0} minutes |");
        for (name, words) in &self.facts {
            let _ = writeln!(text, "| {name} | {words} |");
        }
        let _ = writeln!(text, "| Peers | {} |", versions.join(", "));
    }

    fn row(&self, text: &mut String, row: &Measured) {
        let same = self.loaded.rows.iter().find(|other| other.what == row.what);
        let loaded = same.map_or("", |other| &other.figures);
        let mut beside = row.beside.clone();
        if let Some(other) = same.filter(|other| !other.beside.is_empty()) {
            let _ = write!(beside, "<br>beside a compiler: {}", other.beside);
        }
        let (target, verdict) = (row.target.words(), row.target.verdict());
        let _ =
            writeln!(text, "| {} | {} | {loaded} | {target} | {verdict} | {beside} |", row.what, row.figures);
    }

    fn missed(&self, text: &mut String) {
        let judged = self.rest.rows.iter().filter(|row| !row.target.verdict().is_empty()).count();
        let missed: Vec<_> = self.rest.rows.iter().filter(|row| row.target.is_missed()).collect();
        let _ = writeln!(text, "\n## What missed its target, and why\n");
        let _ = writeln!(text, "{} of {judged} rows with a target met it.", judged - missed.len());
        if !missed.is_empty() {
            text.push('\n');
        }
        for row in missed {
            let (target, verdict) = (row.target.words(), row.target.verdict());
            let _ = writeln!(text, "- {} ({target}: {verdict}): {}", row.what, words::why(row.name));
        }
    }
}
