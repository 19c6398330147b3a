//! Parts of every sign-in of a browser: the limit of its address, the browser, and the session with its cookie.

use super::LoginState;
use super::browser::with_session_cookie;
use super::proof::decode_key;
use crate::http::middleware::call::ApiCall;
use crate::http::middleware::rate_limit::rate_limit_problem;
use crate::http::middleware::response;
use axum::http::{StatusCode, header};
use axum::response::Response;
use sayso_core::wire::json;
use sayso_core::{Message, Problem, limits};
use sayso_desk::browser_session::{BrowserSecret, BrowserSessionRecord, NewBrowser};
use sayso_desk::token::TokenRole;
use schemars::JsonSchema;
use serde::Serialize;
use std::time::Instant;

/// Longest name of a browser that is kept, in characters.
const AGENT_CHARS: usize = 200;

/// The account that is signed in.
#[derive(Serialize, JsonSchema)]
pub(crate) struct SignedIn {
    /// The account.
    account: String,
    /// `person`.
    role: &'static str,
    /// The id of the session.
    session: String,
    /// The version of the server.
    version: &'static str,
}

/// Returns the response to a sign-in: the account, and the cookie of its session.
pub(super) fn signed_in(call: &ApiCall, session: BrowserSessionRecord, cookie: &BrowserSecret) -> Response {
    // The desk ends a member's session; its cookie lasts as long as a browser keeps one.
    let seconds = match session.expires_at {
        Some(expires_at) => expires_at.duration_since(session.last_seen_at).as_secs(),
        None => limits::SESSION_IDLE_SECONDS,
    };
    let body = SignedIn {
        account: session.account,
        role: TokenRole::Person.as_str(),
        session: session.id,
        version: env!("CARGO_PKG_VERSION"),
    };
    let reply = response::json(StatusCode::OK, json::write(&body));
    with_session_cookie(reply, call, cookie.reveal(), seconds)
}

/// Returns the browser that signs in with a key.
///
/// # Errors
/// Fails if the key is invalid.
pub(super) fn new_browser(call: &ApiCall, key: &str) -> Result<NewBrowser, Problem> {
    Ok(NewBrowser { public_key: decode_key(key)?, agent: agent_name(call) })
}

/// Returns the name that a browser gives itself.
fn agent_name(call: &ApiCall) -> Option<String> {
    let name = call.header(&header::USER_AGENT)?;
    Some(name.chars().take(AGENT_CHARS).collect())
}

/// Checks that not too many sign-ins from an address were refused.
///
/// # Errors
/// Fails if they were.
pub(super) fn check_rate(logins: &LoginState, call: &ApiCall) -> Result<(), Problem> {
    match logins.limiter.wait_time(&call.peer_key(), Instant::now()) {
        Some(wait) => Err(rate_limit_problem(wait)),
        None => Ok(()),
    }
}

/// Counts a wrong code against the limit of its address.
pub(super) fn refused(logins: &LoginState, call: &ApiCall, problem: Problem) -> Problem {
    count_refusal(logins, call, problem).with_hint(Message::LoginCodeAnew)
}

/// Counts a refused sign-in against the limit of its address.
pub(super) fn count_refusal(logins: &LoginState, call: &ApiCall, problem: Problem) -> Problem {
    // A request over the limit is refused next time.
    let _ = logins.limiter.take(&call.peer_key(), Instant::now());
    problem
}
