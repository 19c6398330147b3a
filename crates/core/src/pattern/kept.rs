//! Patterns that were compiled lately. The same agent asks with the same few patterns again and again, and compiling one
//! costs more than reading everything else it asks. What is kept is never told from what is compiled anew.

use super::Pattern;
use std::collections::HashMap;
use std::sync::{LazyLock, Mutex, PoisonError};

/// How many are kept: with the limit on the size of one, 16 MiB at most.
const MOST: usize = 64;

static KEPT: LazyLock<Mutex<HashMap<String, Pattern>>> = LazyLock::new(Mutex::default);

/// The pattern compiled from this source lately.
pub(super) fn get(source: &str) -> Option<Pattern> {
    KEPT.lock().unwrap_or_else(PoisonError::into_inner).get(source).cloned()
}

/// Keeps a pattern. Where there is no more room, all others go: what is still in use comes back at once.
pub(super) fn keep(pattern: &Pattern) {
    let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    if kept.len() >= MOST {
        kept.clear();
    }
    kept.insert(pattern.source().to_owned(), pattern.clone());
}
