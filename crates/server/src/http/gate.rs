//! Authorization before anything is read: host names, origins and tokens.

use super::app::App;
use super::browser::{self, SEC_FETCH_SITE};
use super::caller::Caller;
use super::stay::Credential;
use axum::http::Method;
use axum::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use axum::http::request::Parts;
use sayso_core::{Code, Message, Problem, Text};
use sayso_desk::token::{self, Role};
use std::collections::HashSet;
use std::sync::Arc;

/// Header with the role that an admin acts in.
const SAYSO_ROLE: HeaderName = HeaderName::from_static("sayso-role");
const SEC_FETCH_MODE: HeaderName = HeaderName::from_static("sec-fetch-mode");
/// Default ports, which a host name may omit.
const USUAL_PORTS: [&str; 2] = [":80", ":443"];

/// Host names and origins that the server accepts.
#[derive(Debug, Clone, Default)]
pub(super) struct Gate {
    /// Names of the server, with ports.
    hosts: HashSet<String>,
    /// Origins whose pages may call the API.
    origins: HashSet<String>,
}

impl Gate {
    /// Creates a gate with these host names and foreign origins; origins under its own names are allowed, too.
    pub(super) fn new(
        hosts: impl IntoIterator<Item = String>,
        origins: impl IntoIterator<Item = String>,
    ) -> Self {
        let mut known = HashSet::new();
        for host in hosts {
            let host = host.to_ascii_lowercase();
            known.extend(USUAL_PORTS.iter().filter_map(|port| host.strip_suffix(port)).map(str::to_owned));
            known.insert(host);
        }
        let origins = origins.into_iter().map(|origin| origin.trim_end_matches('/').to_ascii_lowercase());
        Self { hosts: known, origins: origins.collect() }
    }

    /// Checks the host and origin of a request.
    ///
    /// # Errors
    /// Fails if the host name is unknown, or a page of a foreign origin made the request.
    pub(super) fn admit(&self, parts: &Parts) -> Result<(), Problem> {
        let host = host_of(parts)?;
        if !self.hosts.contains(&host) {
            let said = Message::HostUnknown.with([&host]);
            return Err(Problem::new(Code::HostNotAllowed, said).hint(Message::HostUnknownHint));
        }
        plain_headers(&parts.headers)?;
        let origin = one(&parts.headers, &header::ORIGIN)?.map(str::to_ascii_lowercase);
        match origin {
            Some(origin) if self.is_own(&origin) || self.origins.contains(&origin) => Ok(()),
            Some(origin) => Err(refused(Message::OriginUnknown.with([origin]))),
            None => match one(&parts.headers, &SEC_FETCH_SITE)? {
                None | Some("same-origin" | "none") => Ok(()),
                // A person follows a link: the linking page can neither read nor frame the reply.
                Some(_) if parts.method == Method::GET && is_navigation(&parts.headers) => Ok(()),
                Some(_) => Err(refused(Message::SiteUnknown)),
            },
        }
    }

    /// Returns whether an origin is the server's own, possibly behind a TLS proxy.
    fn is_own(&self, origin: &str) -> bool {
        authority_of(origin).is_some_and(|host| self.hosts.contains(host))
    }

    /// Returns the origin of a page that may read the reply, if it is a foreign one.
    pub(super) fn foreign_site<'h>(&self, headers: &'h HeaderMap) -> Option<&'h str> {
        let origin = headers.get(header::ORIGIN)?.to_str().ok()?;
        let site = origin.to_ascii_lowercase();
        (!self.is_own(&site) && self.origins.contains(&site)).then_some(origin)
    }
}

fn refused(said: impl Into<Text>) -> Problem {
    Problem::new(Code::OriginNotAllowed, said).hint(Message::OriginUnknownHint)
}

fn is_navigation(headers: &HeaderMap) -> bool {
    headers.get(SEC_FETCH_MODE).is_some_and(|mode| mode == "navigate")
}

/// Returns the host and port of an origin.
pub(super) fn authority_of(origin: &str) -> Option<&str> {
    origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"))
}

/// Returns the host that the request addresses, with its port; a host in the request target must be the same.
///
/// # Errors
/// Fails if it is missing, or the two differ.
pub(super) fn host_of(parts: &Parts) -> Result<String, Problem> {
    let target = parts.uri.authority().map(|authority| authority.as_str().to_ascii_lowercase());
    let said = one(&parts.headers, &header::HOST)?.map(str::to_ascii_lowercase);
    match (target, said) {
        (Some(target), Some(said)) if target != said => {
            Err(Problem::new(Code::BadHeader, Message::HostsDiffer))
        }
        (Some(named), _) | (None, Some(named)) => Ok(named),
        (None, None) => Err(unreadable(&header::HOST)),
    }
}

/// Returns the single value of a header, as text.
///
/// # Errors
/// Fails if it is present twice or is no text.
pub(super) fn one<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Result<Option<&'h str>, Problem> {
    only(headers, name)?.map(|value| value.to_str().map_err(|_| unreadable(name))).transpose()
}

/// Returns the single value of a header, if present.
///
/// # Errors
/// Fails if it is present twice.
pub(super) fn only<'h>(
    headers: &'h HeaderMap,
    name: &HeaderName,
) -> Result<Option<&'h HeaderValue>, Problem> {
    let mut values = headers.get_all(name).iter();
    match (values.next(), values.next()) {
        (value, None) => Ok(value),
        (_, Some(_)) => Err(unreadable(name)),
    }
}

/// Returns the problem for a header that is missing, duplicated or no text.
pub(super) fn unreadable(name: &HeaderName) -> Problem {
    Problem::new(Code::BadHeader, Message::HeaderUnreadable.with([name.as_str()]))
}

/// Rejects headers with an encoded line break, so that no program that forwards one can be made to emit a second
/// header.
fn plain_headers(headers: &HeaderMap) -> Result<(), Problem> {
    let hides =
        |value: &[u8]| value.windows(3).any(|three| matches!(three, [b'%', b'0', b'a' | b'A' | b'd' | b'D']));
    match headers
        .iter()
        .find(|(name, value)| *name != super::call::IDEMPOTENCY_KEY && hides(value.as_bytes()))
    {
        Some((name, _)) => Err(unreadable(name)),
        None => Ok(()),
    }
}

/// Returns the problem for a request without a known token.
pub(super) fn unauthorized(said: impl Into<Text>) -> Problem {
    Problem::new(Code::Unauthorized, said).hint(Message::TokenAnew)
}

/// Returns the token among the offered WebSocket subprotocols; a browser can send it in no other header.
fn offered(headers: &HeaderMap) -> Result<Option<&str>, Problem> {
    if !headers.contains_key(header::UPGRADE) {
        return Ok(None);
    }
    for value in headers.get_all(header::SEC_WEBSOCKET_PROTOCOL) {
        let names = value.to_str().map_err(|_| unreadable(&header::SEC_WEBSOCKET_PROTOCOL))?;
        if let Some(secret) = names.split(',').map(str::trim).find(|name| name.starts_with("sayso_")) {
            return Ok(Some(secret));
        }
    }
    Ok(None)
}

/// Authenticates a request by its token or its browser session.
///
/// # Errors
/// Fails if the token is missing or unknown, or the requested role is invalid.
pub(super) fn caller(app: &Arc<App>, parts: &Parts) -> Result<Caller, Problem> {
    let headers = &parts.headers;
    let missing = || unauthorized(Message::TokenMissing);
    let secret = match (one(headers, &header::AUTHORIZATION)?, offered(headers)?) {
        (Some(said), _) => {
            let (scheme, secret) = said.split_once(' ').unwrap_or((said, ""));
            scheme.eq_ignore_ascii_case("bearer").then_some(secret).ok_or_else(missing)?
        }
        (None, Some(secret)) => secret,
        (None, None) => return browser::caller(app, parts)?.ok_or_else(missing),
    };
    let acts_as = match one(headers, &SAYSO_ROLE)? {
        None => None,
        Some("asker") => Some(Role::Asker),
        Some("person") => Some(Role::Person),
        Some(other) => {
            let said = Message::HeaderWords.with([SAYSO_ROLE.as_str(), other]);
            return Err(Problem::new(Code::BadHeader, said).hint(Message::OneOf.with(["asker, person"])));
        }
    };
    let secret = secret.trim();
    // Takes a few microseconds on a connection of its own and no disk access; switching threads would cost more.
    let token = app.desk.token_of(secret)?.ok_or_else(|| token::refused(secret))?;
    Ok(Caller { account: token.account, role: token.role, acts_as, shown: Credential::Token(token.id) })
}
