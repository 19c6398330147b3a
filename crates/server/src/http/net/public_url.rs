//! Address of the pages: the one origin at which browsers sign in.

use crate::http::middleware::auth;
use axum::http::request::Parts;
use axum::http::uri::PathAndQuery;
use axum::http::{HeaderValue, Method};
use sayso_core::i18n::own;
use sayso_core::{Message, Problem, ProblemCode};
use std::fmt;
use std::net::{IpAddr, SocketAddr};

/// Value of the header that makes browsers use TLS alone: for one year.
const HSTS: HeaderValue = HeaderValue::from_static("max-age=31536000");

/// Returns the name or the address of a host, without brackets.
fn host_without_port(host: &str) -> &str {
    let name = host.rsplit_once(':').map_or(host, |(name, _)| name);
    name.trim_matches(['[', ']'])
}

/// Address of the pages, such as `https://desk.example.com`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublicUrl {
    /// Scheme, host and port, without a slash at the end.
    text: String,
    is_chosen: bool,
}

impl fmt::Display for PublicUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl PublicUrl {
    /// Parses an address that an operator chose.
    ///
    /// # Errors
    /// Fails if it is not `http://` or `https://`, a host, and perhaps a port.
    pub fn parse(text: &str) -> Result<Self, Problem> {
        let url = text.trim_end_matches('/').to_ascii_lowercase();
        let host = auth::origin_authority(&url).unwrap_or_default();
        if host.is_empty() || !host.chars().all(|c| c.is_ascii_alphanumeric() || "-.:[]".contains(c)) {
            let message = Message::PublicUrlWrong.with([own(text)]);
            return Err(Problem::new(ProblemCode::InvalidSetting, message).with_hint(Message::PublicUrlHint));
        }
        let default_port = if url.starts_with("https:") { ":443" } else { ":80" };
        Ok(Self { text: url.strip_suffix(default_port).unwrap_or(&url).to_owned(), is_chosen: true })
    }

    /// Returns the address of a server that listens here, if no one chose another: `localhost` on loopback.
    pub fn for_listener(address: SocketAddr, has_tls: bool) -> Self {
        let scheme = if has_tls { "https" } else { "http" };
        let ip = address.ip();
        let host = if ip.is_loopback() || ip.is_unspecified() {
            format!("localhost:{}", address.port())
        } else {
            address.to_string()
        };
        Self { text: format!("{scheme}://{host}"), is_chosen: false }
    }

    /// Returns the host and port.
    pub(crate) fn host(&self) -> &str {
        auth::origin_authority(&self.text).unwrap_or_default()
    }

    /// Returns whether the pages are at `localhost`, for which browsers try `[::1]` first.
    pub(crate) fn is_localhost(&self) -> bool {
        self.host().split(':').next() == Some("localhost")
    }

    /// Returns where a browser has to go instead, if it opens a page under another name of this server. Requests of
    /// programs stay, and so do names that an operator allowed without choosing an address.
    pub(crate) fn redirect(&self, parts: &Parts) -> Option<String> {
        if !auth::is_navigation(&parts.headers) || parts.method != Method::GET {
            return None;
        }
        let host = auth::request_host(parts).ok()?;
        let is_other_name = if self.is_chosen {
            host != self.host()
        } else {
            matches!(host_without_port(&host).parse::<IpAddr>(), Ok(ip) if ip.is_loopback())
        };
        if !is_other_name {
            return None;
        }
        let target = parts.uri.path_and_query().map_or("/", PathAndQuery::as_str);
        Some(format!("{}{target}", self.text))
    }

    /// Returns whether it is `https://`.
    pub(crate) fn has_tls(&self) -> bool {
        self.text.starts_with("https://")
    }

    /// Returns whether it is a host name over TLS, and neither an address nor `localhost`, which others on this machine
    /// share.
    pub fn is_named_over_tls(&self) -> bool {
        let host = host_without_port(self.host());
        let is_name = host.contains('.') && host.parse::<IpAddr>().is_err();
        is_name && self.has_tls() && !host.ends_with(".localhost")
    }

    /// Returns the header that makes browsers use TLS alone for this host.
    ///
    /// # Errors
    /// Fails if the host is an address or `localhost`, which others on this machine share, or there is no TLS.
    pub fn strict_transport(&self) -> Result<HeaderValue, Problem> {
        if self.is_named_over_tls() {
            return Ok(HSTS);
        }
        let message = Message::HstsNotHere.with([own(&self.text)]);
        Err(Problem::new(ProblemCode::InvalidSetting, message).with_hint(Message::HstsHint))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::Request;

    #[test]
    fn only_host_names_get_strict_transport() {
        for (url, is_strict) in [
            ("https://desk.example.com", true),
            ("https://Desk.example.com:8443/", true),
            ("http://desk.example.com", false),
            ("https://localhost:7207", false),
            ("https://a.localhost", false),
            ("https://192.0.2.1", false),
            ("https://[2001:db8::1]:7207", false),
        ] {
            let url = PublicUrl::parse(url).unwrap();
            assert_eq!(url.strict_transport().is_ok(), is_strict, "{url}");
        }
        for wrong in
            ["", "desk.example.com", "https://", "https://a b", "https://a/b", "ftp://a", "https://u@a"]
        {
            assert!(PublicUrl::parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn pages_have_one_origin() {
        let leads = |url: &PublicUrl, host: &str, mode: &str| {
            let request = Request::get("/a/1?x=2").header("host", host).header("sec-fetch-mode", mode);
            url.redirect(&request.body(()).unwrap().into_parts().0)
        };
        let local = PublicUrl::for_listener("127.0.0.1:7207".parse().unwrap(), false);
        assert_eq!(local.to_string(), "http://localhost:7207");
        for host in ["127.0.0.1:7207", "[::1]:7207"] {
            assert_eq!(leads(&local, host, "navigate").as_deref(), Some("http://localhost:7207/a/1?x=2"));
            assert_eq!(leads(&local, host, "cors"), None, "programs stay");
        }
        assert_eq!(leads(&local, "localhost:7207", "navigate"), None);
        assert_eq!(leads(&local, "desk.example.com", "navigate"), None);
        let chosen = PublicUrl::parse("https://desk.example.com:443").unwrap();
        assert_eq!(leads(&chosen, "desk.example.com", "navigate"), None);
        assert_eq!(
            leads(&chosen, "localhost:7207", "navigate").as_deref(),
            Some("https://desk.example.com/a/1?x=2")
        );
    }
}
