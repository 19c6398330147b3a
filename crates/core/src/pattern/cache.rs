//! Cache of compiled patterns. An agent uses the same few patterns repeatedly, and compiling one costs more than
//! reading the rest of its request. A cached pattern behaves exactly like a fresh one.

use super::Pattern;
use super::budget::CACHED_PATTERNS;
use std::collections::HashMap;
use std::sync::{LazyLock, Mutex, PoisonError};

static CACHE: LazyLock<Mutex<HashMap<String, Pattern>>> = LazyLock::new(Mutex::default);

/// Returns the cached pattern compiled from this source.
pub(super) fn get(source: &str) -> Option<Pattern> {
    CACHE.lock().unwrap_or_else(PoisonError::into_inner).get(source).cloned()
}

/// Caches a pattern. A full cache is cleared first: patterns still in use are cached again at their next use.
pub(super) fn insert(pattern: &Pattern) {
    let mut patterns = CACHE.lock().unwrap_or_else(PoisonError::into_inner);
    if patterns.len() >= CACHED_PATTERNS {
        patterns.clear();
    }
    patterns.insert(pattern.source().to_owned(), pattern.clone());
}
