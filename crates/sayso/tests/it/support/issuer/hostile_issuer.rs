//! Issuer that does wrong: it signs whatever a test wants, with whichever key, and counts who asks.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair as _};
use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

/// Replies of the issuer.
struct IssuerState {
    url: String,
    /// Keys; the first one is published.
    keys: Vec<EcdsaKeyPair>,
    /// Claims of the next ID token.
    claims: Value,
    /// Key that signs it, by its position.
    signer: usize,
    /// Key id in its header.
    key_id: String,
    /// Requests for a token: head and body.
    exchanges: Vec<String>,
    /// True if it says that it names itself in each reply.
    names_itself: bool,
}

/// Running issuer.
#[derive(Clone)]
pub(crate) struct HostileIssuer(Arc<Mutex<IssuerState>>);

fn new_key() -> EcdsaKeyPair {
    let random = SystemRandom::new();
    let document = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &random).unwrap();
    EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, document.as_ref(), &random).unwrap()
}

fn encode(value: &Value) -> String {
    URL_SAFE_NO_PAD.encode(value.to_string())
}

impl HostileIssuer {
    pub(crate) fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let issuer = Self(Arc::new(Mutex::new(IssuerState {
            url,
            keys: vec![new_key(), new_key()],
            claims: Value::Null,
            signer: 0,
            key_id: "first".to_owned(),
            exchanges: Vec::new(),
            names_itself: false,
        })));
        let served = issuer.clone();
        std::thread::spawn(move || listener.incoming().flatten().for_each(|socket| served.serve(socket)));
        issuer
    }

    pub(crate) fn url(&self) -> String {
        self.0.lock().unwrap().url.clone()
    }

    /// Returns the claims of a good token for a sign-in with this nonce.
    pub(crate) fn good_claims(&self, nonce: &str, now: i64) -> Value {
        json!({
            "iss": self.url(), "sub": "ada", "aud": "desk", "exp": now + 300, "iat": now, "nonce": nonce,
            "groups": ["desk"],
        })
    }

    /// Sets the claims of the next token, and the key that signs it.
    pub(crate) fn sign_next(&self, claims: Value, signer: usize, key_id: &str) {
        let mut state = self.0.lock().unwrap();
        (state.claims, state.signer) = (claims, signer);
        key_id.clone_into(&mut state.key_id);
    }

    /// Publishes its second key in place of the first one, under this id.
    pub(crate) fn exchange_keys(&self) {
        self.0.lock().unwrap().keys.rotate_left(1);
    }

    /// Says from now on that it names itself in each reply.
    pub(crate) fn name_itself(&self) {
        self.0.lock().unwrap().names_itself = true;
    }

    /// Returns the requests for a token.
    pub(crate) fn exchanges(&self) -> Vec<String> {
        self.0.lock().unwrap().exchanges.clone()
    }

    fn serve(&self, mut socket: TcpStream) {
        let mut reader = BufReader::new(socket.try_clone().unwrap());
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            if reader.read_line(&mut head).unwrap_or(0) == 0 {
                return;
            }
        }
        let length = head.lines().find_map(|line| {
            let (name, value) = line.split_once(':')?;
            name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse::<usize>().unwrap())
        });
        let mut body = vec![0; length.unwrap_or(0)];
        if reader.read_exact(&mut body).is_err() {
            return;
        }
        let target = head.split(' ').nth(1).unwrap_or_default().to_owned();
        let reply = self.reply(&target, || format!("{head}{}", String::from_utf8(body).unwrap()));
        let text = reply.to_string();
        let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close";
        // A client that left needs no reply.
        let _ = write!(socket, "{head}\r\ncontent-length: {}\r\n\r\n{text}", text.len());
    }

    fn reply(&self, target: &str, request: impl FnOnce() -> String) -> Value {
        let mut state = self.0.lock().unwrap();
        let url = &state.url;
        match target {
            "/.well-known/openid-configuration" => json!({
                "issuer": url, "authorization_endpoint": format!("{url}/authorize"),
                "token_endpoint": format!("{url}/token"), "jwks_uri": format!("{url}/keys"),
                "response_types_supported": ["code"], "subject_types_supported": ["public"],
                "id_token_signing_alg_values_supported": ["ES256", "HS256", "none"],
                "authorization_response_iss_parameter_supported": state.names_itself,
            }),
            "/keys" => {
                let point = state.keys[0].public_key().as_ref();
                let [x, y] = [&point[1..33], &point[33..]].map(|part| URL_SAFE_NO_PAD.encode(part));
                let key = json!({
                    "kty": "EC", "crv": "P-256", "use": "sig", "alg": "ES256", "kid": state.key_id, "x": x, "y": y,
                });
                json!({ "keys": [key] })
            }
            _ => {
                state.exchanges.push(request());
                let token = id_token(&state);
                json!({ "access_token": "access", "token_type": "Bearer", "expires_in": 60, "id_token": token })
            }
        }
    }
}

fn id_token(state: &IssuerState) -> String {
    // A position without a key means a token without a signature, or one by the shared secret.
    let algorithm = match state.signer {
        8 => "HS256",
        9 => "none",
        _ => "ES256",
    };
    let header = json!({ "alg": algorithm, "kid": state.key_id, "typ": "JWT" });
    let signed = format!("{}.{}", encode(&header), encode(&state.claims));
    let signature = match state.keys.get(state.signer) {
        Some(key) => key.sign(&SystemRandom::new(), signed.as_bytes()).unwrap().as_ref().to_vec(),
        None if algorithm == "HS256" => {
            let key = ring::hmac::Key::new(ring::hmac::HMAC_SHA256, super::npm_issuer::SECRET.as_bytes());
            ring::hmac::sign(&key, signed.as_bytes()).as_ref().to_vec()
        }
        None => Vec::new(),
    };
    format!("{signed}.{}", URL_SAFE_NO_PAD.encode(signature))
}
