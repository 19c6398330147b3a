//! HTTP client for the issuer: HTTPS alone, except on this machine, and no redirects.

use openidconnect::{HttpRequest, HttpResponse};
use sayso_core::{Lang, Message, limits};
use std::error::Error;
use std::fmt;
use std::net::IpAddr;
use std::time::Duration;
use ureq::Agent;
use ureq::http::uri::Scheme;
use ureq::http::{Method, Request, Uri};
use ureq::tls::{RootCerts, TlsConfig};

/// Failure of a request to the issuer.
#[derive(Debug)]
pub(super) enum TransportError {
    /// The address would send it in the clear.
    Insecure(Uri),
    /// It was not sent, or not replied to.
    Failed(ureq::Error),
}

impl fmt::Display for TransportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Insecure(url) => {
                f.write_str(&Message::IssuerAddressInsecure.render_with(Lang::En, [url.to_string()]))
            }
            Self::Failed(error) => error.fmt(f),
        }
    }
}

impl Error for TransportError {}

impl From<ureq::Error> for TransportError {
    fn from(error: ureq::Error) -> Self {
        Self::Failed(error)
    }
}

/// HTTP client for one issuer.
pub(super) struct IssuerTransport(Agent);

impl IssuerTransport {
    pub(super) fn new(issuer: &str) -> Self {
        let config = Agent::config_builder()
            .http_status_as_error(false)
            // A redirect could lead a secret to another host.
            .max_redirects(0)
            .max_redirects_will_error(false)
            .user_agent(concat!("sayso/", env!("CARGO_PKG_VERSION")))
            .tls_config(TlsConfig::builder().root_certs(RootCerts::PlatformVerifier).build())
            .timeout_global(Some(Duration::from_secs(limits::ISSUER_REPLY_SECONDS)));
        // Servers on this machine are never behind a proxy.
        let is_local = issuer.parse().is_ok_and(|url| is_loopback(&url));
        let config = if is_local { config.proxy(None) } else { config };
        Self(config.build().new_agent())
    }

    /// Sends a request and reads the reply. Blocks.
    ///
    /// # Errors
    /// Fails if the address is not HTTPS, or there is no reply of a reasonable size in time.
    pub(super) fn send(&self, request: HttpRequest) -> Result<HttpResponse, TransportError> {
        if !is_secure_url(request.uri()) {
            return Err(TransportError::Insecure(request.uri().clone()));
        }
        let (parts, body) = request.into_parts();
        let sent = if parts.method == Method::GET {
            self.0.run(Request::from_parts(parts, ()))
        } else {
            self.0.run(Request::from_parts(parts, body))
        };
        let (parts, mut body) = sent?.into_parts();
        let bytes = body.with_config().limit(limits::ISSUER_REPLY_BYTES).read_to_vec()?;
        Ok(HttpResponse::from_parts(parts, bytes))
    }
}

/// Returns whether what is sent to this address cannot be read on the way: HTTPS, or this machine.
pub(super) fn is_secure_url(url: &Uri) -> bool {
    let has_host = url.host().is_some_and(|host| !host.is_empty());
    has_host
        && (url.scheme() == Some(&Scheme::HTTPS) || url.scheme() == Some(&Scheme::HTTP) && is_loopback(url))
}

fn is_loopback(url: &Uri) -> bool {
    let host = url.host().unwrap_or_default().trim_matches(['[', ']']);
    host.eq_ignore_ascii_case("localhost") || host.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_https_and_loopback_are_secure() {
        let is_secure = |url: &str| is_secure_url(&url.parse().unwrap());
        for url in ["https://a.example/x", "http://localhost:1/x", "http://127.0.0.1", "http://[::1]:8"] {
            assert!(is_secure(url), "{url}");
        }
        for url in
            ["http://a.example", "http://localhost.evil.example", "http://10.0.0.1", "/x", "ftp://localhost"]
        {
            assert!(!is_secure(url), "{url}");
        }
        let request = Request::get("http://a.example/keys").body(Vec::new()).unwrap();
        let refused = IssuerTransport::new("https://a.example").send(request);
        assert!(matches!(refused, Err(TransportError::Insecure(_))));
    }
}
