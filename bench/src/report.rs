//! The page of figures, `docs/performance.md`: every row at rest and beside a compiler, in one go.

mod figure;
mod losses;
mod pictures;
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

/// The folder of its pictures.
const PICTURES: &str = "docs/performance";

/// From how many per cent on a machine is taken to rest.
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
    /// The page before this one.
    #[serde(default)]
    earlier: String,
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
    let loaded = beside_a_compiler(wanted)?;
    let failures: Vec<_> = rest.failures.iter().chain(&loaded.failures).cloned().collect();
    let earlier = std::fs::read_to_string(root().join(PAGE)).unwrap_or_default();
    let (took, quick) = (start.elapsed(), wanted.quick);
    let page = Page { facts, idle, day, commit, rest, loaded, took, quick, earlier };
    std::fs::write(root().join(kept(wanted)), serde_json::to_vec(&page)?)?;
    page.write(wanted)?;
    ensure!(failures.is_empty(), "rows that did not run: {}", failures.join("; "));
    Ok(())
}

/// Measures beside a compiler. Without one that half of the page stays empty, and says why.
fn beside_a_compiler(wanted: &Wanted<'_>) -> anyhow::Result<Table> {
    let mut table = Table::default();
    match Compiler::start() {
        Ok(compiler) => {
            table = wanted.measure(true)?;
            table.failures.extend(compiler.end().err().map(|error| format!("beside a compiler: {error:#}")));
        }
        Err(error) => table.failures.push(format!("beside a compiler: {}", did_not_run(&error))),
    }
    Ok(table)
}

/// Writes the page of the last run anew: what people write for it may have changed.
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
        if wanted.is_whole() {
            std::fs::create_dir_all(root().join(PICTURES))?;
            for picture in &pictures::PICTURES {
                std::fs::write(root().join(PICTURES).join(picture.file), picture.draw(&self.rest.rows))?;
            }
        }
        println!("{place}, of a run of {:.0?}", self.took);
        Ok(())
    }

    fn render(&self) -> String {
        let mut text = String::from(words::TITLE);
        for pictures::Picture { file, caption, .. } in &pictures::PICTURES {
            let _ = writeln!(text, "![{caption}](performance/{file})\n");
        }
        text.push_str(words::BEGINNING);
        self.machine(&mut text);
        for group in GROUPS {
            let names: Vec<_> = group.rows.iter().map(|(name, _)| *name).collect();
            let rows: Vec<_> =
                self.rest.rows.iter().filter(|row| names.contains(&row.name.as_str())).collect();
            if !rows.is_empty() {
                text.push_str(&format!("\n## {}\n\n{}\n\n{}", group.question, group.about, words::HEAD));
                rows.iter().for_each(|row| self.row(&mut text, row));
            }
        }
        self.missed(&mut text);
        text.push_str(&losses::list(&self.rest.rows, &self.earlier));
        text.push_str(words::NOT_RUN);
        for failure in self.rest.failures.iter().chain(&self.loaded.failures) {
            let _ = writeln!(text, "- {failure}");
        }
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
            let _ = writeln!(text, "- {} ({target}: {verdict}): {}", row.what, words::why(&row.name));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Page, words};
    use crate::rows;
    use crate::table::{Table, Target};
    use std::collections::BTreeSet;
    use std::time::Duration;

    fn page(rest: Table, loaded: Table) -> String {
        let [day, commit] = ["2026-11-22", "0123456789"].map(str::to_owned);
        Page {
            facts: Vec::new(),
            idle: None,
            day,
            commit,
            rest,
            loaded,
            took: Duration::from_secs(60),
            quick: false,
            earlier: String::new(),
        }
        .render()
    }

    #[test]
    fn a_row_shows_both_modes_its_target_and_why_it_was_missed() {
        let (mut rest, mut loaded) = (Table::default(), Table::default());
        rest.begin("visible");
        rest.row("an ask", "0.4 ms", Target::at_most("≤ 0.3 ms", 0.4, 0.3), "raw 0.1 ms");
        rest.row("another", "0.2 ms", Target::at_most("≤ 0.3 ms", 0.2, 0.3), "");
        loaded.row("an ask", "4.1 ms", Target::none(), "raw 4 ms");
        let text = page(rest, loaded);
        let row = "| an ask | 0.4 ms | 4.1 ms | ≤ 0.3 ms | missed, 1.33 × | raw 0.1 ms<br>beside a compiler: raw 4 ms |";
        assert!(text.contains(row), "{text}");
        assert!(text.contains("| another | 0.2 ms |  | ≤ 0.3 ms | met |  |"), "{text}");
        assert!(text.contains("1 of 2 rows with a target met it."), "{text}");
        assert!(text.contains("- an ask (≤ 0.3 ms: missed, 1.33 ×): "), "{text}");
        assert!(!text.contains("- another"), "{text}");
    }

    #[test]
    fn a_row_that_fails_is_in_the_page_and_the_rest_too() {
        let mut rest = Table::default();
        rest.begin("visible");
        rest.failed(&anyhow::anyhow!("no desk"));
        rest.row("another", "0.2 ms", Target::none(), "");
        let text = page(rest, Table::default());
        assert!(text.contains("| `visible` | did not run: no desk |"), "{text}");
        assert!(text.contains("| another | 0.2 ms |"), "{text}");
        assert!(text.ends_with("\n- visible: did not run: no desk\n"), "{text}");
    }

    #[test]
    fn rows_have_names_of_their_own_and_reasons_are_those_of_rows() {
        let names: Vec<_> = rows::all().map(|(name, _)| *name).collect();
        assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len());
        for (name, _) in words::REASONS {
            assert!(names.contains(name), "{name} is no row");
        }
    }
}
