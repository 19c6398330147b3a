//! Asks of permission calls that have not ended.

use crate::diagnostics::log_failure;
use sayso_core::{AskId, CancelReason};
use sayso_desk::Desk;
use sayso_desk::hook_asks::cancel_hook_ask;
use std::collections::HashSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Asks of permission calls that have not ended.
#[derive(Default)]
pub(crate) struct OpenPermissions(Mutex<HashSet<AskId>>);

impl OpenPermissions {
    fn lock(&self) -> MutexGuard<'_, HashSet<AskId>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn insert(&self, id: AskId) {
        self.lock().insert(id);
    }

    pub(crate) fn remove(&self, id: AskId) {
        self.lock().remove(&id);
    }

    /// Cancels the asks of calls that the end of the host has interrupted.
    pub(crate) fn cancel_all(&self, desk: &dyn Desk) {
        let ids: Vec<_> = self.lock().drain().collect();
        for id in ids {
            let result = desk.get(id).and_then(|ask| cancel_hook_ask(desk, &ask, CancelReason::HostEnded));
            log_failure("cancel an ask", result);
        }
    }
}
