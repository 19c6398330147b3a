//! HTTP client: credentials, responses and retries.

use super::address::{RemoteAddress, percent_encode};
use super::error;
use super::token::{CallerRole, TokenSet};
use crate::clock;
use sayso_core::LocalizedText;
use sayso_core::i18n::own;
use sayso_core::{Lang, Message, Problem, ProblemCode, limits};
use serde_json::Value;
use std::fmt;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use ureq::http::{HeaderMap, Request, Response, header, request};
use ureq::tls::{RootCerts, TlsConfig};
use ureq::{Agent, AsSendBody, Body, Error};

const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
const READ_TIMEOUT: Duration = Duration::from_secs(30);
/// Read timeout of a stream. The server sends something every 15 seconds; after three times as long the connection is
/// dead.
const STREAM_READ_TIMEOUT: Duration = Duration::from_secs(45);
/// Longest time that a call is retried while a server that was reachable is away.
const RETRY_LIMIT: Duration = Duration::from_secs(10);
const FIRST_PAUSE: Duration = Duration::from_millis(50);
const LONGEST_PAUSE: Duration = Duration::from_secs(1);

/// HTTP client of a desk's server, with one connection kept between calls.
pub(super) struct HttpClient {
    address: RemoteAddress,
    tokens: TokenSet,
    lang: Lang,
    agent: Agent,
    /// True if this process has reached the server before; only then calls are retried, so that a wrong address fails at
    /// once.
    was_reached: AtomicBool,
}

/// HTTP request.
pub(super) struct HttpRequest<'c> {
    pub(super) method: &'static str,
    /// Path and query, relative to the desk's address.
    pub(super) path: String,
    pub(super) caller: CallerRole,
    pub(super) key: Option<String>,
    pub(super) if_match: Option<u64>,
    pub(super) body: RequestBody<'c>,
}

/// Body of a request.
#[derive(Clone, Copy)]
pub(super) enum RequestBody<'c> {
    Nothing,
    Json(&'c str),
    Bytes(&'c [u8]),
}

impl<'c> HttpRequest<'c> {
    pub(super) fn get(caller: CallerRole, path: impl Into<String>) -> Self {
        Self { method: "GET", ..Self::post(caller, path, RequestBody::Nothing) }
    }

    pub(super) fn post(caller: CallerRole, path: impl Into<String>, body: RequestBody<'c>) -> Self {
        Self { method: "POST", path: path.into(), caller, key: None, if_match: None, body }
    }
}

/// Successful response.
pub(super) struct HttpResponse {
    pub(super) status: u16,
    pub(super) body: Vec<u8>,
}

impl HttpResponse {
    /// Returns the body as text.
    ///
    /// # Errors
    /// If it is not UTF-8.
    pub(super) fn text(&self) -> Result<&str, Problem> {
        std::str::from_utf8(&self.body).map_err(unreadable_response)
    }
}

/// Returns the problem of an unreadable response.
pub(super) fn unreadable_response(error: impl fmt::Display) -> Problem {
    Problem::new(ProblemCode::DeskFailed, Message::DeskFailed.with([own(error)]))
        .with_hint(Message::DeskFailedHint)
}

/// Failure of a call.
pub(super) enum CallFailure {
    /// The server is unavailable, perhaps briefly.
    Unavailable(Box<Problem>, Option<Duration>),
    /// A retry is of no use.
    Permanent(Box<Problem>),
}

impl CallFailure {
    /// Returns the failure of an unavailable server, with the delay that it asked for.
    pub(super) fn unavailable(problem: Problem, retry_after: Option<Duration>) -> Self {
        Self::Unavailable(Box::new(problem), retry_after)
    }

    /// Returns a failure that a retry cannot help.
    pub(super) fn permanent(problem: Problem) -> Self {
        Self::Permanent(Box::new(problem))
    }

    fn into_problem(self) -> Problem {
        match self {
            Self::Unavailable(problem, _) | Self::Permanent(problem) => *problem,
        }
    }
}

impl HttpClient {
    pub(super) fn new(address: RemoteAddress, tokens: TokenSet, lang: Lang) -> Self {
        let agent = new_agent(&address, READ_TIMEOUT);
        Self { address, tokens, lang, agent, was_reached: AtomicBool::new(false) }
    }

    pub(super) fn address(&self) -> &RemoteAddress {
        &self.address
    }

    pub(super) fn tokens(&self) -> &TokenSet {
        &self.tokens
    }

    /// Returns whether such a call may name the person or asker it acts for.
    ///
    /// # Errors
    /// If there is no token for it.
    pub(super) fn vouches(&self, caller: CallerRole) -> Result<bool, Problem> {
        Ok(self.tokens.credentials_for(caller)?.vouches())
    }

    /// Sends a request, and retries for a while if the server was reachable before.
    ///
    /// # Errors
    /// The server's problem, or that it cannot be reached.
    pub(super) fn send_with_retry(&self, call: &HttpRequest<'_>) -> Result<HttpResponse, Problem> {
        self.retry_while_unavailable(|| self.try_once(call))
    }

    /// Retries an action while a server that was reachable before is away.
    ///
    /// # Errors
    /// The last failure.
    pub(super) fn retry_while_unavailable<T>(
        &self,
        mut act: impl FnMut() -> Result<T, CallFailure>,
    ) -> Result<T, Problem> {
        let until = Instant::now() + RETRY_LIMIT;
        let mut pause = FIRST_PAUSE;
        loop {
            let failure = match act() {
                Ok(output) => {
                    self.was_reached.store(true, Ordering::Relaxed);
                    return Ok(output);
                }
                Err(failure) => failure,
            };
            if !self.was_reached.load(Ordering::Relaxed) {
                return Err(failure.into_problem());
            }
            let (problem, retry_after) = match failure {
                CallFailure::Unavailable(problem, retry_after) => (problem, retry_after),
                CallFailure::Permanent(problem) => return Err(*problem),
            };
            let wait = jittered(retry_after.unwrap_or(pause));
            if Instant::now() + wait > until {
                return Err(*problem);
            }
            #[expect(clippy::disallowed_methods, reason = "nothing tells when a server is back")]
            std::thread::sleep(wait);
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
    }

    fn try_once(&self, call: &HttpRequest<'_>) -> Result<HttpResponse, CallFailure> {
        let mut response = self.send(&self.agent, call, "application/json")?;
        let status = response.status().as_u16();
        let body = self.read_body(&mut response)?;
        if (200..300).contains(&status) && (body.is_empty() || has_desk_content_type(response.headers())) {
            return Ok(HttpResponse { status, body });
        }
        Err(self.response_failure(status, response.headers(), &body))
    }

    /// Begins an event stream, with an agent of its own: shutting that down ends the stream.
    ///
    /// # Errors
    /// If the server cannot be reached or refuses.
    pub(super) fn stream(
        &self,
        agent: &Agent,
        path: &str,
        since: Option<&str>,
    ) -> Result<ureq::BodyReader<'static>, CallFailure> {
        let call = HttpRequest::get(CallerRole::Anyone, path);
        let mut request = self.request(&call, "text/event-stream")?;
        if let Some(since) = since {
            request = request.header("last-event-id", since);
        }
        let mut response = self.run(agent, request, ())?;
        let status = response.status().as_u16();
        if status == 200 {
            return Ok(response.into_body().into_reader());
        }
        let body = self.read_body(&mut response)?;
        Err(self.response_failure(status, response.headers(), &body))
    }

    /// Reads the body of a response.
    fn read_body(&self, response: &mut Response<Body>) -> Result<Vec<u8>, CallFailure> {
        let body = response.body_mut().with_config().limit(limits::REPLY_BYTES).read_to_vec();
        body.map_err(|error| self.transport_failure(&error))
    }

    /// Sends a request with this body.
    fn run(
        &self,
        agent: &Agent,
        request: request::Builder,
        body: impl AsSendBody,
    ) -> Result<Response<Body>, CallFailure> {
        let response = match request.body(body) {
            Ok(request) => agent.run(request),
            Err(error) => Err(error.into()),
        };
        response.map_err(|error| self.transport_failure(&error))
    }

    /// Returns an agent for one stream.
    pub(super) fn streaming_agent(&self) -> Agent {
        new_agent(&self.address, STREAM_READ_TIMEOUT)
    }

    fn send(
        &self,
        agent: &Agent,
        call: &HttpRequest<'_>,
        accept: &str,
    ) -> Result<Response<Body>, CallFailure> {
        let mut request = self.request(call, accept)?;
        if let Some(key) = &call.key {
            request = request.header("idempotency-key", percent_encode(key));
        }
        if let Some(rev) = call.if_match {
            request = request.header(header::IF_MATCH, format!("\"{rev}\""));
        }
        match call.body {
            RequestBody::Nothing if call.method == "GET" => self.run(agent, request, ()),
            RequestBody::Nothing => self.run(agent, request, [].as_slice()),
            RequestBody::Json(text) => {
                let request = request.header(header::CONTENT_TYPE, "application/json");
                self.run(agent, request, text.as_bytes())
            }
            RequestBody::Bytes(bytes) => {
                let request = request.header(header::CONTENT_TYPE, "application/octet-stream");
                self.run(agent, request, bytes)
            }
        }
    }

    fn request(&self, call: &HttpRequest<'_>, accept: &str) -> Result<request::Builder, CallFailure> {
        let credentials = self.tokens.credentials_for(call.caller).map_err(CallFailure::permanent)?;
        let request = Request::builder()
            .method(call.method)
            .uri(self.address.url(&call.path))
            .header(header::AUTHORIZATION, &credentials.authorization)
            .header(header::ACCEPT, accept)
            .header(header::ACCEPT_LANGUAGE, self.lang.code());
        Ok(match credentials.acts_as {
            Some(role) => request.header("sayso-role", role),
            None => request,
        })
    }

    /// Converts an unsuccessful response to a failure.
    fn response_failure(&self, status: u16, headers: &HeaderMap, body: &[u8]) -> CallFailure {
        let value: Value = serde_json::from_slice(body).unwrap_or_default();
        let problem = match error::parse_problem(&value) {
            Some(problem) => problem,
            None => self.unknown_problem(status, header_text(headers, "location"), &value),
        };
        match status {
            429 | 502..=504 => {
                // A server that limits the rate is reachable.
                self.was_reached.fetch_or(status == 429, Ordering::Relaxed);
                let seconds = header_text(headers, "retry-after").unwrap_or_default();
                let retry_after = seconds.trim().parse().ok().map(Duration::from_secs);
                CallFailure::unavailable(problem, retry_after)
            }
            _ => {
                self.was_reached.store(true, Ordering::Relaxed);
                CallFailure::permanent(problem)
            }
        }
    }

    /// Returns the problem of a response without a known problem in its body.
    fn unknown_problem(&self, status: u16, location: Option<&str>, body: &Value) -> Problem {
        let detail = body.get("detail").and_then(Value::as_str);
        let code = match status {
            401 => ProblemCode::Unauthorized,
            403 => ProblemCode::NotAllowed,
            413 => ProblemCode::TooLarge,
            429 => ProblemCode::TooManyRequests,
            500..=599 => ProblemCode::DeskUnreachable,
            _ => ProblemCode::DeskNotOurs,
        };
        match (detail, location, code) {
            (Some(detail), ..) => Problem::new(code, LocalizedText::Verbatim(detail.to_owned())),
            (None, Some(place), ProblemCode::DeskNotOurs) => {
                let message = Message::DeskMoved.with([own(&self.address), own(place)]);
                Problem::new(code, message).with_hint(Message::DeskMovedHint)
            }
            (None, _, ProblemCode::DeskNotOurs) => {
                Problem::new(code, Message::NoDeskThere.with([own(&self.address)]))
                    .with_hint(Message::RemoteHint)
            }
            _ => self.unreachable_problem(code, &format!("HTTP {status}")),
        }
    }

    fn unreachable_problem(&self, code: ProblemCode, why: &str) -> Problem {
        let message = Message::RemoteUnreachable.with([own(&self.address), own(why)]);
        Problem::new(code, message).with_hint(Message::RemoteHint)
    }

    /// Converts a transport error to a failure.
    fn transport_failure(&self, error: &Error) -> CallFailure {
        let why = match error {
            // The kind names a cause that a person can act upon, without the system's number.
            Error::Io(error) if error.kind() != io::ErrorKind::Other => error.kind().to_string(),
            error => error.to_string(),
        };
        let problem = self.unreachable_problem(ProblemCode::DeskUnreachable, &why);
        // Invalid certificates show as invalid data; a retry does not help.
        let is_cut = match error {
            Error::Io(error) => error.kind() != io::ErrorKind::InvalidData,
            Error::Timeout(_) | Error::ConnectionFailed | Error::Protocol(_) | Error::BodyStalled => true,
            _ => false,
        };
        // A peer that closes a connection was reachable.
        let was_there = match error {
            Error::Io(error) => matches!(
                error.kind(),
                io::ErrorKind::ConnectionReset
                    | io::ErrorKind::ConnectionAborted
                    | io::ErrorKind::BrokenPipe
                    | io::ErrorKind::UnexpectedEof
            ),
            Error::Protocol(_) | Error::BodyStalled => true,
            _ => false,
        };
        self.was_reached.fetch_or(was_there, Ordering::Relaxed);
        if is_cut { CallFailure::unavailable(problem, None) } else { CallFailure::permanent(problem) }
    }
}

/// Returns the value of a header; `None` also if it is not ASCII.
fn header_text<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    headers.get(name)?.to_str().ok()
}

/// Returns whether a response has a content type that desks use; an HTML page from something else has not.
fn has_desk_content_type(headers: &HeaderMap) -> bool {
    let kind = header_text(headers, header::CONTENT_TYPE.as_str()).unwrap_or_default();
    kind.starts_with("application/json") || kind.starts_with("application/octet-stream")
}

/// Adds jitter to a pause, so that clients do not all come back at once.
pub(super) fn jittered(pause: Duration) -> Duration {
    let random = clock::new_id(true).as_bytes().first().copied().unwrap_or_default();
    pause.mul_f64(0.5 + f64::from(random) / 255.0)
}

/// Returns an agent with this read timeout.
fn new_agent(address: &RemoteAddress, silence: Duration) -> Agent {
    let config = Agent::config_builder()
        .http_status_as_error(false)
        .max_redirects(0)
        .max_redirects_will_error(false)
        .user_agent(concat!("sayso/", env!("CARGO_PKG_VERSION")))
        .tls_config(TlsConfig::builder().root_certs(RootCerts::PlatformVerifier).build())
        .timeout_connect(Some(CONNECT_TIMEOUT))
        .timeout_per_read(Some(silence))
        .timeout_per_write(Some(silence));
    // Servers on this machine are never behind a proxy.
    let config = if address.is_loopback() { config.proxy(None) } else { config };
    config.build().new_agent()
}
