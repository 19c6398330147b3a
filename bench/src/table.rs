//! The rows of a run, each with its floor and peers.

use crate::figures::{Times, micros, millis};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fmt::{self, Write as _};
use std::time::Duration;

/// Measured value of a row, its floor or a peer. Of a rate more is better, of the others less.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) enum Quantity {
    Time(Duration),
    /// Memory in bytes.
    Memory(u64),
    /// Number in a second.
    Rate(f64),
}

impl Quantity {
    /// Returns how many times the cost of another one this is; `None` if they cannot be compared.
    fn cost_ratio(self, other: Self) -> Option<f64> {
        let (own, other) = match (self, other) {
            (Self::Time(own), Self::Time(other)) => (own.as_secs_f64(), other.as_secs_f64()),
            // Both are far below 2^53.
            (Self::Memory(own), Self::Memory(other)) => (own as f64, other as f64),
            (Self::Rate(own), Self::Rate(other)) => (other, own),
            _ => return None,
        };
        (other > 0.0).then(|| own / other)
    }
}

impl fmt::Display for Quantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Time(time) if *time < Duration::from_millis(1) => f.write_str(&micros(*time)),
            Self::Time(time) => f.write_str(&millis(*time)),
            // Far below 2^53.
            Self::Memory(bytes) => write!(f, "{:.1} kB", *bytes as f64 / 1e3),
            Self::Rate(rate) => write!(f, "{rate:.0} a second"),
        }
    }
}

/// Floor or peer of a row, measured in the same run.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Reference {
    name: String,
    quantity: Quantity,
}

impl Reference {
    pub(crate) fn new(name: impl Into<String>, quantity: Quantity) -> Self {
        Self { name: name.into(), quantity }
    }

    /// Returns the reference with the median of these times.
    pub(crate) fn from_times(name: &str, times: &Times) -> Self {
        Self::new(name, Quantity::Time(times.median()))
    }
}

/// One thing that was measured.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Measured {
    /// The name of the row as it is called on the command line.
    pub(crate) name: String,
    pub(crate) what: String,
    quantity: Quantity,
    /// The quantity in words, with its spread if it has one.
    figures: String,
    /// The floor, or else the fastest peer, comes first: the row is compared with that.
    references: Vec<Reference>,
}

impl Measured {
    /// Returns the ratio to the floor or the fastest peer, in words.
    pub(crate) fn ratio(&self) -> String {
        let Some(reference) = self.references.first() else { return String::new() };
        let Some(ratio) = self.quantity.cost_ratio(reference.quantity) else { return String::new() };
        if ratio < 1.0 && !matches!(self.quantity, Quantity::Memory(_)) {
            return format!("{:.1} × as fast as {}", ratio.recip(), reference.name);
        }
        format!("{ratio:.1} × {}", reference.name)
    }

    /// Returns what was measured and what it is compared with, as two cells.
    pub(crate) fn figures(&self) -> String {
        let references = self.references.iter().map(|one| format!("{} {}", one.name, one.quantity));
        format!("{} | {}", self.figures, references.collect::<Vec<_>>().join("; "))
    }
}

/// The rows so far, and what ran next to us.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Table {
    pub(crate) rows: Vec<Measured>,
    pub(crate) versions: BTreeSet<String>,
    /// Rows that did not run, with the reasons.
    pub(crate) failures: Vec<String>,
    /// Peers that did not run, with the reasons.
    pub(crate) missing_peers: BTreeSet<String>,
    name: String,
}

impl Table {
    /// Begins the row of this name.
    pub(crate) fn begin(&mut self, name: &str) {
        name.clone_into(&mut self.name);
    }

    /// Adds a quantity and what it is compared with.
    pub(crate) fn row(&mut self, what: &str, quantity: Quantity, references: Vec<Reference>) {
        self.push(what, quantity, quantity.to_string(), references);
    }

    /// Adds times and what they are compared with.
    pub(crate) fn times(&mut self, what: &str, times: &Times, references: Vec<Reference>) {
        self.push(what, Quantity::Time(times.median()), times.shown(), references);
    }

    fn push(&mut self, what: &str, quantity: Quantity, figures: String, references: Vec<Reference>) {
        let (name, what) = (self.name.clone(), what.to_owned());
        let row = Measured { name, what, quantity, figures, references };
        eprintln!("  {} | {} | {}", row.what, row.ratio(), row.figures());
        self.rows.push(row);
    }

    /// Notes that a row came to nothing, and why.
    pub(crate) fn failed(&mut self, error: &anyhow::Error) {
        eprintln!("  {error:#}");
        self.failures.push(format!("{} {}", self.name, did_not_run(error)));
    }

    /// Notes that a peer did not run, and why.
    pub(crate) fn peer_failed(&mut self, peer: &str, error: &anyhow::Error) {
        eprintln!("  {peer}: {error:#}");
        self.missing_peers.insert(format!("{peer} {}", did_not_run(error)));
    }

    /// Notes the version of something that a row was compared with.
    pub(crate) fn version(&mut self, version: &str) {
        self.versions.insert(version.to_owned());
    }

    /// Returns the table as Markdown.
    pub(crate) fn render(&self) -> String {
        let mut text =
            String::from("| what | ratio | measured | floor and peers, same run |\n|---|---|---|---|\n");
        for row in &self.rows {
            // Writing to a String cannot fail.
            let _ = writeln!(text, "| {} | {} | {} |", row.what, row.ratio(), row.figures());
        }
        text
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

#[cfg(test)]
mod tests {
    use super::{Quantity, Reference, Table, did_not_run};
    use std::time::Duration;

    fn ratio(own: Quantity, reference: Quantity) -> String {
        let mut table = Table::default();
        table.row("an ask", own, vec![Reference::new("raw", reference)]);
        table.rows[0].ratio()
    }

    #[test]
    fn ratio_compares_with_the_first_reference() {
        let micros = |micros| Quantity::Time(Duration::from_micros(micros));
        assert_eq!(ratio(micros(450), micros(300)), "1.5 × raw");
        assert_eq!(ratio(micros(100), micros(1_000)), "10.0 × as fast as raw");
        assert_eq!(ratio(Quantity::Rate(50.0), Quantity::Rate(100.0)), "2.0 × raw");
        assert_eq!(ratio(Quantity::Memory(90), Quantity::Memory(100)), "0.9 × raw");
        assert_eq!(ratio(micros(1), Quantity::Rate(1.0)), "");
    }

    #[test]
    fn failure_fits_into_a_cell() {
        let error = anyhow::anyhow!("Traceback\n  line 3\nModuleNotFoundError: a | b\n");
        assert_eq!(did_not_run(&error), "did not run: ModuleNotFoundError: a / b");
    }
}
