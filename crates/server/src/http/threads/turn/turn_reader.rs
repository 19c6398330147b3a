//! Reader of an active turn's stream.

use super::active_turn::ActiveTurn;
use super::turn_state::StreamEntry;
use sayso_core::AskId;
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

impl ActiveTurn {
    /// Returns a reader from the beginning.
    pub(crate) fn read(self: &Arc<Self>) -> TurnReader {
        self.read_from(None)
    }

    /// Returns a reader from the interrupt of an ask, or from the beginning.
    pub(crate) fn read_from(self: &Arc<Self>, ask: Option<AskId>) -> TurnReader {
        let mut position = 0;
        if let Some(ask) = ask
            && let Some(interrupt_end) = self.state().interrupt_ends.get(&ask)
        {
            position = interrupt_end.saturating_sub(1);
        }
        self.read_at(position)
    }

    /// Returns a reader of the failure with which the turn has ended, if it has.
    pub(crate) fn read_failure(self: &Arc<Self>) -> Option<TurnReader> {
        let position = self.state().entries.len().checked_sub(1)?;
        match self.entry(position)? {
            StreamEntry::Failure(_) => Some(self.read_at(position)),
            StreamEntry::Event(_) | StreamEntry::Interrupt(_) | StreamEntry::End => None,
        }
    }

    /// Returns a reader from a position on.
    pub(crate) fn read_at(self: &Arc<Self>, position: usize) -> TurnReader {
        TurnReader { turn: self.clone(), position, entry_count: self.entry_count.subscribe() }
    }

    /// Returns a reader from after the interrupt of an ask.
    pub(crate) fn read_after(self: &Arc<Self>, ask: AskId) -> TurnReader {
        let at = self.state().interrupt_ends.get(&ask).copied().unwrap_or_default();
        self.read_at(at)
    }
}
