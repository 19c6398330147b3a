//! Cache of outcomes that requests wait for.

use axum::body::Bytes;
use sayso_core::AskId;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use tokio::sync::OnceCell;

/// Outcome of an ask as JSON, filled by the first waiter that reads it.
pub(crate) type OutcomeCell = Arc<OnceCell<Bytes>>;

/// Cache of outcomes that requests wait for: many waiters for one ask cost one read.
#[derive(Default)]
pub(crate) struct OutcomeCache(Mutex<CachedOutcomes>);

#[derive(Default)]
struct CachedOutcomes {
    by_ask: HashMap<AskId, Weak<OnceCell<Bytes>>>,
    /// Number of entries that triggers the next sweep, at least [`MIN_SWEEP_ENTRIES`].
    sweep_at: usize,
}

/// Number of entries below which nothing is swept.
const MIN_SWEEP_ENTRIES: usize = 1_024;

impl OutcomeCache {
    /// Returns the shared cell of an ask's outcome, which lives as long as a waiter holds it.
    pub(crate) fn cell(&self, id: AskId) -> OutcomeCell {
        let mut cells = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(cell) = cells.by_ask.get(&id).and_then(Weak::upgrade) {
            return cell;
        }
        if cells.by_ask.len() >= cells.sweep_at.max(MIN_SWEEP_ENTRIES) {
            cells.by_ask.retain(|_, cell| cell.strong_count() > 0);
            // If most entries are in use, the next sweep waits until the cache has doubled.
            cells.sweep_at = 2 * cells.by_ask.len();
        }
        let cell = Arc::new(OnceCell::new());
        cells.by_ask.insert(id, Arc::downgrade(&cell));
        cell
    }
}

#[cfg(test)]
mod tests {
    use super::{MIN_SWEEP_ENTRIES, OutcomeCache};
    use sayso_core::AskId;

    fn id(number: usize) -> AskId {
        AskId::from_bytes(&u128::try_from(number).unwrap().to_be_bytes()).unwrap()
    }

    #[test]
    fn outcome_cache_sweep_is_amortized() {
        let outcomes = OutcomeCache::default();
        let sizes = || {
            let cells = outcomes.0.lock().unwrap();
            (cells.by_ask.len(), cells.sweep_at)
        };
        (0..3 * MIN_SWEEP_ENTRIES).for_each(|number| drop(outcomes.cell(id(number))));
        assert!(sizes().0 <= MIN_SWEEP_ENTRIES, "{:?}", sizes());
        let held: Vec<_> = (0..3 * MIN_SWEEP_ENTRIES).map(|number| outcomes.cell(id(number))).collect();
        let (all, sweep_at) = sizes();
        assert!(all >= held.len() && sweep_at > held.len(), "{:?}", sizes());
        drop(held);
        (0..sweep_at).for_each(|number| drop(outcomes.cell(id(10 * MIN_SWEEP_ENTRIES + number))));
        assert!(sizes().0 < sweep_at, "{:?}", sizes());
    }
}
