//! Counters of asks opened and settled while the server runs, by any process, read from the desk's log.

use super::ServerMetrics;
use crate::http::context::ServerContext;
use sayso_core::Problem;
use sayso_core::lifecycle::AskEvent;
use sayso_desk::{ChangeCursor, StoreDesk};
use std::sync::{Arc, Mutex, PoisonError};

/// Page size when reading the log.
const PAGE: usize = 256;

/// Position up to which the log has been counted.
#[derive(Debug)]
pub(crate) struct AskCounters(Mutex<ChangeCursor>);

impl AskCounters {
    /// Starts at the current position.
    ///
    /// # Errors
    /// Fails if the desk cannot be read.
    pub(crate) fn start(desk: &StoreDesk) -> Result<Self, Problem> {
        let (cursor, _) = desk.resume_cursor(None)?;
        Ok(Self(Mutex::new(cursor)))
    }

    /// Counts the changes since the last call.
    ///
    /// # Errors
    /// Fails if the desk cannot be read.
    pub(crate) async fn update(self: &Arc<Self>, context: &ServerContext) -> Result<(), Problem> {
        let counters = self.clone();
        let metrics = context.metrics.clone();
        context.with_desk(move |desk| counters.catch_up(desk, &metrics)).await
    }

    fn catch_up(&self, desk: &StoreDesk, metrics: &ServerMetrics) -> Result<(), Problem> {
        let mut place = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            let page = desk.changes_after(*place, PAGE)?;
            for change in &page {
                for event in &change.events {
                    count_event(event, metrics);
                }
                *place = change.cursor;
            }
            if page.len() < PAGE {
                metrics.set_kept_bytes(desk.kept_bytes()?);
                if let Some(stats) = desk.node_stats() {
                    metrics.set_node_stats(&stats);
                }
                return Ok(());
            }
        }
    }
}

fn count_event(event: &AskEvent, metrics: &ServerMetrics) {
    match event {
        AskEvent::Opened { .. } => metrics.record_opened(),
        AskEvent::Settled { outcome } => metrics.record_settled(outcome.into()),
        _ => {}
    }
}
