//! Registry of long-lived requests, such as event streams and long polls, cancelled when their credential is revoked.
//!
//! **Invariant:** a long-lived request lasts only while its credential is valid. It ends when the token is revoked or
//! expires, or the browser signs out. The periodic check, four times a second, bounds the delay.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use tokio_util::sync::CancellationToken;

/// Credential that authenticated a request.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Credential {
    /// Token with this id.
    Token(String),
    /// Session of a browser with this id.
    Session(String),
}

/// Registry of long-lived requests by credential.
#[derive(Debug, Clone, Default)]
pub(crate) struct SessionRegistry(Arc<Mutex<HashMap<Credential, Weak<SessionEntry>>>>);

/// Entry shared by all requests with the same credential.
#[derive(Debug)]
struct SessionEntry {
    registry: SessionRegistry,
    credential: Credential,
    revoked: CancellationToken,
}

impl Drop for SessionEntry {
    fn drop(&mut self) {
        let mut doors = self.registry.lock();
        // A revoked entry has been removed, and may have been replaced.
        if doors.get(&self.credential).is_some_and(|door| door.strong_count() == 0) {
            doors.remove(&self.credential);
        }
    }
}

/// Guard of one long-lived request. Ten thousand may be dropped at once, so only the last one of a credential takes
/// the lock.
#[derive(Debug)]
pub(crate) struct SessionGuard(Arc<SessionEntry>);

impl SessionGuard {
    /// Returns whether the credential has been revoked.
    pub(crate) fn is_revoked(&self) -> bool {
        self.0.revoked.is_cancelled()
    }

    /// Completes when the credential is revoked.
    pub(crate) async fn revoked(&self) {
        self.0.revoked.cancelled().await;
    }
}

impl SessionRegistry {
    fn lock(&self) -> MutexGuard<'_, HashMap<Credential, Weak<SessionEntry>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Registers a long-lived request.
    pub(crate) fn register(&self, credential: Credential) -> SessionGuard {
        let mut doors = self.lock();
        if let Some(door) = doors.get(&credential).and_then(Weak::upgrade) {
            return SessionGuard(door);
        }
        let over = CancellationToken::new();
        let door =
            Arc::new(SessionEntry { registry: self.clone(), credential: credential.clone(), revoked: over });
        doors.insert(credential, Arc::downgrade(&door));
        SessionGuard(door)
    }

    /// Returns the credentials in use.
    pub(crate) fn credentials(&self) -> Vec<Credential> {
        self.lock().keys().cloned().collect()
    }

    /// Cancels all requests with these credentials.
    pub(crate) fn revoke(&self, credentials: &HashSet<Credential>) {
        let mut doors = self.lock();
        let ended: Vec<Arc<SessionEntry>> =
            credentials.iter().filter_map(|shown| doors.remove(shown)?.upgrade()).collect();
        // Dropping the last guard of an entry takes the lock, so it is released first.
        drop(doors);
        ended.iter().for_each(|door| door.revoked.cancel());
    }
}

#[cfg(test)]
mod tests {
    use super::{Credential, SessionRegistry};
    use std::collections::HashSet;

    #[test]
    fn revocation_ends_all_of_a_credential() {
        let stays = SessionRegistry::default();
        let credential = |id: &str| Credential::Token(id.to_owned());
        let (first, second, other) = (
            stays.register(credential("a")),
            stays.register(credential("a")),
            stays.register(credential("b")),
        );
        drop(first);
        assert_eq!(stays.credentials().len(), 2);
        stays.revoke(&HashSet::from([credential("a")]));
        assert!(second.is_revoked() && !other.is_revoked());
        let again = stays.register(credential("a"));
        drop(second);
        assert!(!again.is_revoked() && stays.credentials().contains(&credential("a")));
        drop((again, other));
        assert!(stays.credentials().is_empty());
    }
}
