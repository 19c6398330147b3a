//! Registry of long-lived requests, such as event streams and long polls, cancelled when their credential is revoked.
//!
//! **Invariant:** a long-lived request lasts only while its credential is valid. It ends when the token is revoked or
//! expires, or the browser signs out. The periodic check, four times a second, bounds the delay.

use sayso_core::Digest;
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use tokio_util::sync::CancellationToken;

/// Credential that authenticated a request.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Credential {
    /// Token with this id.
    Token(String),
    /// Session whose cookie has this hash.
    Session(Digest),
}

/// Registry of long-lived requests by credential.
#[derive(Debug, Clone, Default)]
pub(super) struct Stays(Arc<Mutex<HashMap<Credential, Weak<Door>>>>);

/// Entry shared by all requests with the same credential.
#[derive(Debug)]
struct Door {
    stays: Stays,
    credential: Credential,
    over: CancellationToken,
}

impl Drop for Door {
    fn drop(&mut self) {
        let mut doors = self.stays.lock();
        // A revoked entry has been removed, and may have been replaced.
        if doors.get(&self.credential).is_some_and(|door| door.strong_count() == 0) {
            doors.remove(&self.credential);
        }
    }
}

/// Guard of one long-lived request. Ten thousand may be dropped at once, so only the last one of a credential takes
/// the lock.
#[derive(Debug)]
pub(super) struct Stay(Arc<Door>);

impl Stay {
    /// Returns whether the credential has been revoked.
    pub(super) fn is_over(&self) -> bool {
        self.0.over.is_cancelled()
    }

    /// Completes when the credential is revoked.
    pub(super) async fn over(&self) {
        self.0.over.cancelled().await;
    }
}

impl Stays {
    fn lock(&self) -> MutexGuard<'_, HashMap<Credential, Weak<Door>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Registers a long-lived request.
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

    /// Returns the credentials in use.
    pub(super) fn shown(&self) -> Vec<Credential> {
        self.lock().keys().cloned().collect()
    }

    /// Cancels all requests with these credentials.
    pub(super) fn end(&self, credentials: &HashSet<Credential>) {
        let mut doors = self.lock();
        let ended: Vec<Arc<Door>> =
            credentials.iter().filter_map(|shown| doors.remove(shown)?.upgrade()).collect();
        // Dropping the last guard of an entry takes the lock, so it is released first.
        drop(doors);
        ended.iter().for_each(|door| door.over.cancel());
    }
}

#[cfg(test)]
mod tests {
    use super::{Credential, Stays};
    use std::collections::HashSet;

    #[test]
    fn revocation_ends_all_of_a_credential() {
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
