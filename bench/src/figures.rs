//! Times and tables.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

/// Durations of one thing done often.
#[derive(Debug, Default)]
pub(crate) struct Times(Vec<Duration>);

impl Times {
    /// Does something `count` times and takes the time of each.
    pub(crate) fn of(count: usize, mut work: impl FnMut() -> anyhow::Result<()>) -> anyhow::Result<Self> {
        let mut times = Self::default();
        for _ in 0..count {
            let start = Instant::now();
            work()?;
            times.push(start.elapsed());
        }
        Ok(times)
    }

    pub(crate) fn push(&mut self, time: Duration) {
        self.0.push(time);
    }

    /// The time that this part of all, in thousandths, does not exceed.
    pub(crate) fn at(&self, thousandths: usize) -> Duration {
        let mut sorted = self.0.clone();
        sorted.sort_unstable();
        let place = (sorted.len() * thousandths / 1_000).min(sorted.len().saturating_sub(1));
        sorted.get(place).copied().unwrap_or_default()
    }

    pub(crate) fn median(&self) -> Duration {
        self.at(500)
    }

    /// Median and 99th percentile, with the number of runs.
    pub(crate) fn shown(&self) -> String {
        format!("{} · p99 {} (n={})", millis(self.median()), millis(self.at(990)), self.0.len())
    }
}

/// A duration in milliseconds with three digits after the point.
pub(crate) fn millis(time: Duration) -> String {
    format!("{:.3} ms", time.as_secs_f64() * 1_000.0)
}

/// The rows so far.
#[derive(Debug, Default)]
pub(crate) struct Table(Vec<[String; 4]>);

impl Table {
    pub(crate) fn row(
        &mut self,
        what: &str,
        measured: impl Into<String>,
        target: &str,
        floor: impl Into<String>,
    ) {
        let row = [what.to_owned(), measured.into(), target.to_owned(), floor.into()];
        eprintln!("  {}", row.join(" | "));
        self.0.push(row);
    }

    /// The table as Markdown.
    pub(crate) fn render(&self) -> String {
        let mut text =
            String::from("| what | measured (median) | target | floor, same run |\n|---|---|---|---|\n");
        for row in &self.0 {
            // Writing to a String cannot fail.
            let _ = writeln!(text, "| {} |", row.join(" | "));
        }
        text
    }
}
