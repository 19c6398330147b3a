//! The rows of a run, and what each should come to.

use crate::figures::Times;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::time::Duration;

/// Target of a row.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Target {
    words: String,
    /// Measured value as a multiple of the limit: the target is met up to 1; `None` if nothing was to compare.
    ratio: Option<f64>,
}

impl Target {
    /// There is none.
    pub(crate) fn none() -> Self {
        Self::default()
    }

    /// A median that is no longer.
    pub(crate) fn median(times: &Times, limit: Duration) -> Self {
        let ratio = times.median().as_secs_f64() / limit.as_secs_f64();
        Self::of(format!("≤ {}", short(limit)), ratio)
    }

    /// A 99th percentile that is no longer.
    pub(crate) fn p99(times: &Times, limit: Duration) -> Self {
        let ratio = times.at(990).as_secs_f64() / limit.as_secs_f64();
        Self::of(format!("p99 ≤ {}", short(limit)), ratio)
    }

    /// A figure that is no larger.
    pub(crate) fn at_most(words: impl Into<String>, measured: f64, limit: f64) -> Self {
        Self::of(words, measured / limit)
    }

    /// A figure that is no smaller.
    pub(crate) fn at_least(words: impl Into<String>, measured: f64, limit: f64) -> Self {
        Self::of(words, limit / measured)
    }

    /// So many times as fast as the fastest peer, where one ran.
    pub(crate) fn faster(times: &Times, fastest: Option<Duration>, factor: f64) -> Self {
        let words = match factor {
            1.0 => "faster than the fastest peer".to_owned(),
            factor => format!("{factor} × as fast as the fastest peer"),
        };
        let ratio = fastest.map(|peer| times.median().as_secs_f64() * factor / peer.as_secs_f64());
        Self { words, ratio }
    }

    /// Memory in KiB: what is a process's own, and with what it shares.
    pub(crate) fn memory(anonymous: u64, resident: u64) -> Self {
        // Both are far below 2^53.
        let mebibytes = |kib: u64| kib as f64 / 1_024.0;
        Self::at_most("anonymous ≤ 3 MiB", mebibytes(anonymous), 3.0).and(Self::at_most(
            "resident ≤ 12 MiB",
            mebibytes(resident),
            12.0,
        ))
    }

    fn of(words: impl Into<String>, ratio: f64) -> Self {
        Self { words: words.into(), ratio: Some(ratio) }
    }

    /// Both.
    pub(crate) fn and(self, other: Self) -> Self {
        self.with(", ", other, f64::max)
    }

    /// One of both is enough.
    pub(crate) fn or(self, other: Self) -> Self {
        self.with(" or ", other, f64::min)
    }

    fn with(self, between: &str, other: Self, choose: impl Fn(f64, f64) -> f64) -> Self {
        let ratio = match (self.ratio, other.ratio) {
            (Some(one), Some(two)) => Some(choose(one, two)),
            (one, two) => one.or(two),
        };
        Self { words: [self.words, other.words].join(between), ratio }
    }

    /// The target itself, in words; none where there is none.
    pub(crate) fn words(&self) -> &str {
        &self.words
    }

    /// Returns whether it was missed.
    pub(crate) fn is_missed(&self) -> bool {
        self.ratio.is_some_and(|ratio| ratio > 1.0)
    }

    /// Met, or missed and by how much.
    pub(crate) fn verdict(&self) -> String {
        match self.ratio {
            None => String::new(),
            Some(ratio) if ratio > 1.0 => format!("missed, {ratio:.2} ×"),
            Some(_) => "met".to_owned(),
        }
    }
}

/// A limit as people say it.
fn short(limit: Duration) -> String {
    let micros = limit.as_secs_f64() * 1e6;
    // Rounded, because 0.3 ms has no exact number of seconds.
    let rounded = |value: f64| (value * 1e3).round() / 1e3;
    if micros < 100.0 { format!("{} µs", rounded(micros)) } else { format!("{} ms", rounded(micros / 1e3)) }
}

/// One thing that was measured.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Measured {
    /// The name of the row as it is called on the command line.
    pub(crate) name: String,
    pub(crate) what: String,
    pub(crate) figures: String,
    pub(crate) target: Target,
    /// The floor or the peers of the same run.
    pub(crate) beside: String,
}

/// The rows so far, and what ran beside us.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Table {
    pub(crate) rows: Vec<Measured>,
    pub(crate) versions: BTreeSet<String>,
    pub(crate) failures: Vec<String>,
    name: String,
}

impl Table {
    /// Begins the row of this name.
    pub(crate) fn begin(&mut self, name: &str) {
        name.clone_into(&mut self.name);
    }

    pub(crate) fn row(
        &mut self,
        what: &str,
        figures: impl Into<String>,
        target: Target,
        beside: impl Into<String>,
    ) {
        let (what, figures, beside) = (what.to_owned(), figures.into(), beside.into());
        let row = Measured { name: self.name.clone(), what, figures, target, beside };
        eprintln!("  {}", row.line());
        self.rows.push(row);
    }

    /// Notes that a row came to nothing, and why.
    pub(crate) fn failed(&mut self, error: &anyhow::Error) {
        eprintln!("  {error:#}");
        let why = did_not_run(error);
        self.failures.push(format!("{}: {why}", self.name));
        self.row(&format!("`{}`", self.name), why, Target::none(), "");
    }

    /// Notes the version of something that a row was compared with.
    pub(crate) fn version(&mut self, version: &str) {
        self.versions.insert(version.to_owned());
    }

    /// The table as Markdown.
    pub(crate) fn render(&self) -> String {
        let mut text = String::from(
            "| what | measured (median) | target | | floor or peers, same run |\n|---|---|---|---|---|\n",
        );
        for row in &self.rows {
            // Writing to a String cannot fail.
            let _ = writeln!(text, "| {} |", row.line());
        }
        if !self.versions.is_empty() {
            let versions: Vec<_> = self.versions.iter().map(String::as_str).collect();
            let _ = writeln!(text, "\nPeers: {}.", versions.join(", "));
        }
        text
    }
}

impl Measured {
    fn line(&self) -> String {
        [&self.what, &self.figures, self.target.words(), &self.target.verdict(), &self.beside].join(" | ")
    }
}

/// Returns the reason for which something did not run, as a cell of a table: its last output, without what would break
/// the cell.
pub(crate) fn did_not_run(error: &anyhow::Error) -> String {
    let why = format!("{error:#}");
    let last = why.lines().map(str::trim).rfind(|line| !line.is_empty()).unwrap_or_default();
    let short: String = last.chars().take(200).collect();
    format!("did not run: {}", short.replace('|', "/"))
}

/// Content of one cell.
pub(crate) fn joined<const N: usize>(parts: [String; N]) -> String {
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("; ")
}

#[cfg(test)]
mod tests {
    use super::{Target, did_not_run};
    use crate::figures::Times;
    use std::time::Duration;

    fn times(micros: u64) -> Times {
        let mut times = Times::default();
        times.push(Duration::from_micros(micros));
        times
    }

    #[test]
    fn a_target_is_said_as_people_say_it_and_judged() {
        let limit = Duration::from_micros(300);
        let exact = Target::median(&times(300), limit);
        assert_eq!((exact.words(), exact.verdict().as_str()), ("≤ 0.3 ms", "met"));
        let late = Target::median(&times(450), limit);
        assert_eq!((late.verdict().as_str(), late.is_missed()), ("missed, 1.50 ×", true));
        assert_eq!(Target::median(&times(3), Duration::from_nanos(3_500)).words(), "≤ 3.5 µs");
        assert_eq!(Target::at_least("≥ 8,000", 4e3, 8e3).verdict(), "missed, 2.00 ×");
        assert_eq!(Target::none().verdict(), "");
    }

    #[test]
    fn both_halves_have_to_be_met_or_one_of_them() {
        let (met, missed) = (|| Target::at_most("a", 1.0, 2.0), || Target::at_most("b", 3.0, 2.0));
        assert_eq!(met().and(missed()).verdict(), "missed, 1.50 ×");
        assert_eq!(met().or(missed()).verdict(), "met");
        assert_eq!(met().or(missed()).words(), "a or b");
    }

    #[test]
    fn a_peer_that_did_not_run_judges_nobody() {
        let fast = Target::median(&times(1), Duration::from_micros(2));
        assert_eq!(fast.and(Target::faster(&times(1), None, 4.5)).verdict(), "met");
        assert_eq!(Target::faster(&times(1), None, 4.5).verdict(), "");
        let peer = Some(Duration::from_micros(2));
        assert_eq!(Target::faster(&times(1), peer, 4.0).verdict(), "missed, 2.00 ×");
    }

    #[test]
    fn why_something_did_not_run_fits_into_a_cell() {
        let error = anyhow::anyhow!("Traceback\n  line 3\nModuleNotFoundError: a | b\n");
        assert_eq!(did_not_run(&error), "did not run: ModuleNotFoundError: a / b");
    }
}
