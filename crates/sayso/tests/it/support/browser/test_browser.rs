//! Browser of a person, without its pages: it keeps a key and a cookie, and proves its requests.

use crate::support::http_client::{HttpCaller, HttpReply, TestRequest};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::digest::{SHA256, digest};
use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair as _};
use serde_json::{Value, json};
use std::time::{SystemTime, UNIX_EPOCH};

/// Browser at one origin.
pub(crate) struct TestBrowser {
    /// Host and port.
    pub(crate) address: String,
    key: EcdsaKeyPair,
    /// Cookie as it is sent; empty before the sign-in.
    pub(crate) cookie: String,
}

impl TestBrowser {
    pub(crate) fn new(address: &str) -> Self {
        let random = SystemRandom::new();
        let document = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &random).unwrap();
        let key = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, document.as_ref(), &random);
        Self { address: address.to_owned(), key: key.unwrap(), cookie: String::new() }
    }

    /// Returns the public key as it is sent.
    pub(crate) fn public_key(&self) -> String {
        URL_SAFE_NO_PAD.encode(self.key.public_key().as_ref())
    }

    /// Returns a request of a page, without cookie and proof.
    pub(crate) fn bare_request(&self, method: &str, target: &str) -> TestRequest {
        let caller = HttpCaller { address: self.address.clone(), token: None };
        let request = caller.request(method, target).header("origin", &format!("http://{}", self.address));
        request.header("sec-fetch-site", "same-origin")
    }

    /// Returns the proof of a request without a body.
    pub(crate) fn proof(&self, method: &str, target: &str) -> String {
        self.proof_at(method, target, millis_now())
    }

    /// Returns the proof of a request without a body at a time in milliseconds.
    pub(crate) fn proof_at(&self, method: &str, target: &str, millis: u128) -> String {
        self.proof_of(method, target, millis, b"")
    }

    /// Returns the proof of a request with a body at a time in milliseconds.
    pub(crate) fn proof_of(&self, method: &str, target: &str, millis: u128, body: &[u8]) -> String {
        let body = URL_SAFE_NO_PAD.encode(digest(&SHA256, body));
        let text = ["sayso-proof-2", method, &self.address, target, &millis.to_string(), &body].join("\n");
        let signature = self.key.sign(&SystemRandom::new(), text.as_bytes()).unwrap();
        format!("{millis}.{body}.{}", URL_SAFE_NO_PAD.encode(signature))
    }

    /// Returns a request of a page, without a body.
    pub(crate) fn request(&self, method: &str, target: &str) -> TestRequest {
        let request = self.bare_request(method, target).header("cookie", &self.cookie);
        request.header("sayso-proof", &self.proof(method, target))
    }

    /// Returns a request of a page with a body of JSON.
    pub(crate) fn request_with(&self, method: &str, target: &str, body: &Value) -> TestRequest {
        let request = self.bare_request(method, target).header("cookie", &self.cookie).json(body);
        let proof = self.proof_of(method, target, millis_now(), body.to_string().as_bytes());
        request.header("sayso-proof", &proof)
    }

    pub(crate) fn get(&self, target: &str) -> HttpReply {
        self.request("GET", target).send()
    }

    pub(crate) fn post(&self, target: &str, body: &Value) -> HttpReply {
        self.request_with("POST", target, body).send()
    }

    pub(crate) fn delete(&self, target: &str) -> HttpReply {
        self.request("DELETE", target).send()
    }

    /// Signs in with a code, and keeps the cookie.
    pub(crate) fn sign_in(&mut self, code: &str) -> HttpReply {
        let body = json!({ "code": code, "key": self.public_key() });
        let reply = self.bare_request("POST", "/v1/session").json(&body).send();
        self.keep_cookie(&reply);
        reply
    }

    /// Keeps the cookie that a reply sets.
    pub(crate) fn keep_cookie(&mut self, reply: &HttpReply) {
        if let Some(cookie) = reply.header("set-cookie") {
            self.cookie = cookie.split(';').next().unwrap().to_owned();
        }
    }
}

/// Returns the time in milliseconds since 1970.
#[expect(clippy::disallowed_methods, reason = "a browser tells the time by itself")]
pub(crate) fn millis_now() -> u128 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis()
}
