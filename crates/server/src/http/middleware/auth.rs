//! Authorization before anything is read: host names, origins and tokens.

use axum::http::Method;
use axum::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use axum::http::request::Parts;
use axum::http::uri::Authority;
use sayso_core::i18n::{foreign, own};
use sayso_core::model::actor::Surface;
use sayso_core::{LocalizedText, Message, Problem, ProblemCode};
use std::collections::HashSet;

/// Header with the role that an admin acts in.
pub(super) const SAYSO_ROLE: HeaderName = HeaderName::from_static("sayso-role");
/// Fetch metadata header with the origin of a browser's request.
pub(crate) const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");
const SEC_FETCH_MODE: HeaderName = HeaderName::from_static("sec-fetch-mode");
/// Brands of the browser, which Chromium alone names.
const SEC_CH_UA: HeaderName = HeaderName::from_static("sec-ch-ua");
/// Header with which an admin opens an ask whose audience it is not in.
pub(super) const SAYSO_OUTSIDE: HeaderName = HeaderName::from_static("sayso-outside");
/// Default ports, which a host name may omit.
const DEFAULT_PORTS: [&str; 2] = [":80", ":443"];

/// Host names and origins that the server accepts.
#[derive(Debug, Clone, Default)]
pub(crate) struct OriginPolicy {
    /// Names of the server, with ports.
    hosts: HashSet<String>,
    /// Origins of the server's own pages.
    own_origins: HashSet<String>,
    /// Origins whose pages may call the API.
    origins: HashSet<String>,
}

/// Schemes at which browsers reach a host of the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum HostScheme {
    /// Without TLS.
    Http,
    /// With TLS, by the server itself or a proxy in front of it.
    Https,
    /// Either: a proxy may have TLS, and no one has said so.
    Any,
}

impl HostScheme {
    /// Returns the scheme of a host with or without TLS.
    pub(crate) const fn with_tls(has_tls: bool) -> Self {
        if has_tls { Self::Https } else { Self::Http }
    }

    /// Returns the schemes with their default ports.
    const fn schemes(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Self::Http => &[("http", ":80")],
            Self::Https => &[("https", ":443")],
            Self::Any => &[("http", ":80"), ("https", ":443")],
        }
    }
}

impl OriginPolicy {
    /// Creates a gate with these host names and foreign origins; origins under its own names are allowed, too, at their
    /// scheme alone: who is on the network path can serve a page at another one.
    pub(crate) fn new(
        hosts: impl IntoIterator<Item = (String, HostScheme)>,
        origins: impl IntoIterator<Item = String>,
    ) -> Self {
        let mut policy = Self::default();
        for (host, scheme) in hosts {
            let host = host.to_ascii_lowercase();
            for (scheme, default_port) in scheme.schemes() {
                let short = host.strip_suffix(default_port).unwrap_or(&host);
                policy.own_origins.insert(format!("{scheme}://{short}"));
            }
            for port in DEFAULT_PORTS {
                if let Some(name) = host.strip_suffix(port) {
                    policy.hosts.insert(name.to_owned());
                }
            }
            policy.hosts.insert(host);
        }
        for origin in origins {
            policy.origins.insert(origin.trim_end_matches('/').to_ascii_lowercase());
        }
        policy
    }

    /// Checks the host and origin of a request.
    ///
    /// # Errors
    /// Fails if the host name is unknown, or a page of a foreign origin made the request.
    pub(crate) fn check(&self, parts: &Parts) -> Result<(), Problem> {
        let host = request_host(parts)?;
        if !self.hosts.contains(&host) {
            let message = Message::HostUnknown.with([foreign(&host)]);
            return Err(
                Problem::new(ProblemCode::HostNotAllowed, message).with_hint(Message::HostUnknownHint)
            );
        }
        check_plain_headers(&parts.headers)?;
        if parts.method == Method::GET && parts.uri.path() == ELEMENT_PATH {
            return Ok(());
        }
        let origin = single_header(&parts.headers, &header::ORIGIN)?.map(str::to_ascii_lowercase);
        match origin {
            Some(origin) if self.is_own(&origin) || self.origins.contains(&origin) => Ok(()),
            Some(origin) => Err(origin_refused(Message::OriginUnknown.with([foreign(origin)]))),
            None => match single_header(&parts.headers, &SEC_FETCH_SITE)? {
                None | Some("same-origin" | "none") => Ok(()),
                // A person follows a link: the linking page can neither read nor frame the reply.
                Some(_) if parts.method == Method::GET && is_navigation(&parts.headers) => Ok(()),
                Some(_) => Err(origin_refused(Message::SiteUnknown)),
            },
        }
    }

    /// Returns whether an origin is the server's own.
    fn is_own(&self, origin: &str) -> bool {
        self.own_origins.contains(origin)
    }

    /// Returns the place of a caller: a page of this server, a page of others, or a program that is no page.
    pub(crate) fn surface(&self, headers: &HeaderMap) -> Surface {
        let Some(origin) = headers.get(header::ORIGIN) else { return Surface::Http };
        let is_own = self.is_own(&origin.to_str().unwrap_or_default().to_ascii_lowercase());
        if is_own { Surface::Page } else { Surface::Element }
    }

    /// Returns the origin of a page that may read the reply, if it is a foreign one.
    pub(crate) fn foreign_site<'h>(&self, headers: &'h HeaderMap) -> Option<&'h str> {
        let origin = headers.get(header::ORIGIN)?.to_str().ok()?;
        let site = origin.to_ascii_lowercase();
        if self.origins.contains(&site) && !self.is_own(&site) { Some(origin) } else { None }
    }
}

/// Path of the element's script, which is the same for everyone: a page of any origin may load it.
pub(crate) const ELEMENT_PATH: &str = "/sayso-questionnaire.js";

fn origin_refused(message: impl Into<LocalizedText>) -> Problem {
    Problem::new(ProblemCode::OriginNotAllowed, message).with_hint(Message::OriginUnknownHint)
}

/// Returns whether a browser opens a page.
pub(crate) fn is_navigation(headers: &HeaderMap) -> bool {
    headers.get(SEC_FETCH_MODE).is_some_and(|mode| mode == "navigate")
}

/// Returns whether Chromium opens a page that no page of another site leads to: its user does, or a page of this server,
/// which is also what it says of its user where the page has a service worker. It then cuts the tab off from a page of
/// another site that had opened it. The header for it would start a second process for the first paint: pages that have it
/// and pages that do not share none. Firefox cuts nothing off.
pub(super) fn is_cut_off_by_browser(headers: &HeaderMap) -> bool {
    let brands = headers.get(SEC_CH_UA).and_then(|brands| brands.to_str().ok());
    let site = headers.get(SEC_FETCH_SITE).and_then(|site| site.to_str().ok());
    is_navigation(headers)
        && matches!(site, Some("none" | "same-origin"))
        && brands.is_some_and(|brands| brands.contains("\"Chromium\""))
}

/// Returns the host and port of an origin.
pub(crate) fn origin_authority(origin: &str) -> Option<&str> {
    origin.strip_prefix("http://").or(origin.strip_prefix("https://"))
}

/// Returns the host that the request addresses, with its port; a host in the request target must be the same.
///
/// # Errors
/// Fails if it is missing, or the two differ.
pub(crate) fn request_host(parts: &Parts) -> Result<String, Problem> {
    let target = parts.uri.authority().map(Authority::as_str);
    let host_header = single_header(&parts.headers, &header::HOST)?;
    if let (Some(target), Some(host)) = (target, host_header)
        && !target.eq_ignore_ascii_case(host)
    {
        return Err(Problem::new(ProblemCode::BadHeader, Message::HostsDiffer));
    }
    match target.or(host_header) {
        Some(host) => Ok(host.to_ascii_lowercase()),
        None => Err(unreadable_header(&header::HOST)),
    }
}

/// Returns the single value of a header, as text.
///
/// # Errors
/// Fails if it is present twice or is no text.
pub(crate) fn single_header<'h>(
    headers: &'h HeaderMap,
    name: &HeaderName,
) -> Result<Option<&'h str>, Problem> {
    let Some(value) = single_header_value(headers, name)? else { return Ok(None) };
    match value.to_str() {
        Ok(text) => Ok(Some(text)),
        Err(_) => Err(unreadable_header(name)),
    }
}

/// Returns the single value of a header with UTF-8 text.
///
/// # Errors
/// Fails if it is present twice or is not UTF-8.
pub(crate) fn single_text_header<'h>(
    headers: &'h HeaderMap,
    name: &HeaderName,
) -> Result<Option<&'h str>, Problem> {
    let Some(value) = single_header_value(headers, name)? else { return Ok(None) };
    match str::from_utf8(value.as_bytes()) {
        Ok(text) => Ok(Some(text)),
        Err(_) => Err(unreadable_header(name)),
    }
}

/// Returns the single value of a header, if present.
///
/// # Errors
/// Fails if it is present twice.
fn single_header_value<'h>(
    headers: &'h HeaderMap,
    name: &HeaderName,
) -> Result<Option<&'h HeaderValue>, Problem> {
    let mut values = headers.get_all(name).iter();
    match (values.next(), values.next()) {
        (value, None) => Ok(value),
        (_, Some(_)) => Err(unreadable_header(name)),
    }
}

/// Returns the problem for a header that is missing, duplicated or no text.
pub(crate) fn unreadable_header(name: &HeaderName) -> Problem {
    Problem::new(ProblemCode::BadHeader, Message::HeaderUnreadable.with([own(name)]))
}

/// Rejects headers with an encoded line break, so that no program that forwards one can be made to emit a second
/// header.
fn check_plain_headers(headers: &HeaderMap) -> Result<(), Problem> {
    for (name, value) in headers {
        let mut triples = value.as_bytes().windows(3);
        let has_line_break = triples.any(|it| matches!(it, [b'%', b'0', b'a' | b'A' | b'd' | b'D']));
        // The key of a request may have any characters, and only we read it.
        if has_line_break && *name != super::call::IDEMPOTENCY_KEY {
            return Err(unreadable_header(name));
        }
    }
    Ok(())
}

/// Returns the problem for a request without a known token.
pub(crate) fn unauthorized(message: impl Into<LocalizedText>) -> Problem {
    Problem::new(ProblemCode::Unauthorized, message).with_hint(Message::TokenAnew)
}

/// Returns the token among the offered WebSocket subprotocols; a browser can send it in no other header.
pub(super) fn subprotocol_token(headers: &HeaderMap) -> Result<Option<&str>, Problem> {
    if !headers.contains_key(header::UPGRADE) {
        return Ok(None);
    }
    for value in headers.get_all(header::SEC_WEBSOCKET_PROTOCOL) {
        let Ok(names) = value.to_str() else {
            return Err(unreadable_header(&header::SEC_WEBSOCKET_PROTOCOL));
        };
        for name in names.split(',').map(str::trim) {
            if name.starts_with("sayso_") {
                return Ok(Some(name));
            }
        }
    }
    Ok(None)
}
