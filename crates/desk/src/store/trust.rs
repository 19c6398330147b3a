//! Sync health: whether the disk has confirmed every write. After a failed sync nothing this process writes is known
//! to be durable: the kernel may have dropped the pages and marked them clean.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Sync health of a process. A failure is permanent.
#[derive(Debug, Default)]
pub(crate) struct Trust {
    is_lost: Mutex<bool>,
    lost: Condvar,
}

impl Trust {
    fn held(&self) -> MutexGuard<'_, bool> {
        self.is_lost.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn is_lost(&self) -> bool {
        *self.held()
    }

    pub(crate) fn lose(&self) {
        *self.held() = true;
        self.lost.notify_all();
    }

    /// Blocks until a sync has failed.
    pub(crate) fn wait_until_lost(&self) {
        let mut is_lost = self.held();
        while !*is_lost {
            is_lost = self.lost.wait(is_lost).unwrap_or_else(PoisonError::into_inner);
        }
    }
}
