//! Browser sessions: sign-in, sign-out, and authentication by cookie.
//!
//! **Invariant:** a browser sends its cookie with any request, whichever page caused it. So the cookie counts only if
//! the browser states that the person or a page of this server made the request. A request that changes something
//! must state it explicitly.

use super::LoginState;
use crate::http::middleware::auth;
use crate::http::middleware::call::ApiCall;
use crate::http::middleware::caller::AuthenticatedCaller;
use crate::http::middleware::response;
use crate::http::middleware::revocation::Credential;
use crate::http::openapi::schemas;
use crate::http::route::{BodySpec, ContentSpec, ReplySpec, Route, RouteAccess, RouteMethod, ok, run};
use crate::http::routes::about::TokenInfo;
use axum::http::header::{self, HeaderMap, HeaderName};
use axum::http::request::Parts;
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse as _, Response};
use sayso_core::wire::json;
use sayso_core::{Digest, Message, Problem, ProblemCode, limits};
use sayso_desk::random;
use sayso_desk::token::TokenRole;
use schemars::JsonSchema;
use serde::Deserialize;
use std::collections::HashSet;
use std::sync::Arc;
use std::time::Instant;

pub(crate) const ROUTES: &[Route] = &[
    Route {
        method: RouteMethod::Post,
        path: "/v1/session",
        name: "sign_in",
        summary: "Lets a browser in that knows the code which `sayso serve` shows in its terminal: it gets a cookie, and \
                has the role of a person.",
        access: RouteAccess::Open,
        parameters: &[],
        body: BodySpec::Json(schemas::schema_of::<SignIn>),
        max_body_bytes: limits::REQUEST_BODY_BYTES,
        replies: &[ok("It is signed in.", ContentSpec::Json(schemas::schema_of::<TokenInfo>))],
        problems: &[
            ProblemCode::Unauthorized,
            ProblemCode::TooManyRequests,
            ProblemCode::InvalidJson,
            ProblemCode::InvalidType,
            ProblemCode::TooLarge,
            ProblemCode::UnsupportedMediaType,
        ],
        handler: run!(sign_in),
    },
    Route {
        method: RouteMethod::Delete,
        path: "/v1/session",
        name: "sign_out",
        summary: "Ends the session of this browser, and what it holds open.",
        access: RouteAccess::Any,
        parameters: &[],
        body: BodySpec::None,
        max_body_bytes: 0,
        replies: &[ReplySpec { status: 204, description: "It is signed out.", content: ContentSpec::None }],
        problems: &[ProblemCode::InvalidRequest],
        handler: run!(sign_out),
    },
];

/// Name of the session cookie.
pub(crate) const COOKIE: &str = "sayso_session";
/// Fetch metadata header with the origin of a browser's request.
pub(crate) const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// The code that a person typed.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SignIn {
    /// The code that `sayso serve` showed in its terminal.
    code: String,
}

pub(crate) async fn sign_in(logins: Arc<LoginState>, call: ApiCall) -> Result<Response, Problem> {
    let SignIn { code } = call.parse_json()?;
    let (peer, now) = (call.peer_key(), Instant::now());
    if let Some(after) = logins.limiter.wait_time(&peer, now) {
        return Err(crate::http::middleware::rate_limit::rate_limit_problem(after));
    }
    let signed_in = logins.registry().sign_in(&code, &random::random_bytes()?, (logins.context.now)());
    let (key, account) = signed_in.inspect_err(|_| {
        // A request over the limit is refused next time.
        let _ = logins.limiter.take(&peer, now);
        logins.spawn_show_code();
    })?;
    let me = json::write(&TokenInfo::new(&account, TokenRole::Person));
    Ok(with_cookie(response::json(StatusCode::OK, me), &call, key.reveal(), ""))
}

pub(crate) async fn sign_out(logins: Arc<LoginState>, call: ApiCall) -> Result<Response, Problem> {
    let Credential::Session(key) = &call.caller()?.credential else {
        return Err(Problem::new(ProblemCode::InvalidRequest, Message::SessionNone));
    };
    logins.registry().sign_out(key);
    logins.context.session_registry.revoke(&HashSet::from([Credential::Session(*key)]));
    Ok(with_cookie(StatusCode::NO_CONTENT.into_response(), &call, "", "; Max-Age=0"))
}

/// Sets the session cookie, with `Secure` if the page was loaded over TLS.
fn with_cookie(mut reply: Response, call: &ApiCall, value: &str, more: &str) -> Response {
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
pub(crate) fn authenticate(
    logins: &LoginState,
    parts: &Parts,
) -> Result<Option<AuthenticatedCaller>, Problem> {
    let Some(cookie) = session_cookie(&parts.headers)? else { return Ok(None) };
    check_same_origin(parts)?;
    let account = logins
        .registry()
        .account_of(cookie, (logins.context.now)())
        .ok_or_else(|| Problem::new(ProblemCode::Unauthorized, Message::SessionOver))?;
    let shown = Credential::Session(Digest::compute(cookie.as_bytes()));
    Ok(Some(AuthenticatedCaller {
        account: account.as_ref().to_owned(),
        role: TokenRole::Person,
        acts_as: None,
        credential: shown,
    }))
}

/// Returns those of the given sessions that have ended.
pub(crate) fn ended_sessions(logins: &LoginState, credentials: &[Credential]) -> HashSet<Credential> {
    let (registry, now) = (logins.registry(), (logins.context.now)());
    let ended = credentials
        .iter()
        .filter(|one| matches!(one, Credential::Session(key) if !registry.is_signed_in(key, now)));
    ended.cloned().collect()
}

/// Returns the value of the session cookie. Two cookies are an error: a page on another port may have set one of
/// them.
fn session_cookie(headers: &HeaderMap) -> Result<Option<&str>, Problem> {
    let lines = headers.get_all(header::COOKIE).iter().filter_map(|line| line.to_str().ok());
    let pairs = lines.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
    let mut values = pairs.filter(|(name, _)| *name == COOKIE).map(|(_, value)| value);
    match (values.next(), values.next()) {
        (value, None) => Ok(value),
        (_, Some(_)) => Err(Problem::new(ProblemCode::BadHeader, Message::HeaderUnreadable.with(["cookie"]))),
    }
}

fn check_same_origin(parts: &Parts) -> Result<(), Problem> {
    let host = auth::request_host(parts)?;
    let origin = auth::single_header(&parts.headers, &header::ORIGIN)?.map(str::to_ascii_lowercase);
    let from_own = origin.as_deref().map(|origin| auth::origin_authority(origin) == Some(host.as_str()));
    let site = auth::single_header(&parts.headers, &SEC_FETCH_SITE)?;
    let is_own = if parts.method.is_safe() {
        from_own != Some(false) && matches!(site, None | Some("same-origin" | "none"))
    } else {
        match (from_own, site) {
            (Some(false), _) | (None, None) => false,
            (_, Some(site)) => site == "same-origin",
            (Some(true), None) => true,
        }
    };
    if is_own { Ok(()) } else { Err(Problem::new(ProblemCode::OriginNotAllowed, Message::SessionPagesOnly)) }
}
