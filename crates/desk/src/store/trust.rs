//! Whether the disk has confirmed all that was written. Once it has not, nothing this process says can be trusted to be
//! durable: the kernel may have dropped the pages and marked them clean.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Lost once, and for good.
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

    /// Comes back when it is lost.
    pub(crate) fn wait_until_lost(&self) {
        let mut is_lost = self.held();
        while !*is_lost {
            is_lost = self.lost.wait(is_lost).unwrap_or_else(PoisonError::into_inner);
        }
    }
}
