//! Exposure of the server to other machines: by TLS of its own, or by a proxy with TLS at a named address.

use sayso_core::{Message, Problem, ProblemCode};
use std::net::{IpAddr, SocketAddr};

/// Addresses that may connect to a server without TLS.
#[derive(Debug, Clone, Default)]
pub struct PeerPolicy {
    /// Proxies that have TLS; `None` if every address may connect.
    only: Option<Vec<IpAddr>>,
}

impl PeerPolicy {
    /// Creates the policy of a server that listens here.
    ///
    /// # Errors
    /// Fails if other machines could reach it without TLS.
    pub fn new(address: SocketAddr, has_tls: bool, proxies: Vec<IpAddr>) -> Result<Self, Problem> {
        if address.ip().is_loopback() || has_tls {
            return Ok(Self { only: None });
        }
        if proxies.is_empty() {
            let message = Message::ListenInTheClear.with([address]);
            return Err(Problem::new(ProblemCode::InvalidSetting, message).with_hint(Message::ListenTwoWays));
        }
        Ok(Self { only: Some(proxies) })
    }

    /// Checks the address of a client.
    ///
    /// # Errors
    /// Fails if it is neither a named proxy nor this machine.
    pub(super) fn check(&self, from: Option<SocketAddr>) -> Result<(), Problem> {
        let ip = from.map(|from| from.ip().to_canonical());
        match &self.only {
            None => Ok(()),
            Some(proxies) if ip.is_some_and(|ip| ip.is_loopback() || proxies.contains(&ip)) => Ok(()),
            Some(_) => Err(Problem::new(ProblemCode::NotAllowed, Message::OnlyProxies)),
        }
    }
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
        let may = |policy: &PeerPolicy, from: &str| policy.check(Some(from.parse().unwrap())).is_ok();
        assert!(may(&open, "192.0.2.9:1"));
        assert!(
            may(&proxied, "192.0.2.1:1")
                && may(&proxied, "[::ffff:192.0.2.1]:1")
                && may(&proxied, "127.0.0.1:1")
        );
        assert!(!may(&proxied, "192.0.2.9:1") && proxied.check(None).is_err());
    }
}
