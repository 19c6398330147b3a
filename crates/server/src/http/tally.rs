//! Counters of asks opened and settled while the server runs, by any process, read from the desk's log.

use super::metrics::Metrics;
use sayso_core::Problem;
use sayso_core::lifecycle::Event;
use sayso_desk::{Cursor, LocalDesk};
use std::sync::{Mutex, PoisonError};

/// Page size when reading the log.
const PAGE: usize = 256;

/// Position up to which the log has been counted.
#[derive(Debug)]
pub(super) struct Tally(Mutex<Cursor>);

impl Tally {
    /// Starts at the current position.
    ///
    /// # Errors
    /// Fails if the desk cannot be read.
    pub(super) fn begin(desk: &LocalDesk) -> Result<Self, Problem> {
        desk.place(None).map(|(now, _)| Self(Mutex::new(now)))
    }

    /// Counts the changes since the last call.
    ///
    /// # Errors
    /// Fails if the desk cannot be read.
    pub(super) fn catch_up(&self, desk: &LocalDesk, metrics: &Metrics) -> Result<(), Problem> {
        let mut place = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            let page = desk.changes_after(*place, PAGE)?;
            for changed in &page {
                changed.events.iter().for_each(|event| count(event, metrics));
                *place = changed.cursor;
            }
            if page.len() < PAGE {
                metrics.kept(desk.kept_bytes()?);
                return Ok(());
            }
        }
    }
}

fn count(event: &Event, metrics: &Metrics) {
    match event {
        Event::Opened { .. } => metrics.opened(),
        Event::Settled { outcome } => metrics.ended(outcome.into()),
        _ => {}
    }
}
