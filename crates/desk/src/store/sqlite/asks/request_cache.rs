//! Cache of the requests that were last written or read. A request never changes, and most callers act on an ask that
//! was just opened or read, so it need not be read and parsed again.

use sayso_core::AskId;
use sayso_core::model::ask::AskRequest;
use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Largest number of cached requests.
const MAX_REQUESTS: usize = 128;

/// Largest total size of their texts in bytes; a parsed request takes several times as many.
const MAX_BYTES: usize = 256 << 10;

#[derive(Debug, Default)]
pub(crate) struct RequestCache(Mutex<CacheEntries>);

#[derive(Debug, Default)]
struct CacheEntries {
    by_ask: HashMap<AskId, Arc<AskRequest>>,
    /// Insertion order, oldest first, with the bytes of each text.
    order: VecDeque<(AskId, usize)>,
    bytes: usize,
}

impl RequestCache {
    fn lock(&self) -> MutexGuard<'_, CacheEntries> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the cached request.
    pub(crate) fn get(&self, id: AskId) -> Option<Arc<AskRequest>> {
        self.lock().by_ask.get(&id).cloned()
    }

    /// Caches a request whose text has this many bytes. Replaces an entry of the same ask: after a rollback it is
    /// opened again with another time.
    pub(crate) fn insert(&self, id: AskId, request: &Arc<AskRequest>, bytes: usize) {
        if bytes > MAX_BYTES {
            return;
        }
        let entries = &mut *self.lock();
        if entries.by_ask.insert(id, request.clone()).is_some() {
            return;
        }
        entries.order.push_back((id, bytes));
        entries.bytes += bytes;
        while entries.order.len() > MAX_REQUESTS || entries.bytes > MAX_BYTES {
            let Some((first, bytes)) = entries.order.pop_front() else { return };
            entries.by_ask.remove(&first);
            entries.bytes -= bytes;
        }
    }
    /// Removes a request whose questions were deleted.
    pub(crate) fn remove(&self, id: AskId) {
        let entries = &mut *self.lock();
        if entries.by_ask.remove(&id).is_some()
            && let Some(place) = entries.order.iter().position(|(of, _)| *of == id)
            && let Some((_, bytes)) = entries.order.remove(place)
        {
            entries.bytes -= bytes;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::{new_ask, open};
    use crate::store::api::{AskStore, ChangeOptions, ChangeTarget, DecideFn};
    use crate::store::logic::asks::ask_change;
    use crate::store::logic::statements::WriteNeeds;
    use crate::store::sqlite::SqliteStore;
    use crate::store::sqlite::tests::{desk, draft_job, open_raw};
    use crate::store::sqlite::writer::job::WriteJob;
    use sayso_core::{Digest, lifecycle};
    use tempfile::TempDir;

    fn id(number: u128) -> AskId {
        AskId::new(uuid::Uuid::from_u128(number))
    }

    #[test]
    fn cache_evicts_oldest_first() {
        let folder = TempDir::new().unwrap();
        let request = open(&desk(&folder.path().join("desk")), "door").request;
        let requests = RequestCache::default();
        let kept =
            |numbers: std::ops::Range<u128>| numbers.filter(|n| requests.get(id(*n)).is_some()).count();
        (0..300).for_each(|n| requests.insert(id(n), &request, 100));
        assert_eq!((kept(0..300), kept(300 - MAX_REQUESTS as u128..300)), (MAX_REQUESTS, MAX_REQUESTS));
        (0..9).for_each(|n| requests.insert(id(1_000 + n), &request, MAX_BYTES / 8));
        assert_eq!((kept(0..300), kept(1_000..1_009), kept(1_001..1_009)), (0, 8, 8));
        requests.insert(id(7), &request, MAX_BYTES + 1);
        assert_eq!((kept(0..300), kept(1_000..1_009)), (0, 8), "one that is too long displaces none");
    }

    #[test]
    fn rolled_back_entry_is_replaced() {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("desk");
        let wall = open(&desk(&path), "wall").id;
        let trap = "CREATE TRIGGER trap AFTER INSERT ON draft BEGIN SELECT raise(ABORT, 'boom'); END";
        open_raw(&path).execute_batch(trap).unwrap();
        let (new, door) = (new_ask("door"), id(1));
        let canonical = new.questionnaire.canonical();
        let target = ChangeTarget::Open {
            content: Some(Digest::compute(b"door")),
            is_reusable: Box::new(|_| true),
            canonical: canonical.json,
            quota: None,
            draft_key: None,
        };
        let mut decide: DecideFn =
            Box::new(move |_, now| lifecycle::open_ask_with_digest(door, new.clone(), canonical.digest, now));
        let (asking, _) = WriteJob::new(WriteNeeds::DURABLE, move |tx| {
            ask_change::change(tx, &target, None, &ChangeOptions::default(), &mut decide)
        });
        let typing = draft_job(wall, "typed");
        let store = SqliteStore::open(&path).unwrap();
        let done = store.writer.commit(&mut vec![asking, typing], &mut |_, _| {});
        assert_eq!(done.iter().map(Result::is_ok).collect::<Vec<_>>(), [true, false]);
        let stored = AskStore::read(&SqliteStore::open(&path).unwrap(), door).unwrap();
        assert!(stored.is_some());
        assert_eq!(AskStore::read(&store, door).unwrap(), stored, "and not as it was asked at first");
    }
}
