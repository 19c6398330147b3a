//! Address of a desk on the network.

use sayso_core::LocalizedText;
use sayso_core::i18n::own;
use sayso_core::{Message, Problem, ProblemCode};
use std::fmt;
use std::net::IpAddr;
use ureq::http::Uri;
use ureq::http::uri::{Authority, Scheme};

/// Base URL of a desk on the network: `https://…` anywhere, `http://…` on this machine alone. Its path precedes the
/// paths of the API.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RemoteAddress {
    /// URL without a slash at its end.
    base: String,
    is_loopback: bool,
}

impl RemoteAddress {
    /// Returns whether a text is an address on the network, not a file.
    pub fn is_url(text: &str) -> bool {
        let Some((scheme, _)) = text.split_once("://") else { return false };
        scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https")
    }

    /// Parses an address.
    ///
    /// # Errors
    /// If it is invalid, would send text in the clear, or has a user, query or fragment.
    pub fn parse(text: &str) -> Result<Self, Problem> {
        // The part before an @ may be a secret, so no message repeats it.
        if text.contains('@') {
            return Err(unsupported(Message::SecretInAddress.into(), Message::TokenFileHint));
        }
        let uri: Uri = match text.parse() {
            // The parser drops a fragment.
            Ok(uri) if !text.contains('#') => uri,
            _ => return Err(no_address(text)),
        };
        let (Some(scheme), Some(authority), None) = (uri.scheme(), uri.authority(), uri.query()) else {
            return Err(no_address(text));
        };
        if authority.host().is_empty() {
            return Err(no_address(text));
        }
        let is_loopback = is_loopback(authority);
        if *scheme != Scheme::HTTPS && !(*scheme == Scheme::HTTP && is_loopback) {
            return Err(unsupported(
                Message::InsecureAddress.with([own(text)]),
                Message::InsecureAddressHint,
            ));
        }
        let base = format!("{scheme}://{authority}{}", uri.path().trim_end_matches('/'));
        Ok(Self { base, is_loopback })
    }

    /// Returns the URL of an API path.
    pub(super) fn url(&self, path: &str) -> String {
        format!("{}{path}", self.base)
    }

    /// Returns whether the server is on this machine.
    pub(super) const fn is_loopback(&self) -> bool {
        self.is_loopback
    }
}

impl fmt::Display for RemoteAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.base.fmt(f)
    }
}

fn unsupported(message: LocalizedText, hint: Message) -> Problem {
    Problem::new(ProblemCode::DeskUnsupported, message).with_hint(hint)
}

fn no_address(text: &str) -> Problem {
    unsupported(Message::DeskUnsupported.with([own(text)]), Message::RemoteAddressHint)
}

fn is_loopback(authority: &Authority) -> bool {
    let host = authority.host().trim_start_matches('[').trim_end_matches(']');
    host.eq_ignore_ascii_case("localhost") || host.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
}

/// Percent-encodes a text for one path segment or query value.
pub(super) fn percent_encode(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte) {
            escaped.push(char::from(byte));
        } else {
            escaped.push_str(&format!("%{byte:02X}"));
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_http_is_loopback_only() {
        for text in ["https://desk.example", "http://127.0.0.1:80", "http://[::1]:8080", "http://LOCALHOST:1"]
        {
            RemoteAddress::parse(text).unwrap();
        }
        for text in
            ["http://desk.example", "http://10.0.0.1:80", "http://localhost.evil.example", "ftp://127.0.0.1"]
        {
            let problem = RemoteAddress::parse(text).unwrap_err();
            assert_eq!(problem.code, ProblemCode::DeskUnsupported, "{text}");
            assert!(problem.hint.unwrap().to_string().contains("https://"), "{text}");
        }
    }

    #[test]
    fn address_has_only_base_url() {
        for text in
            ["https://", "https://desk.example?x=1", "https://desk.example/#x", "https:///a", "https://a b"]
        {
            assert!(RemoteAddress::parse(text).is_err(), "{text}");
        }
        let problem = RemoteAddress::parse("https://ada:sayso_p_abc@desk.example").unwrap_err();
        assert!(!format!("{problem:?}").contains("sayso_p_abc"));
    }

    #[test]
    fn base_path_is_kept() {
        let at = |text: &str| RemoteAddress::parse(text).unwrap().url("/v1/me");
        assert_eq!(at("https://tools.example/desk/"), "https://tools.example/desk/v1/me");
        assert_eq!(at("https://tools.example"), "https://tools.example/v1/me");
    }

    #[test]
    fn reserved_characters_are_escaped() {
        assert_eq!(percent_encode("a b/..?&=%\u{0}字"), "a%20b%2F..%3F%26%3D%25%00%E5%AD%97");
    }
}
