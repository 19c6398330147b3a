//! Proof that a page of this origin made a request: a signature with the key that sign-in left in the browser, over the
//! request and the digest of its body. It is good for one request at a node.
//!
//! **Invariant:** a cookie knows no ports, so every server of the host receives it. The key never leaves the storage of
//! one origin, so only its pages can sign. A cookie without a proof lets no one in.

use crate::http::middleware::auth::{self, single_header};
use axum::http::header;
use axum::http::request::Parts;
use axum::http::uri::PathAndQuery;
use axum::http::{HeaderName, Method};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jiff::Timestamp;
use ring::digest::{SHA256, SHA256_OUTPUT_LEN, digest};
use ring::signature::{ECDSA_P256_SHA256_FIXED, UnparsedPublicKey};
use sayso_core::{Message, Problem, ProblemCode, limits};
use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};

/// Header with the proof.
pub(crate) const SAYSO_PROOF: HeaderName = HeaderName::from_static("sayso-proof");
/// First line of the signed text.
const VERSION: &str = "sayso-proof-2";
/// Size of a public key: a marker and two coordinates.
const KEY_BYTES: usize = 65;
/// Marker of an uncompressed point (SEC 1, section 2.3.3).
const UNCOMPRESSED: u8 = 4;
/// Path of the only request that proves itself later: a browser can add no header to a WebSocket.
const SOCKET_PATH: &str = "/ws";

/// Size of the first half of a signature, which is not the same in two signatures of one text.
const SIGNATURE_HALF_BYTES: usize = 32;

/// Body that a proof is for, by its SHA-256.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ProvenBody([u8; SHA256_OUTPUT_LEN]);

impl ProvenBody {
    /// Checks that the body is the one that was signed.
    ///
    /// # Errors
    /// Fails if it is another one.
    pub(crate) fn check(&self, body: &[u8]) -> Result<(), Problem> {
        if digest(&SHA256, body).as_ref() == self.0 { Ok(()) } else { Err(unproven(Message::ProofWrong)) }
    }
}

/// Proofs that were taken, each as long as it would be valid: a proof is good for one request. Two sets take turns, so
/// that none has to be searched for what is over.
#[derive(Debug, Default)]
pub(crate) struct UsedProofs(Mutex<UsedSets>);

#[derive(Debug, Default)]
struct UsedSets {
    /// Number of the period, each as long as a proof can be valid.
    period: i64,
    current: HashSet<[u8; SIGNATURE_HALF_BYTES]>,
    previous: HashSet<[u8; SIGNATURE_HALF_BYTES]>,
}

impl UsedProofs {
    /// Takes a signature that is valid, and returns whether it is new. Only the first half counts: with another second
    /// half, the same proof can be written twice.
    fn take(&self, signature: &[u8], now: Timestamp) -> bool {
        let Some(half) = signature.first_chunk::<SIGNATURE_HALF_BYTES>() else { return false };
        // A proof may be as much ahead of the server's clock as behind it.
        let period = now.as_second() / (2 * limits::PROOF_SECONDS.cast_signed());
        let mut sets = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if period != sets.period {
            let last_period = sets.period;
            let last_set = std::mem::take(&mut sets.current);
            sets.previous = if period == last_period + 1 { last_set } else { HashSet::new() };
            sets.period = period;
        }
        !sets.previous.contains(half) && sets.current.insert(*half)
    }
}

/// Request that a proof is for.
pub(crate) struct ProvenRequest {
    method: Method,
    host: String,
    target: String,
}

impl ProvenRequest {
    /// Reads the request.
    ///
    /// # Errors
    /// Fails if it names no host.
    pub(crate) fn from_parts(parts: &Parts) -> Result<Self, Problem> {
        let target = parts.uri.path_and_query().map_or("/", PathAndQuery::as_str).to_owned();
        Ok(Self { method: parts.method.clone(), host: auth::request_host(parts)?, target })
    }

    /// Returns the request that opened a WebSocket under this host name.
    pub(crate) fn socket(host: &str) -> Self {
        Self { method: Method::GET, host: host.to_ascii_lowercase(), target: SOCKET_PATH.to_owned() }
    }

    /// Checks a proof, and returns the body that it is for.
    ///
    /// # Errors
    /// Fails if it is missing, made for another request or by another key, not of this time, or used before.
    pub(crate) fn check(
        &self,
        proof: Option<&str>,
        public_key: &[u8],
        used: &UsedProofs,
        now: Timestamp,
    ) -> Result<ProvenBody, Problem> {
        let Some((millis, signed_body)) = proof.and_then(|proof| proof.split_once('.')) else {
            return Err(unproven(Message::ProofMissing));
        };
        let Some(proof) = Proof::parse(millis, signed_body) else {
            return Err(unproven(Message::ProofWrong));
        };
        if now.as_millisecond().abs_diff(proof.at_ms) > limits::PROOF_SECONDS.saturating_mul(1_000) {
            return Err(unproven(Message::ProofStale));
        }
        let Self { method, host, target } = self;
        let text = format!("{VERSION}\n{method}\n{host}\n{target}\n{millis}\n{}", proof.body);
        let public_key = UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, public_key);
        if public_key.verify(text.as_bytes(), &proof.signature).is_err() {
            return Err(unproven(Message::ProofWrong));
        }
        if !used.take(&proof.signature, now) {
            return Err(unproven(Message::ProofUsed));
        }
        Ok(ProvenBody(proof.digest))
    }
}

/// Parsed proof: `MILLIS.BODY.SIGNATURE`.
struct Proof<'p> {
    /// Time at which it was made, in milliseconds since 1970.
    at_ms: i64,
    /// Digest of the body, as it is signed.
    body: &'p str,
    digest: [u8; SHA256_OUTPUT_LEN],
    signature: Vec<u8>,
}

impl<'p> Proof<'p> {
    fn parse(millis: &str, signed_body: &'p str) -> Option<Self> {
        let (body, signature) = signed_body.split_once('.')?;
        Some(Self {
            at_ms: millis.parse().ok()?,
            body,
            digest: URL_SAFE_NO_PAD.decode(body).ok()?.try_into().ok()?,
            signature: URL_SAFE_NO_PAD.decode(signature).ok()?,
        })
    }
}

fn unproven(message: Message) -> Problem {
    Problem::new(ProblemCode::Unauthorized, message).with_hint(Message::SessionOver)
}

/// Returns the proof in the header of a request, if there is one.
///
/// # Errors
/// Fails if it is present twice or is no text.
pub(crate) fn proof_header(parts: &Parts) -> Result<Option<&str>, Problem> {
    single_header(&parts.headers, &SAYSO_PROOF)
}

/// Returns whether the first message of a WebSocket has to prove this request.
pub(crate) fn is_proven_later(parts: &Parts) -> bool {
    parts.uri.path() == SOCKET_PATH && parts.headers.contains_key(header::UPGRADE)
}

/// Decodes a browser's public key.
///
/// # Errors
/// Fails if it is no uncompressed point in base64url.
pub(crate) fn decode_key(text: &str) -> Result<Vec<u8>, Problem> {
    let bytes = URL_SAFE_NO_PAD.decode(text).unwrap_or_default();
    if bytes.len() == KEY_BYTES && bytes.first() == Some(&UNCOMPRESSED) {
        return Ok(bytes);
    }
    let message = Message::BrowserKeyWrong;
    Err(Problem::new(ProblemCode::InvalidValue, message).at(sayso_core::DocumentPath::root().join("key")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::SignedDuration;
    use ring::rand::SystemRandom;
    use ring::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair as _};

    fn key() -> EcdsaKeyPair {
        let random = SystemRandom::new();
        let document = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &random).unwrap();
        EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, document.as_ref(), &random).unwrap()
    }

    /// Returns a proof for the socket's request, at the time of the epoch.
    fn proof(key: &EcdsaKeyPair, body: &[u8]) -> String {
        let body = URL_SAFE_NO_PAD.encode(digest(&SHA256, body));
        let text = format!("{VERSION}\nGET\nlocalhost:7207\n/ws\n0\n{body}");
        let signature = key.sign(&SystemRandom::new(), text.as_bytes()).unwrap();
        format!("0.{body}.{}", URL_SAFE_NO_PAD.encode(signature))
    }

    #[test]
    fn proof_is_for_one_request() {
        let (key, other) = (key(), key());
        let check = |host: &str, seconds: i64, key: &EcdsaKeyPair, proof: Option<&str>| {
            let now = Timestamp::UNIX_EPOCH + SignedDuration::from_secs(seconds);
            let public = key.public_key().as_ref();
            ProvenRequest::socket(host).check(proof, public, &UsedProofs::default(), now)
        };
        let proof = proof(&key, b"words");
        let is_good = |host, seconds| check(host, seconds, &key, Some(&proof)).is_ok();
        assert!(
            is_good("LocalHost:7207", 0) && is_good("localhost:7207", 120) && is_good("localhost:7207", -120)
        );
        assert!(
            !is_good("localhost:7208", 0)
                && !is_good("localhost:7207", 121)
                && !is_good("localhost:7207", -121)
        );
        assert!(check("localhost:7207", 0, &other, Some(&proof)).is_err());
        for broken in
            [None, Some(""), Some("."), Some("0."), Some("x.y"), Some("0.AAAA"), Some("0.AAAA.AAAA")]
        {
            assert!(check("localhost:7207", 0, &key, broken).is_err(), "{broken:?}");
        }
        let body = check("localhost:7207", 0, &key, Some(&proof)).unwrap();
        assert!(
            body.check(b"words").is_ok() && body.check(b"other words").is_err() && body.check(b"").is_err()
        );
    }

    #[test]
    fn proof_is_good_once() {
        let (key, used) = (key(), UsedProofs::default());
        let proof = proof(&key, b"");
        let is_taken = |seconds: i64| {
            let now = Timestamp::UNIX_EPOCH + SignedDuration::from_secs(seconds);
            let public = key.public_key().as_ref();
            ProvenRequest::socket("localhost:7207").check(Some(&proof), public, &used, now).is_ok()
        };
        assert!(is_taken(-120));
        for seconds in [-120, -1, 0, 1, 120] {
            assert!(!is_taken(seconds), "{seconds}");
        }
        let size = |sets: &UsedSets| sets.current.len() + sets.previous.len();
        assert_eq!(size(&used.0.lock().unwrap()), 1);
        let later = Timestamp::UNIX_EPOCH + SignedDuration::from_hours(1);
        assert!(used.take(&[7; 64], later));
        assert_eq!(size(&used.0.lock().unwrap()), 1, "what is over is forgotten");
    }

    #[test]
    fn only_uncompressed_points_are_keys() {
        let encoded = URL_SAFE_NO_PAD.encode(key().public_key().as_ref());
        assert_eq!(decode_key(&encoded).unwrap().len(), KEY_BYTES);
        for wrong in ["", "AAAA", &encoded[1..], &format!("{encoded}="), &encoded.replacen('B', "A", 1)] {
            assert!(decode_key(wrong).is_err(), "{wrong}");
        }
    }
}
