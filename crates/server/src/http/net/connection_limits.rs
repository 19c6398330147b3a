//! Limits on the number of connections.

use crate::http::metrics::{GaugeGuard, ServerMetrics};
use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Limiter of connections, in total and by client address.
pub(super) struct ConnectionLimiter {
    total: usize,
    per_peer: usize,
    metrics: Arc<ServerMetrics>,
    counts: Mutex<ConnectionCounts>,
}

#[derive(Default)]
struct ConnectionCounts {
    total: usize,
    by_peer: HashMap<IpAddr, usize>,
}

/// Permit of one connection, released on drop.
pub(super) struct ConnectionPermit {
    limiter: Arc<ConnectionLimiter>,
    peer: IpAddr,
    _counted: GaugeGuard,
}

impl Drop for ConnectionPermit {
    fn drop(&mut self) {
        let mut counts = self.limiter.lock();
        counts.total = counts.total.saturating_sub(1);
        if let Some(count) = counts.by_peer.get_mut(&self.peer) {
            *count = count.saturating_sub(1);
            if *count == 0 {
                counts.by_peer.remove(&self.peer);
            }
        }
    }
}

impl ConnectionLimiter {
    pub(super) fn new(total: usize, per_peer: usize, meters: Arc<ServerMetrics>) -> Arc<Self> {
        Arc::new(Self { total, per_peer, metrics: meters, counts: Mutex::default() })
    }

    fn lock(&self) -> MutexGuard<'_, ConnectionCounts> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Acquires a permit for a connection from this address, if one is free.
    pub(super) fn try_acquire(self: &Arc<Self>, from: IpAddr) -> Option<ConnectionPermit> {
        let peer = peer_network(from);
        let mut counts = self.lock();
        let of_peer = counts.by_peer.get(&peer).copied().unwrap_or_default();
        // Loopback is exempt: a local process can do worse, and a local proxy carries all clients.
        let is_full = !peer.is_loopback() && of_peer >= self.per_peer;
        if is_full || counts.total >= self.total {
            return None;
        }
        counts.total += 1;
        counts.by_peer.insert(peer, of_peer + 1);
        Some(ConnectionPermit { limiter: self.clone(), peer, _counted: self.metrics.count_connection() })
    }
}

/// Returns the network that an address is counted under. For IPv6 that is its /64, the smallest that a user has.
pub(in crate::http) fn peer_network(from: IpAddr) -> IpAddr {
    match from.to_canonical() {
        IpAddr::V6(address) if !address.is_loopback() => {
            let network = u128::from(address) >> 64 << 64;
            IpAddr::V6(Ipv6Addr::from(network))
        }
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::{ConnectionLimiter, ConnectionPermit};
    use crate::http::metrics::ServerMetrics;
    use std::sync::Arc;

    fn seats(peers: &Arc<ConnectionLimiter>, from: &[&str]) -> Vec<Option<ConnectionPermit>> {
        from.iter().map(|from| peers.try_acquire(from.parse().unwrap())).collect()
    }

    #[test]
    fn connections_per_address_are_bounded() {
        let peers = ConnectionLimiter::new(10, 2, Arc::new(ServerMetrics::new()));
        let mut held = seats(&peers, &["192.0.2.1", "::ffff:192.0.2.1", "192.0.2.1", "192.0.2.2"]);
        assert_eq!(held.iter().map(Option::is_some).collect::<Vec<_>>(), [true, true, false, true]);
        held.remove(0);
        assert!(peers.try_acquire("192.0.2.1".parse().unwrap()).is_some());
        held.clear();
        assert!(peers.lock().by_peer.is_empty());
        assert_eq!(peers.lock().total, 0);
    }

    #[test]
    fn ipv6_network_counts_as_one_peer() {
        let peers = ConnectionLimiter::new(10, 1, Arc::new(ServerMetrics::new()));
        let held = seats(&peers, &["2001:db8::1", "2001:db8::ffff:1", "2001:db8:0:1::1"]);
        assert_eq!(held.iter().map(Option::is_some).collect::<Vec<_>>(), [true, false, true]);
    }

    #[test]
    fn loopback_has_only_the_total_limit() {
        let peers = ConnectionLimiter::new(3, 1, Arc::new(ServerMetrics::new()));
        let held = seats(&peers, &["127.0.0.1", "127.0.0.1", "::1", "127.0.0.1"]);
        assert_eq!(held.iter().map(Option::is_some).collect::<Vec<_>>(), [true, true, true, false]);
    }
}
