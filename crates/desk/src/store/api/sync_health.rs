//! Sync health: whether every write of this process was confirmed as durable, in the file that others open. After a failure
//! nothing that it writes is known to last.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Reason why this process must not go on with its desk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeskLoss {
    /// The disk did not confirm a write.
    Unconfirmed,
    /// Another file has the place of the desk.
    Replaced,
}

/// Sync health of a process. A loss is permanent.
#[derive(Debug, Default)]
pub(crate) struct SyncHealth {
    loss: Mutex<Option<DeskLoss>>,
    lost: Condvar,
}

impl SyncHealth {
    fn lock(&self) -> MutexGuard<'_, Option<DeskLoss>> {
        self.loss.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn has_failed(&self) -> bool {
        self.lock().is_some()
    }

    /// Records a loss; the first one counts.
    pub(crate) fn mark_lost(&self, loss: DeskLoss) {
        self.lock().get_or_insert(loss);
        self.lost.notify_all();
    }

    /// Blocks until there is a loss.
    pub(crate) fn wait_for_loss(&self) -> DeskLoss {
        let mut loss = self.lock();
        loop {
            match *loss {
                Some(loss) => return loss,
                None => loss = self.lost.wait(loss).unwrap_or_else(PoisonError::into_inner),
            }
        }
    }
}
