//! Sync health: whether every write of this process was confirmed as durable. After a failure nothing that it writes
//! is known to last.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Sync health of a process. A failure is permanent.
#[derive(Debug, Default)]
pub(crate) struct SyncHealth {
    has_failed: Mutex<bool>,
    failed: Condvar,
}

impl SyncHealth {
    fn lock(&self) -> MutexGuard<'_, bool> {
        self.has_failed.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn has_failed(&self) -> bool {
        *self.lock()
    }

    pub(crate) fn mark_failed(&self) {
        *self.lock() = true;
        self.failed.notify_all();
    }

    /// Blocks until a confirmation has failed.
    pub(crate) fn wait_for_failure(&self) {
        let mut is_lost = self.lock();
        while !*is_lost {
            is_lost = self.failed.wait(is_lost).unwrap_or_else(PoisonError::into_inner);
        }
    }
}
