//! Proof that a page of this origin made a request: a signature with the key that sign-in left in the browser.
//!
//! **Invariant:** a cookie knows no ports, so every server of the host receives it. The key never leaves the storage of
//! one origin, so only its pages can sign. A cookie without a proof lets no one in.

use crate::http::middleware::auth::{self, single_header};
use axum::http::header;
use axum::http::request::Parts;
use axum::http::{HeaderName, Method};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jiff::Timestamp;
use ring::signature::{ECDSA_P256_SHA256_FIXED, UnparsedPublicKey};
use sayso_core::{Message, Problem, ProblemCode, limits};

/// Header with the proof.
pub(crate) const SAYSO_PROOF: HeaderName = HeaderName::from_static("sayso-proof");
/// First line of the signed text.
const VERSION: &str = "sayso-proof-1";
/// Size of a public key: a marker and two coordinates.
const KEY_BYTES: usize = 65;
/// Marker of an uncompressed point (SEC 1, section 2.3.3).
const UNCOMPRESSED: u8 = 4;
/// Path of the only request that proves itself later: a browser can add no header to a WebSocket.
const SOCKET_PATH: &str = "/ws";

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
        let target = parts.uri.path_and_query().map_or("/", |target| target.as_str()).to_owned();
        Ok(Self { method: parts.method.clone(), host: auth::request_host(parts)?, target })
    }

    /// Returns the request that opened a WebSocket under this host name.
    pub(crate) fn socket(host: &str) -> Self {
        Self { method: Method::GET, host: host.to_ascii_lowercase(), target: SOCKET_PATH.to_owned() }
    }

    /// Checks a proof.
    ///
    /// # Errors
    /// Fails if it is missing, made for another request or by another key, or not of this time.
    pub(crate) fn check(
        &self,
        proof: Option<&str>,
        public_key: &[u8],
        now: Timestamp,
    ) -> Result<(), Problem> {
        let (millis, signature) =
            proof.and_then(|proof| proof.split_once('.')).ok_or_else(|| unproven(Message::ProofMissing))?;
        let wrong = || unproven(Message::ProofWrong);
        let at: i64 = millis.parse().map_err(|_| wrong())?;
        if now.as_millisecond().abs_diff(at) > limits::PROOF_SECONDS.saturating_mul(1_000) {
            return Err(unproven(Message::ProofStale));
        }
        let signature = URL_SAFE_NO_PAD.decode(signature).map_err(|_| wrong())?;
        let Self { method, host, target } = self;
        let text = format!("{VERSION}\n{method}\n{host}\n{target}\n{millis}");
        UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, public_key)
            .verify(text.as_bytes(), &signature)
            .map_err(|_| wrong())
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

    #[test]
    fn proof_is_for_one_request() {
        let (key, other, now) = (key(), key(), Timestamp::UNIX_EPOCH);
        let text = format!("{VERSION}\nGET\nlocalhost:7207\n/ws\n{}", now.as_millisecond());
        let signature = key.sign(&SystemRandom::new(), text.as_bytes()).unwrap();
        let proof = format!("{}.{}", now.as_millisecond(), URL_SAFE_NO_PAD.encode(signature));
        let public = key.public_key().as_ref();
        let check = |host: &str, seconds| {
            let now = now + SignedDuration::from_secs(seconds);
            ProvenRequest::socket(host).check(Some(&proof), public, now).is_ok()
        };
        assert!(check("LocalHost:7207", 0) && check("localhost:7207", 120) && check("localhost:7207", -120));
        assert!(
            !check("localhost:7208", 0) && !check("localhost:7207", 121) && !check("localhost:7207", -121)
        );
        assert!(
            ProvenRequest::socket("localhost:7207")
                .check(Some(&proof), other.public_key().as_ref(), now)
                .is_err()
        );
        for broken in [None, Some(""), Some("."), Some("0."), Some("x.y"), Some("0.AAAA")] {
            assert!(
                ProvenRequest::socket("localhost:7207").check(broken, public, now).is_err(),
                "{broken:?}"
            );
        }
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
