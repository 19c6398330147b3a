//! Asks opened and ended at the desk while the server runs, whoever opens and ends them, and in whatever process: counted
//! from the desk's log.

use super::metrics::Metrics;
use sayso_core::Problem;
use sayso_core::lifecycle::Event;
use sayso_desk::{Cursor, LocalDesk};
use std::sync::{Mutex, PoisonError};

/// Changes of the log that are read at once.
const PAGE: usize = 256;

/// How far the log has been counted.
#[derive(Debug)]
pub(super) struct Tally(Mutex<Cursor>);

impl Tally {
    /// Counts from now on.
    ///
    /// # Errors
    /// When the desk cannot be read.
    pub(super) fn begin(desk: &LocalDesk) -> Result<Self, Problem> {
        desk.place(None).map(|(now, _)| Self(Mutex::new(now)))
    }

    /// Counts what has happened since this was last called.
    ///
    /// # Errors
    /// When the desk cannot be read.
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
