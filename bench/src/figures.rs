//! Times, and how they are written.

use crate::table::Quantity;
use std::time::{Duration, Instant, SystemTime};

/// Repetitions of a short operation for one sample.
pub(crate) const BATCH: u32 = 200;

/// Durations of one thing done often.
#[derive(Debug, Default)]
pub(crate) struct Times(Vec<Duration>);

impl Times {
    /// Does something `count` times and takes the time of each.
    pub(crate) fn of(count: usize, mut work: impl FnMut() -> anyhow::Result<()>) -> anyhow::Result<Self> {
        let mut times = Self::default();
        for _ in 0..count {
            times.take(&mut work)?;
        }
        Ok(times)
    }

    /// Does something and takes its time.
    pub(crate) fn take(&mut self, work: impl FnOnce() -> anyhow::Result<()>) -> anyhow::Result<()> {
        let start = Instant::now();
        work()?;
        self.push(start.elapsed());
        Ok(())
    }

    /// Takes the mean time of a batch, as often as samples are wanted.
    pub(crate) fn batched(
        samples: usize,
        mut work: impl FnMut() -> anyhow::Result<()>,
    ) -> anyhow::Result<Self> {
        let mut times = Self::default();
        for _ in 0..samples {
            let start = Instant::now();
            for _ in 0..BATCH {
                work()?;
            }
            times.push(start.elapsed() / BATCH);
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

    /// Returns median and 99th percentile in words, with the number of runs.
    pub(crate) fn shown(&self) -> String {
        let time = |time| Quantity::Time(time).to_string();
        format!("{} · p99 {} (n={})", time(self.median()), time(self.at(990)), self.0.len())
    }
}

/// A duration in microseconds with two digits after the point.
pub(crate) fn micros(time: Duration) -> String {
    format!("{:.2} µs", time.as_secs_f64() * 1e6)
}

/// A duration in milliseconds with three digits after the point.
pub(crate) fn millis(time: Duration) -> String {
    format!("{:.3} ms", time.as_secs_f64() * 1_000.0)
}

/// Number in a second.
#[expect(clippy::cast_precision_loss, reason = "counts of a bench are small")]
pub(crate) fn per_second(count: usize, time: Duration) -> f64 {
    count as f64 / time.as_secs_f64()
}

/// Returns the time.
#[expect(clippy::disallowed_methods, reason = "the clock that two processes read alike")]
pub(crate) fn now() -> SystemTime {
    SystemTime::now()
}

/// Returns the time in nanoseconds since 1970.
pub(crate) fn now_nanos() -> anyhow::Result<u64> {
    Ok(u64::try_from(now().duration_since(SystemTime::UNIX_EPOCH)?.as_nanos())?)
}
