//! Browser sessions: sign-in, sign-out, and authentication by cookie.
//!
//! **Invariant:** a browser sends its cookie with any request, whichever page caused it. So the cookie counts only if
//! the browser states that the person or a page of this server made the request. A request that changes something
//! must state it explicitly.

use super::about::Me;
use super::app::App;
use super::call::Call;
use super::caller::Caller;
use super::gate;
use super::login::Logins;
use super::reply;
use super::route::{Access, Body, Content, Reply, Route, Verb, ok, run};
use super::shapes;
use super::stay::Credential;
use axum::http::header::{self, HeaderMap, HeaderName};
use axum::http::request::Parts;
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse as _, Response};
use sayso_core::wire::json;
use sayso_core::{Code, Digest, Message, Problem};
use sayso_desk::random;
use sayso_desk::token::Role;
use schemars::JsonSchema;
use serde::Deserialize;
use std::collections::HashSet;
use std::sync::{Arc, MutexGuard, PoisonError};
use std::time::Instant;

pub(super) const ROUTES: &[Route] = &[
    Route {
        verb: Verb::Post,
        path: "/v1/session",
        name: "sign_in",
        about: "Lets a browser in that knows the code which `sayso serve` shows in its terminal: it gets a cookie, and \
                has the role of a person.",
        access: Access::Open,
        parameters: &[],
        body: Body::Json(shapes::sign_in),
        replies: &[ok("It is signed in.", Content::Json(shapes::me))],
        problems: &[
            Code::Unauthorized,
            Code::TooManyRequests,
            Code::InvalidJson,
            Code::InvalidType,
            Code::TooLarge,
            Code::UnsupportedMediaType,
        ],
        run: run!(sign_in),
    },
    Route {
        verb: Verb::Delete,
        path: "/v1/session",
        name: "sign_out",
        about: "Ends the session of this browser, and what it holds open.",
        access: Access::Any,
        parameters: &[],
        body: Body::None,
        replies: &[Reply { status: 204, about: "It is signed out.", content: Content::None }],
        problems: &[Code::InvalidRequest],
        run: run!(sign_out),
    },
];

/// Name of the session cookie.
pub(super) const COOKIE: &str = "sayso_session";
/// Fetch metadata header with the origin of a browser's request.
pub(super) const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// The code that a person typed.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SignIn {
    /// The code that `sayso serve` showed in its terminal.
    code: String,
}

fn logins(app: &App) -> MutexGuard<'_, Logins> {
    app.logins.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Shows a new code at the terminal, if there is one and the last code is used or expired. A visitor of the sign-in
/// page triggers it, so no code appears unrequested.
pub(super) fn show_code(app: &App) {
    let (Some(terminal), Ok(random)) = (&app.terminal, random::bytes()) else { return };
    let code = logins(app).next_code(&terminal.account, u64::from_be_bytes(random), (app.now)());
    code.iter().for_each(|code| (terminal.show)(code));
}

/// Runs [`show_code`] on the blocking pool.
pub(super) fn show_code_beside(app: &Arc<App>) {
    if app.terminal.is_some() {
        let app = app.clone();
        tokio::task::spawn_blocking(move || show_code(&app));
    }
}

pub(super) async fn sign_in(app: Arc<App>, call: Call) -> Result<Response, Problem> {
    let SignIn { code } = call.json()?;
    let (peer, now) = (call.peer(), Instant::now());
    if let Some(after) = app.codes.wait(&peer, now) {
        return Err(super::rate::too_many(after));
    }
    let signed_in = logins(&app).sign_in(&code, &random::bytes()?, (app.now)());
    let (key, account) = signed_in.inspect_err(|_| {
        // A request over the limit is refused next time.
        let _ = app.codes.take(&peer, now);
        show_code_beside(&app);
    })?;
    let me = json::write(&Me::of(&account, Role::Person));
    Ok(with_cookie(reply::json(StatusCode::OK, me), &call, key.reveal(), ""))
}

pub(super) async fn sign_out(app: Arc<App>, call: Call) -> Result<Response, Problem> {
    let Credential::Session(key) = &call.caller()?.shown else {
        return Err(Problem::new(Code::InvalidRequest, Message::SessionNone));
    };
    logins(&app).sign_out(key);
    app.stays.end(&HashSet::from([Credential::Session(*key)]));
    Ok(with_cookie(StatusCode::NO_CONTENT.into_response(), &call, "", "; Max-Age=0"))
}

/// Sets the session cookie, with `Secure` if the page was loaded over TLS.
fn with_cookie(mut reply: Response, call: &Call, value: &str, more: &str) -> Response {
    let is_https = call.header(&header::ORIGIN).is_some_and(|origin| origin.starts_with("https://"));
    let secure = if is_https { "; Secure" } else { "" };
    let cookie = format!("{COOKIE}={value}; Path=/; HttpOnly; SameSite=Strict{secure}{more}");
    if let Ok(cookie) = HeaderValue::try_from(cookie) {
        reply.headers_mut().insert(header::SET_COOKIE, cookie);
    }
    reply
}

/// Returns the person whose browser sent the cookie, or `None` without a cookie.
///
/// # Errors
/// Fails if the session has expired, or the browser does not state that a page of this server made the request.
pub(super) fn caller(app: &App, parts: &Parts) -> Result<Option<Caller>, Problem> {
    let Some(cookie) = cookie(&parts.headers)? else { return Ok(None) };
    must_be_own_page(parts)?;
    let account = logins(app)
        .account_of(cookie, (app.now)())
        .ok_or_else(|| Problem::new(Code::Unauthorized, Message::SessionOver))?;
    let shown = Credential::Session(Digest::of(cookie.as_bytes()));
    Ok(Some(Caller { account: account.as_ref().to_owned(), role: Role::Person, acts_as: None, shown }))
}

/// Returns those of the given sessions that have ended.
pub(super) fn ended(app: &App, shown: &[Credential]) -> HashSet<Credential> {
    let (logins, now) = (logins(app), (app.now)());
    let ended = shown.iter().filter(|one| matches!(one, Credential::Session(key) if !logins.has(key, now)));
    ended.cloned().collect()
}

/// Returns the value of the session cookie. Two cookies are an error: a page on another port may have set one of
/// them.
fn cookie(headers: &HeaderMap) -> Result<Option<&str>, Problem> {
    let lines = headers.get_all(header::COOKIE).iter().filter_map(|line| line.to_str().ok());
    let pairs = lines.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
    let mut values = pairs.filter(|(name, _)| *name == COOKIE).map(|(_, value)| value);
    match (values.next(), values.next()) {
        (value, None) => Ok(value),
        (_, Some(_)) => Err(Problem::new(Code::BadHeader, Message::HeaderUnreadable.with(["cookie"]))),
    }
}

fn must_be_own_page(parts: &Parts) -> Result<(), Problem> {
    let host = gate::host_of(parts)?;
    let origin = gate::one(&parts.headers, &header::ORIGIN)?.map(str::to_ascii_lowercase);
    let from_own = origin.as_deref().map(|origin| gate::authority_of(origin) == Some(host.as_str()));
    let site = gate::one(&parts.headers, &SEC_FETCH_SITE)?;
    let is_own = if parts.method.is_safe() {
        from_own != Some(false) && matches!(site, None | Some("same-origin" | "none"))
    } else {
        match (from_own, site) {
            (Some(false), _) | (None, None) => false,
            (_, Some(site)) => site == "same-origin",
            (Some(true), None) => true,
        }
    };
    if is_own { Ok(()) } else { Err(Problem::new(Code::OriginNotAllowed, Message::SessionPagesOnly)) }
}
