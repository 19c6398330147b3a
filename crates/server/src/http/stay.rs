//! Those who are let in for longer than one request: a stream of events, a call that waits.
//!
//! **Invariant:** what opens the door opens it for as long as it is valid. A token that is revoked or runs out, and a
//! browser that signs out, end what they hold open; at the latest when the server next looks, which is four times a second.

use sayso_core::Digest;
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use tokio_util::sync::CancellationToken;

/// What somebody showed to be let in.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Credential {
    /// The token of this id.
    Token(String),
    /// The cookie with this hash.
    Session(Digest),
}

/// Everybody who stays.
#[derive(Debug, Clone, Default)]
pub(super) struct Stays(Arc<Mutex<HashMap<Credential, Weak<Door>>>>);

/// What lets in all who showed the same.
#[derive(Debug)]
struct Door {
    stays: Stays,
    credential: Credential,
    over: CancellationToken,
}

impl Drop for Door {
    fn drop(&mut self) {
        let mut doors = self.stays.lock();
        // What was ended is not there any more, or another one.
        if doors.get(&self.credential).is_some_and(|door| door.strong_count() == 0) {
            doors.remove(&self.credential);
        }
    }
}

/// One who stays, as long as this lives. Ten thousand may leave at once, so only the last of those who showed the same
/// waits for anybody.
#[derive(Debug)]
pub(super) struct Stay(Arc<Door>);

impl Stay {
    /// Whether what was shown is no longer valid.
    pub(super) fn is_over(&self) -> bool {
        self.0.over.is_cancelled()
    }

    /// Returns once what was shown is no longer valid.
    pub(super) async fn over(&self) {
        self.0.over.cancelled().await;
    }
}

impl Stays {
    fn lock(&self) -> MutexGuard<'_, HashMap<Credential, Weak<Door>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Somebody stays who showed this.
    pub(super) fn begin(&self, credential: Credential) -> Stay {
        let mut doors = self.lock();
        if let Some(door) = doors.get(&credential).and_then(Weak::upgrade) {
            return Stay(door);
        }
        let over = CancellationToken::new();
        let door = Arc::new(Door { stays: self.clone(), credential: credential.clone(), over });
        doors.insert(credential, Arc::downgrade(&door));
        Stay(door)
    }

    /// What those who stay have shown.
    pub(super) fn shown(&self) -> Vec<Credential> {
        self.lock().keys().cloned().collect()
    }

    /// These are no longer valid.
    pub(super) fn end(&self, credentials: &HashSet<Credential>) {
        let mut doors = self.lock();
        let ended: Vec<Arc<Door>> =
            credentials.iter().filter_map(|shown| doors.remove(shown)?.upgrade()).collect();
        // One of them may be the last that holds its door, which is shut behind this.
        drop(doors);
        ended.iter().for_each(|door| door.over.cancel());
    }
}

#[cfg(test)]
mod tests {
    use super::{Credential, Stays};
    use std::collections::HashSet;

    #[test]
    fn whoever_stays_is_known_until_the_last_has_gone_and_ends_with_what_was_shown() {
        let stays = Stays::default();
        let credential = |id: &str| Credential::Token(id.to_owned());
        let (first, second, other) =
            (stays.begin(credential("a")), stays.begin(credential("a")), stays.begin(credential("b")));
        drop(first);
        assert_eq!(stays.shown().len(), 2);
        stays.end(&HashSet::from([credential("a")]));
        assert!(second.is_over() && !other.is_over());
        let again = stays.begin(credential("a"));
        drop(second);
        assert!(!again.is_over() && stays.shown().contains(&credential("a")));
        drop((again, other));
        assert!(stays.shown().is_empty());
    }
}
