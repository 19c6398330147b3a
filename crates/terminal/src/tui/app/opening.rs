//! Opening of an ask: the one that the person waits for, and the open calls in flight.

use super::super::effect::{DeskCall, Effect};
use sayso_core::AskId;

/// Ask that is being opened.
#[derive(Debug, Default)]
pub(in crate::tui) struct OpeningAsk {
    id: Option<AskId>,
    /// Number of open calls in flight: the person may have left an ask and opened it again.
    calls: u32,
}

impl OpeningAsk {
    /// Opens an ask.
    pub(super) fn begin(&mut self, id: AskId) -> Effect {
        self.id = Some(id);
        self.calls += 1;
        Effect::Call(DeskCall::Open(id))
    }

    /// Records the result of an open call.
    pub(super) const fn finish_call(&mut self) {
        self.calls = self.calls.saturating_sub(1);
    }

    /// Returns whether a later open call is still in flight.
    pub(super) const fn has_calls(&self) -> bool {
        self.calls > 0
    }

    /// Returns whether the person waits for an ask.
    pub(in crate::tui) const fn is_active(&self) -> bool {
        self.id.is_some()
    }

    /// Returns whether the person waits for this ask.
    pub(super) fn is_for(&self, id: AskId) -> bool {
        self.id == Some(id)
    }

    /// Ends the wait: the ask is shown, could not be opened, or the person left.
    pub(super) const fn end(&mut self) {
        self.id = None;
    }
}
