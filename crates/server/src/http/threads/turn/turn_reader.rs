//! Reader of an active turn's stream.

use super::active_turn::ActiveTurn;
use super::turn_state::StreamEntry;
use std::sync::Arc;
use tokio::sync::watch;

/// Reader of a turn's stream.
pub(crate) struct TurnReader {
    pub(crate) turn: Arc<ActiveTurn>,
    /// Position of the next entry.
    pub(crate) position: usize,
    entry_count: watch::Receiver<usize>,
}

impl TurnReader {
    /// Creates a reader from a position on.
    pub(crate) const fn new(
        turn: Arc<ActiveTurn>,
        position: usize,
        entry_count: watch::Receiver<usize>,
    ) -> Self {
        Self { turn, position, entry_count }
    }

    /// Returns the place of the last entry that was read.
    pub(crate) fn place(&self) -> i64 {
        self.turn.place_before(self.position)
    }

    /// Returns the next entry, waiting for one if necessary.
    pub(crate) async fn next(&mut self) -> StreamEntry {
        loop {
            if let Some(entry) = self.turn.entry(self.position) {
                self.position += 1;
                return entry;
            }
            // The reader holds the turn and so its sender.
            let _ = self.entry_count.changed().await;
        }
    }
}
