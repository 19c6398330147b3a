//! Cache of the requests that were last written or read. A request never changes, and most callers act on an ask that
//! was just opened or read, so it need not be read and parsed again.

use sayso_core::AskId;
use sayso_core::ask::Request;
use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Largest number of cached requests.
const MOST: usize = 128;

/// Largest total size of their texts in bytes; a parsed request takes several times as many.
const MOST_BYTES: usize = 256 << 10;

#[derive(Debug, Default)]
pub(super) struct Requests(Mutex<Kept>);

#[derive(Debug, Default)]
struct Kept {
    by_ask: HashMap<AskId, Arc<Request>>,
    /// Insertion order, oldest first, with the bytes of each text.
    order: VecDeque<(AskId, usize)>,
    bytes: usize,
}

impl Requests {
    fn lock(&self) -> MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the cached request.
    pub(super) fn of(&self, id: AskId) -> Option<Arc<Request>> {
        self.lock().by_ask.get(&id).cloned()
    }

    /// Caches a request whose text has this many bytes. Replaces an entry of the same ask: after a rollback it is
    /// opened again with another time.
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
    /// Removes a request whose questions were deleted.
    pub(super) fn forget(&self, id: AskId) {
        let kept = &mut *self.lock();
        if kept.by_ask.remove(&id).is_some()
            && let Some(place) = kept.order.iter().position(|(of, _)| *of == id)
            && let Some((_, bytes)) = kept.order.remove(place)
        {
            kept.bytes -= bytes;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::SqliteStore;
    use super::super::job::Job;
    use super::super::tests::{desk, raw};
    use super::*;
    use crate::contract::{new_ask, note, open, person};
    use crate::draft::{DraftRev, Over};
    use crate::store::{Beside, Store, Target};
    use sayso_core::{Digest, lifecycle};
    use tempfile::TempDir;

    fn id(number: u128) -> AskId {
        AskId::new(uuid::Uuid::from_u128(number))
    }

    #[test]
    fn cache_evicts_oldest_first() {
        let folder = TempDir::new().unwrap();
        let request = open(&desk(&folder.path().join("desk")), "door").request;
        let requests = Requests::default();
        let kept = |numbers: std::ops::Range<u128>| numbers.filter(|n| requests.of(id(*n)).is_some()).count();
        (0..300).for_each(|n| requests.keep(id(n), &request, 100));
        assert_eq!((kept(0..300), kept(300 - MOST as u128..300)), (MOST, MOST));
        (0..9).for_each(|n| requests.keep(id(1_000 + n), &request, MOST_BYTES / 8));
        assert_eq!((kept(0..300), kept(1_000..1_009), kept(1_001..1_009)), (0, 8, 8));
        requests.keep(id(7), &request, MOST_BYTES + 1);
        assert_eq!((kept(0..300), kept(1_000..1_009)), (0, 8), "one that is too long displaces none");
    }

    #[test]
    fn rolled_back_entry_is_replaced() {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("desk");
        let wall = open(&desk(&path), "wall").id;
        let trap = "CREATE TRIGGER trap AFTER INSERT ON draft BEGIN SELECT raise(ABORT, 'boom'); END";
        raw(&path).execute_batch(trap).unwrap();
        let (new, door) = (new_ask("door"), id(1));
        let canonical = new.questionnaire.canonical();
        let asking = Job::Change {
            target: Target::Open {
                content: Digest::of(b"door"),
                process: None,
                canonical: canonical.json,
                quota: None,
                draft_key: None,
            },
            key: None,
            beside: Beside::default(),
            decide: Box::new(move |_, now| {
                lifecycle::open_digested(door, new.clone(), canonical.digest, now)
            }),
        };
        let replies = vec![note("typed")];
        let typing =
            Job::Draft { id: wall, base: DraftRev(0), by: person("ada"), replies, over: Over::Write };
        let store = SqliteStore::open(&path).unwrap();
        let done = store.writer.commit(&mut vec![asking, typing], &mut |_, _| {});
        assert_eq!(done.iter().map(Result::is_ok).collect::<Vec<_>>(), [true, false]);
        let stored = Store::read(&SqliteStore::open(&path).unwrap(), door).unwrap();
        assert!(stored.is_some());
        assert_eq!(Store::read(&store, door).unwrap(), stored, "and not as it was asked at first");
    }
}
