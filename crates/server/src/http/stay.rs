//! Those who are let in for longer than one request: a stream of events, a call that waits.
//!
//! **Invariant:** what opens the door opens it for as long as it is valid. A token that is revoked or runs out, and a
//! browser that signs out, end what they hold open; at the latest when the server next looks, which is once a second.

use sayso_core::Digest;
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
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
pub(super) struct Stays(Arc<Mutex<HashMap<Credential, Held>>>);

#[derive(Debug)]
struct Held {
    count: usize,
    over: CancellationToken,
}

/// One who stays, as long as this lives.
#[derive(Debug)]
pub(super) struct Stay {
    stays: Stays,
    credential: Credential,
    over: CancellationToken,
}

impl Stay {
    /// Whether what was shown is no longer valid.
    pub(super) fn is_over(&self) -> bool {
        self.over.is_cancelled()
    }

    /// Returns once what was shown is no longer valid.
    pub(super) async fn over(&self) {
        self.over.cancelled().await;
    }
}

impl Drop for Stay {
    fn drop(&mut self) {
        let mut held = self.stays.lock();
        // What was ended is not there any more, or somebody else's.
        if let Some(one) = held.get_mut(&self.credential).filter(|_| !self.over.is_cancelled()) {
            one.count = one.count.saturating_sub(1);
            if one.count == 0 {
                held.remove(&self.credential);
            }
        }
    }
}

impl Stays {
    fn lock(&self) -> MutexGuard<'_, HashMap<Credential, Held>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Somebody stays who showed this.
    pub(super) fn begin(&self, credential: Credential) -> Stay {
        let mut held = self.lock();
        let one = held
            .entry(credential.clone())
            .or_insert_with(|| Held { count: 0, over: CancellationToken::new() });
        one.count += 1;
        Stay { stays: self.clone(), credential, over: one.over.clone() }
    }

    /// What those who stay have shown.
    pub(super) fn shown(&self) -> Vec<Credential> {
        self.lock().keys().cloned().collect()
    }

    /// These are no longer valid.
    pub(super) fn end(&self, credentials: &HashSet<Credential>) {
        let mut held = self.lock();
        for credential in credentials {
            if let Some(one) = held.remove(credential) {
                one.over.cancel();
            }
        }
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
