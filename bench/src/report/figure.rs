//! Figures in the cells of the page.

/// Unit of a figure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Measure {
    /// Milliseconds.
    Time,
    /// Memory, or a share of a processor.
    Cost,
    /// A rate, of which more is better.
    Rate,
}

/// The units of a page, each with its measure and its scale. A figure without one is a rate.
const UNITS: [(&str, Measure, f64); 7] = [
    ("s", Measure::Time, 1e3),
    ("ms", Measure::Time, 1.0),
    ("µs", Measure::Time, 1e-3),
    ("B", Measure::Cost, 1.0),
    ("KiB", Measure::Cost, 1.0),
    ("MiB", Measure::Cost, 1_024.0),
    ("core", Measure::Cost, 1.0),
];

/// Finds the first figure of a cell. A number within words is none.
pub(super) fn first(cell: &str) -> Option<(f64, Measure)> {
    let cell = cell.split("<br>").next().unwrap_or_default();
    let words: Vec<&str> = cell.split(' ').collect();
    words.iter().enumerate().find_map(|(at, word)| {
        let is_last = word.ends_with(';');
        let number: f64 = word.trim_end_matches(';').parse().ok()?;
        let next = words.get(at + 1).map_or("", |next| next.trim_end_matches([';', ',']));
        let unit = UNITS.iter().find(|(name, ..)| !is_last && *name == next);
        if let Some((_, measure, scale)) = unit {
            return Some((number * scale, *measure));
        }
        (is_last || next.is_empty() || next.starts_with('(')).then_some((number, Measure::Rate))
    })
}

/// Finds the first time of a cell, in microseconds.
pub(super) fn first_micros(cell: &str) -> Option<f64> {
    let time = first(cell).filter(|(time, measure)| *measure == Measure::Time && *time > 0.0);
    time.map(|(millis, _)| millis * 1e3)
}
