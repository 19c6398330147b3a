//! Exposure of the server to other machines: by TLS of its own, or by a proxy with TLS at a named address.

use axum::extract::ConnectInfo;
use axum::http::header::{self, HeaderMap, HeaderName};
use axum::http::request::Parts;
use sayso_core::i18n::own;
use sayso_core::{Message, Problem, ProblemCode};
use std::net::{IpAddr, SocketAddr};

/// Header in which each proxy appends the address that it was called from.
const FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// Addresses that may connect, and proxies whose statements count.
#[derive(Debug, Clone, Default)]
pub struct PeerPolicy {
    /// True if only a proxy may connect, since there is no TLS otherwise.
    is_limited: bool,
    proxies: Vec<IpAddr>,
}

/// Addresses of a request.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct ClientAddress {
    /// Address of the connection.
    pub(crate) peer: Option<IpAddr>,
    /// Address of the client, which differs behind a named proxy.
    pub(crate) client: Option<IpAddr>,
    /// True if the connection comes from an address that passes requests on and is no named proxy.
    pub(crate) is_unnamed_proxy: bool,
}

impl PeerPolicy {
    /// Creates the policy of a server that listens here.
    ///
    /// # Errors
    /// Fails if other machines could reach it without TLS.
    pub fn new(address: SocketAddr, has_tls: bool, proxies: Vec<IpAddr>) -> Result<Self, Problem> {
        if address.ip().is_loopback() || has_tls {
            return Ok(Self { is_limited: false, proxies });
        }
        if proxies.is_empty() {
            let message = Message::ListenInTheClear.with([own(address)]);
            return Err(Problem::new(ProblemCode::InvalidSetting, message).with_hint(Message::ListenTwoWays));
        }
        Ok(Self { is_limited: true, proxies })
    }

    /// Checks the address of a connection.
    ///
    /// # Errors
    /// Fails if it is neither a named proxy nor this machine.
    pub(crate) fn check(&self, from: Option<IpAddr>) -> Result<(), Problem> {
        if !self.is_limited {
            return Ok(());
        }
        match from {
            Some(ip) if ip.is_loopback() || self.proxies.contains(&ip) => Ok(()),
            _ => Err(Problem::new(ProblemCode::NotAllowed, Message::OnlyProxies)),
        }
    }

    /// Returns whether an operator named a proxy.
    pub fn has_proxies(&self) -> bool {
        !self.proxies.is_empty()
    }

    /// Returns the addresses of a request.
    pub(crate) fn address(&self, parts: &Parts) -> ClientAddress {
        let is_passed_on = is_passed_on(&parts.headers);
        let Some(ConnectInfo(from)) = parts.extensions.get::<ConnectInfo<SocketAddr>>() else {
            return ClientAddress { peer: None, client: None, is_unnamed_proxy: is_passed_on };
        };
        let peer = from.ip().to_canonical();
        ClientAddress {
            peer: Some(peer),
            client: Some(self.client(peer, &parts.headers)),
            is_unnamed_proxy: is_passed_on && !self.proxies.contains(&peer),
        }
    }

    /// Returns the last address on the way of a request that is no named proxy. A client can write the beginning of
    /// the list, so only what named proxies appended counts. A program on this machine is trusted no more than others:
    /// it could try codes from any number of addresses.
    fn client(&self, peer: IpAddr, headers: &HeaderMap) -> IpAddr {
        let lines = headers.get_all(FORWARDED_FOR).iter().rev();
        let hops = lines.flat_map(|line| line.to_str().unwrap_or_default().rsplit(','));
        let mut client = peer;
        for hop in hops {
            if !self.proxies.contains(&client) {
                break;
            }
            let Some(ip) = parse_hop(hop.trim()) else { break };
            client = ip;
        }
        client
    }
}

/// Returns whether a request says that a proxy passed it on.
pub(crate) fn is_passed_on(headers: &HeaderMap) -> bool {
    headers.contains_key(header::FORWARDED) || headers.contains_key(FORWARDED_FOR)
}

/// Parses an address as proxies write it: with or without a port.
fn parse_hop(text: &str) -> Option<IpAddr> {
    let ip = if let Ok(ip) = text.parse::<IpAddr>() {
        ip
    } else if let Ok(address) = text.parse::<SocketAddr>() {
        address.ip()
    } else {
        text.strip_prefix('[')?.strip_suffix(']')?.parse().ok()?
    };
    Some(ip.to_canonical())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_named_proxies_connect_without_tls() {
        let anywhere: SocketAddr = "0.0.0.0:7207".parse().unwrap();
        assert!(PeerPolicy::new(anywhere, false, Vec::new()).is_err());
        assert!(PeerPolicy::new("127.0.0.1:7207".parse().unwrap(), false, Vec::new()).is_ok());
        let open = PeerPolicy::new(anywhere, true, Vec::new()).unwrap();
        let proxied = PeerPolicy::new(anywhere, false, vec!["192.0.2.1".parse().unwrap()]).unwrap();
        let may = |policy: &PeerPolicy, from: &str| {
            policy.check(Some(from.parse::<IpAddr>().unwrap().to_canonical())).is_ok()
        };
        assert!(may(&open, "192.0.2.9"));
        assert!(
            may(&proxied, "192.0.2.1") && may(&proxied, "::ffff:192.0.2.1") && may(&proxied, "127.0.0.1")
        );
        assert!(!may(&proxied, "192.0.2.9") && proxied.check(None).is_err());
    }
    #[test]
    fn client_is_last_untrusted_hop() {
        let proxies = vec!["192.0.2.1".parse().unwrap(), "2001:db8::1".parse().unwrap()];
        let policy = PeerPolicy::new("127.0.0.1:7207".parse().unwrap(), false, proxies).unwrap();
        for (peer, lines, client) in [
            ("192.0.2.1", vec!["198.51.100.7"], "198.51.100.7"),
            ("127.0.0.1", vec!["198.51.100.7"], "127.0.0.1"),
            ("192.0.2.1", vec!["198.51.100.7, 127.0.0.1"], "127.0.0.1"),
            ("192.0.2.1", vec!["10.0.0.1, 198.51.100.7, 192.0.2.1"], "198.51.100.7"),
            ("192.0.2.1", vec!["10.0.0.1", "198.51.100.7:4711"], "198.51.100.7"),
            ("2001:db8::1", vec!["[2001:db8:7::9]:443"], "2001:db8:7::9"),
            ("192.0.2.1", vec!["198.51.100.7, unknown"], "192.0.2.1"),
            ("192.0.2.1", vec![], "192.0.2.1"),
            ("198.51.100.9", vec!["198.51.100.7"], "198.51.100.9"),
        ] {
            let headers = lines.iter().map(|line| (FORWARDED_FOR, line.parse().unwrap())).fold(
                HeaderMap::new(),
                |mut headers, (name, line)| {
                    headers.append(name, line);
                    headers
                },
            );
            let found = policy.client(peer.parse().unwrap(), &headers);
            assert_eq!(found, client.parse::<IpAddr>().unwrap(), "{peer} {lines:?}");
        }
    }
}
