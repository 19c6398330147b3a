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
    BrowserSession(String),
    /// Session of a service's user with this id, in a browser or a program.
    ServiceSession(String),
}

/// Registry of long-lived requests by credential.
#[derive(Debug, Clone, Default)]
pub(crate) struct RevocationRegistry(Arc<Mutex<HashMap<Credential, Weak<RevocationEntry>>>>);

/// Entry shared by all requests with the same credential.
#[derive(Debug)]
struct RevocationEntry {
    registry: RevocationRegistry,
    credential: Credential,
    revoked: CancellationToken,
}

impl Drop for RevocationEntry {
    fn drop(&mut self) {
        let mut entries = self.registry.lock();
        // A revoked entry has been removed, and may have been replaced.
        if let Some(entry) = entries.get(&self.credential)
            && entry.strong_count() == 0
        {
            entries.remove(&self.credential);
        }
    }
}

/// Guard of one long-lived request. Ten thousand may be dropped at once, so only the last one of a credential takes
/// the lock.
#[derive(Debug)]
pub(crate) struct RevocationGuard(Arc<RevocationEntry>);

impl RevocationGuard {
    /// Returns whether the credential has been revoked.
    pub(crate) fn is_revoked(&self) -> bool {
        self.0.revoked.is_cancelled()
    }

    /// Completes when the credential is revoked.
    pub(crate) async fn revoked(&self) {
        self.0.revoked.cancelled().await;
    }
}

impl RevocationRegistry {
    fn lock(&self) -> MutexGuard<'_, HashMap<Credential, Weak<RevocationEntry>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Registers a long-lived request.
    pub(crate) fn register(&self, credential: Credential) -> RevocationGuard {
        let mut entries = self.lock();
        if let Some(entry) = entries.get(&credential).and_then(Weak::upgrade) {
            return RevocationGuard(entry);
        }
        let revoked = CancellationToken::new();
        let entry =
            Arc::new(RevocationEntry { registry: self.clone(), credential: credential.clone(), revoked });
        entries.insert(credential, Arc::downgrade(&entry));
        RevocationGuard(entry)
    }

    /// Returns the credentials in use.
    pub(crate) fn credentials(&self) -> Vec<Credential> {
        self.lock().keys().cloned().collect()
    }

    /// Cancels all requests with these credentials.
    pub(crate) fn revoke(&self, credentials: &HashSet<Credential>) {
        let mut entries = self.lock();
        let revoked_entries: Vec<Arc<RevocationEntry>> =
            credentials.iter().filter_map(|credential| entries.remove(credential)?.upgrade()).collect();
        // Dropping the last guard of an entry takes the lock, so it is released first.
        drop(entries);
        for entry in revoked_entries {
            entry.revoked.cancel();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Credential, RevocationRegistry};
    use std::collections::HashSet;

    #[test]
    fn revocation_ends_all_of_a_credential() {
        let registry = RevocationRegistry::default();
        let credential = |id: &str| Credential::Token(id.to_owned());
        let (first, second, other) = (
            registry.register(credential("a")),
            registry.register(credential("a")),
            registry.register(credential("b")),
        );
        drop(first);
        assert_eq!(registry.credentials().len(), 2);
        registry.revoke(&HashSet::from([credential("a")]));
        assert!(second.is_revoked() && !other.is_revoked());
        let again = registry.register(credential("a"));
        drop(second);
        assert!(!again.is_revoked() && registry.credentials().contains(&credential("a")));
        drop((again, other));
        assert!(registry.credentials().is_empty());
    }
}
