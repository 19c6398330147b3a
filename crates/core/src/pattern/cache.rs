//! Cache of compiled patterns. An agent uses the same few patterns repeatedly, and compiling one costs more than
//! reading the rest of its request. A cached pattern behaves exactly like a fresh one.

use super::Pattern;
use std::collections::HashMap;
use std::sync::{LazyLock, Mutex, PoisonError};

/// Capacity of the cache: with the limit on the size of one, 16 MiB at most.
const CAPACITY: usize = 64;

static CACHE: LazyLock<Mutex<HashMap<String, Pattern>>> = LazyLock::new(Mutex::default);

/// Returns the cached pattern compiled from this source.
pub(super) fn get(source: &str) -> Option<Pattern> {
    CACHE.lock().unwrap_or_else(PoisonError::into_inner).get(source).cloned()
}

/// Caches a pattern. A full cache is cleared first: patterns still in use are cached again at their next use.
pub(super) fn insert(pattern: &Pattern) {
    let mut kept = CACHE.lock().unwrap_or_else(PoisonError::into_inner);
    if kept.len() >= CAPACITY {
        kept.clear();
    }
    kept.insert(pattern.source().to_owned(), pattern.clone());
}
