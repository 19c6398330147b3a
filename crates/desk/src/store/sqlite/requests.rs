//! The requests that were last written or read. What was asked never changes, so who acts on an ask that was just asked
//! or looked at, as nearly everybody does, need not have it read and made from its text again.

use sayso_core::AskId;
use sayso_core::ask::Request;
use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Requests that are kept at most.
const MOST: usize = 128;

/// Bytes of their texts together, of which a request takes several times as many when it is made.
const MOST_BYTES: usize = 256 << 10;

#[derive(Debug, Default)]
pub(super) struct Requests(Mutex<Kept>);

#[derive(Debug, Default)]
struct Kept {
    by_ask: HashMap<AskId, Arc<Request>>,
    /// From the one that was kept first, with the bytes of its text.
    order: VecDeque<(AskId, usize)>,
    bytes: usize,
}

impl Requests {
    fn lock(&self) -> MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What was asked, where that is kept.
    pub(super) fn of(&self, id: AskId) -> Option<Arc<Request>> {
        self.lock().by_ask.get(&id).cloned()
    }

    /// Keeps what was asked, the text of which has so many bytes.
    pub(super) fn keep(&self, id: AskId, request: &Arc<Request>, bytes: usize) {
        if bytes > MOST_BYTES {
            return;
        }
        let kept = &mut *self.lock();
        if kept.by_ask.insert(id, request.clone()).is_some() {
            return;
        }
        kept.order.push_back((id, bytes));
        kept.bytes += bytes;
        while kept.order.len() > MOST || kept.bytes > MOST_BYTES {
            let Some((first, bytes)) = kept.order.pop_front() else { return };
            kept.by_ask.remove(&first);
            kept.bytes -= bytes;
        }
    }

    /// Keeps nothing any more. To be called where a transaction did not go through: what was asked in it may be written
    /// anew, with another time.
    pub(super) fn forget(&self) {
        *self.lock() = Kept::default();
    }
}
