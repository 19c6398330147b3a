//! Sign-in that is under way, sealed for the cookie of its browser.
//!
//! **Invariant:** the key of the seal comes from the client's secret, which each server of a desk has. So any of them
//! finishes what another one began, and none keeps anything.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jiff::Timestamp;
use ring::aead::{AES_256_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use ring::pbkdf2;
use sayso_core::{Message, Problem, ProblemCode, limits};
use sayso_desk::random::random_bytes;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::num::NonZeroU32;

/// Purpose of the seal, which no other seal has.
const PURPOSE: &str = "sayso-issuer-1";
/// Rounds of the derivation of the key, so that a cookie is of little use for guessing a weak secret.
const ROUNDS: NonZeroU32 = NonZeroU32::new(100_000).unwrap();

/// Sign-in that is under way.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct PendingSignIn {
    /// Names the sign-in in the issuer's reply.
    pub(super) state: String,
    /// Binds the ID token to this browser.
    pub(super) nonce: String,
    /// Proves at the issuer that this desk asked for the code.
    pub(super) verifier: String,
    /// Public key of the browser, in base64url.
    pub(super) key: String,
    /// Time of its begin, in seconds since 1970.
    begun_at: i64,
}

impl PendingSignIn {
    pub(super) fn new(
        (state, nonce, verifier): (String, String, String),
        key: String,
        now: Timestamp,
    ) -> Self {
        Self { state, nonce, verifier, key, begun_at: now.as_second() }
    }
}

/// Sealer of the cookies.
pub(super) struct PendingSealer(LessSafeKey);

impl PendingSealer {
    /// Derives the key from the secret of a client at an issuer. Takes some milliseconds, once a start.
    ///
    /// # Errors
    /// Fails if the cipher takes no such key, which it does.
    pub(super) fn new(issuer: &str, client_id: &str, client_secret: &str) -> Result<Self, Problem> {
        let (salt, mut key) = (format!("{PURPOSE}\n{issuer}\n{client_id}"), [0; 32]);
        let secret = client_secret.as_bytes();
        pbkdf2::derive(pbkdf2::PBKDF2_HMAC_SHA256, ROUNDS, salt.as_bytes(), secret, &mut key);
        let key = UnboundKey::new(&AES_256_GCM, &key).map_err(|error| seal_problem(&error))?;
        Ok(Self(LessSafeKey::new(key)))
    }

    /// Seals a sign-in.
    ///
    /// # Errors
    /// Fails if the system has no randomness.
    pub(super) fn seal(&self, pending: &PendingSignIn) -> Result<String, Problem> {
        let nonce = random_bytes::<NONCE_LEN>()?;
        let mut bytes = serde_json::to_vec(pending).map_err(|error| seal_problem(&error))?;
        let aad = Aad::from(PURPOSE);
        self.0
            .seal_in_place_append_tag(Nonce::assume_unique_for_key(nonce), aad, &mut bytes)
            .map_err(|error| seal_problem(&error))?;
        Ok(URL_SAFE_NO_PAD.encode([nonce.as_slice(), &bytes].concat()))
    }

    /// Opens a cookie; `None` if it was not sealed here, or too long ago.
    pub(super) fn open(&self, cookie: &str, now: Timestamp) -> Option<PendingSignIn> {
        let bytes = URL_SAFE_NO_PAD.decode(cookie).ok()?;
        let (nonce, sealed) = bytes.split_first_chunk::<NONCE_LEN>()?;
        let mut sealed = sealed.to_vec();
        let nonce = Nonce::assume_unique_for_key(*nonce);
        let opened = self.0.open_in_place(nonce, Aad::from(PURPOSE), &mut sealed).ok()?;
        let pending: PendingSignIn = serde_json::from_slice(opened).ok()?;
        let age = now.as_second().saturating_sub(pending.begun_at);
        (0..=limits::ISSUER_SIGN_IN_SECONDS).contains(&age).then_some(pending)
    }
}

fn seal_problem(error: &dyn fmt::Display) -> Problem {
    Problem::new(ProblemCode::DeskFailed, Message::ServeFailed.with([error.to_string()]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cookie_is_sealed_for_ten_minutes() {
        let at = |second| Timestamp::from_second(second).unwrap();
        let secrets = ("state".to_owned(), "nonce".to_owned(), "verifier".to_owned());
        let pending = PendingSignIn::new(secrets, "key".to_owned(), at(1_000));
        let sealer = |issuer, client, secret| PendingSealer::new(issuer, client, secret).unwrap();
        let (ours, same) = (sealer("i", "c", "s"), sealer("i", "c", "s"));
        let cookie = ours.seal(&pending).unwrap();
        assert!(!cookie.contains("verifier") && cookie != ours.seal(&pending).unwrap());
        // Another server of the same desk opens it.
        assert!(same.open(&cookie, at(1_000)) == Some(pending.clone()));
        assert!(same.open(&cookie, at(1_600)) == Some(pending));
        assert!(same.open(&cookie, at(1_601)).is_none() && same.open(&cookie, at(999)).is_none());
        for other in [("j", "c", "s"), ("i", "d", "s"), ("i", "c", "t")] {
            assert!(sealer(other.0, other.1, other.2).open(&cookie, at(1_000)).is_none());
        }
        for end in [0, 5, 20, cookie.len() - 1] {
            assert!(same.open(&cookie[..end], at(1_000)).is_none(), "{end}");
        }
    }
}
