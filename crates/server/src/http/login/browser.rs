//! Authentication of browsers, by cookie and proof.
//!
//! **Invariant:** a browser sends its cookie with any request, whichever page caused it. So the cookie counts only if
//! the browser states that the person or a page of this server made the request. A request that changes something
//! must state it explicitly.

use super::LoginState;
use super::proof::{self, ProvenRequest};
use crate::diagnostics::log_problem;
use crate::http::context::ServerContext;
use crate::http::middleware::auth;
use crate::http::middleware::call::ApiCall;
use crate::http::middleware::caller::AuthenticatedCaller;
use crate::http::middleware::response;
use crate::http::middleware::revocation::Credential;
use axum::http::Method;
use axum::http::header::{self, HeaderMap};
use axum::http::request::Parts;
use axum::response::Response;
use sayso_core::model::actor::Surface;
use sayso_core::{AskReader, Message, Problem, ProblemCode};
use sayso_desk::StoreDesk;
use sayso_desk::browser_session::BrowserSessionRecord;
use sayso_desk::token::{TokenAudience, TokenRole};
use std::sync::Arc;

/// Name of the session cookie.
pub(crate) const COOKIE: &str = "sayso_session";

/// Sets the session cookie for so many seconds, with `Secure` if the page was loaded over TLS.
pub(super) fn with_session_cookie(reply: Response, call: &ApiCall, value: &str, seconds: i64) -> Response {
    let origin = call.header(&header::ORIGIN).unwrap_or_default();
    let is_https = origin.starts_with("https://");
    response::with_cookie(reply, &session_cookie(is_https, value, seconds))
}

/// Returns the session cookie.
pub(super) fn session_cookie(is_https: bool, value: &str, seconds: i64) -> String {
    let secure = if is_https { "; Secure" } else { "" };
    format!("{COOKIE}={value}; Path=/; HttpOnly; SameSite=Strict; Max-Age={seconds}{secure}")
}

/// Returns the person whose browser sent the cookie and proved the request, or `None` without a cookie.
///
/// # Errors
/// Fails if the session has ended or is not of the user whom the sign-in proxy names, the proof is missing or wrong, or
/// the browser does not state that a page of this server made the request.
pub(crate) fn authenticate(
    logins: &LoginState,
    parts: &Parts,
) -> Result<Option<AuthenticatedCaller>, Problem> {
    let Some(session) = cookie_session(logins, &parts.headers)? else { return Ok(None) };
    // Someone else may have signed in at the proxy since.
    if let Some(proxy) = &logins.sign_in_proxy
        && let Some(user) = proxy.account(&parts.headers)?
        && user != session.account
    {
        return Err(Problem::new(ProblemCode::Unauthorized, Message::SignInProxyUser));
    }
    // The session of a program has no key: its secret is no cookie.
    let Some(public_key) = &session.public_key else { return Err(session_over()) };
    let mut proven_body = None;
    if !proof::is_proven_later(parts) {
        let context = &logins.context;
        let proof = proof::proof_header(parts)?;
        let request = ProvenRequest::from_parts(parts)?;
        proven_body = Some(request.check(proof, public_key, &context.used_proofs, (context.now)())?);
    }
    check_same_origin(&parts.method, &auth::request_host(parts)?, &parts.headers)?;
    Ok(Some(AuthenticatedCaller { proven_body, ..session_caller(&logins.context, session)? }))
}

/// Returns the session whose cookie a browser sent, proven or not, and extends it; `None` without a cookie.
///
/// # Errors
/// Fails if the session has ended, or the desk cannot be read.
fn cookie_session(logins: &LoginState, headers: &HeaderMap) -> Result<Option<BrowserSessionRecord>, Problem> {
    let Some(cookie) = cookie_value(headers, COOKIE)? else { return Ok(None) };
    // Takes a few microseconds on a connection of its own, as the lookup of a token does.
    let Some(session) = logins.context.desk.browser_session_by_cookie(cookie)? else {
        return Err(session_over());
    };
    extend_session(logins, &session);
    Ok(Some(session))
}

/// Records the use of a session, if that is due.
pub(in crate::http) fn extend_session(logins: &LoginState, session: &BrowserSessionRecord) {
    if session.is_use_due((logins.context.now)()) {
        record_use(logins.context.desk.clone(), session.id.clone());
    }
}

/// Records the use of a session on the blocking pool: it waits for the desk's lock. If that fails, the session merely
/// ends earlier.
fn record_use(desk: Arc<StoreDesk>, id: String) {
    tokio::task::spawn_blocking(move || {
        if let Err(problem) = desk.record_browser_use(&id) {
            log_problem(&problem);
        }
    });
}

/// Returns the problem of a session that has ended.
pub(in crate::http) fn session_over() -> Problem {
    Problem::new(ProblemCode::Unauthorized, Message::SessionOver)
}

/// Returns the caller of a session.
///
/// # Errors
/// Fails if the desk cannot be read.
pub(in crate::http) fn session_caller(
    context: &ServerContext,
    session: BrowserSessionRecord,
) -> Result<AuthenticatedCaller, Problem> {
    let (reader, credential) = if session.service.is_some() {
        (AskReader::service_user(session.account.clone()), Credential::ServiceSession(session.id))
    } else {
        let reader = context.reader(&session.account, TokenRole::Person)?;
        (reader, Credential::BrowserSession(session.id))
    };
    Ok(AuthenticatedCaller {
        reader,
        account: session.account,
        role: TokenRole::Person,
        acts_as: None,
        credential,
        surface: Surface::Page,
        audience: TokenAudience::default(),
        steps_outside: false,
        proven_body: None,
    })
}

/// Returns the value of a cookie. Two of this name are an error: a page on another port may have set one of them.
pub(super) fn cookie_value<'h>(
    headers: &'h HeaderMap,
    cookie_name: &str,
) -> Result<Option<&'h str>, Problem> {
    let mut cookie_value = None;
    for line in headers.get_all(header::COOKIE) {
        for pair in line.to_str().unwrap_or_default().split(';') {
            if let Some((name, value)) = pair.trim().split_once('=')
                && name == cookie_name
                && cookie_value.replace(value).is_some()
            {
                let message = Message::HeaderUnreadable.with(["cookie"]);
                return Err(Problem::new(ProblemCode::BadHeader, message));
            }
        }
    }
    Ok(cookie_value)
}

/// Checks that a page of this server made a request, or the person did.
///
/// # Errors
/// Fails if the browser does not state it.
pub(in crate::http) fn check_same_origin(
    method: &Method,
    host: &str,
    headers: &HeaderMap,
) -> Result<(), Problem> {
    let origin = auth::single_header(headers, &header::ORIGIN)?.map(str::to_ascii_lowercase);
    let site = auth::single_header(headers, &auth::SEC_FETCH_SITE)?;
    let is_other_origin = matches!(&origin, Some(origin) if auth::origin_authority(origin) != Some(host));
    let is_own_site = match site {
        Some("same-origin") => true,
        // The person typed the address: a page cannot send a change so.
        Some("none") => method.is_safe(),
        Some(_) => false,
        None => method.is_safe() || origin.is_some(),
    };
    if is_other_origin || !is_own_site {
        return Err(Problem::new(ProblemCode::OriginNotAllowed, Message::SessionPagesOnly));
    }
    Ok(())
}
