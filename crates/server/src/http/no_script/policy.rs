//! Policy of the pages without scripts: the places at which a cookie alone may sign in.
//!
//! **Invariant:** a cookie knows no ports, so every server of the host receives it, and without scripts there is no key
//! that proves a request. So these pages are open under a host name over TLS, whose servers its owner runs; elsewhere
//! only if an operator says so.

use crate::http::net::public_url::PublicUrl;

/// Policy of the pages without scripts.
#[derive(Debug)]
pub(crate) struct NoScriptPolicy {
    is_open: bool,
    /// The only host, if it has TLS: a cookie of it is for no other name.
    host: Option<String>,
}

impl NoScriptPolicy {
    /// Creates the policy of a server with this address. `is_allowed` opens the pages at any address.
    pub(crate) fn new(public_url: &PublicUrl, is_allowed: bool) -> Self {
        Self {
            is_open: is_allowed || public_url.is_named_over_tls(),
            host: public_url.has_tls().then(|| public_url.host().to_owned()),
        }
    }

    /// Returns whether the pages are open under this host name.
    pub(crate) fn is_open_at(&self, host: &str) -> bool {
        self.is_open && self.host.as_deref().is_none_or(|own| own == host)
    }

    /// Returns the name of the session cookie. Browsers accept one with the prefix over TLS alone, from this very host.
    pub(crate) const fn cookie_name(&self) -> &'static str {
        if self.host.is_some() { "__Host-sayso_plain" } else { "sayso_plain" }
    }

    /// Returns the attributes of the session cookie.
    pub(crate) const fn cookie_attributes(&self) -> &'static str {
        if self.host.is_some() {
            "Path=/; HttpOnly; SameSite=Strict; Secure"
        } else {
            "Path=/; HttpOnly; SameSite=Strict"
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_named_hosts_are_open_without_setting() {
        let open = |url: &str, host: &str, is_allowed| {
            NoScriptPolicy::new(&PublicUrl::parse(url).unwrap(), is_allowed).is_open_at(host)
        };
        let named = "https://desk.example.com";
        assert!(open(named, "desk.example.com", false));
        assert!(!open(named, "localhost:7207", false) && !open(named, "localhost:7207", true));
        for (url, host) in [
            ("http://localhost:7207", "localhost:7207"),
            ("https://localhost:7207", "localhost:7207"),
            ("https://192.0.2.1", "192.0.2.1"),
            ("http://desk.example.com", "desk.example.com"),
        ] {
            assert!(!open(url, host, false) && open(url, host, true), "{url}");
        }
    }
}
