//! Limits on the number of connections.

use crate::http::metrics::{Counted, Metrics};
use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Limiter of connections, in total and by client address.
pub(super) struct Peers {
    total: usize,
    per_peer: usize,
    meters: Arc<Metrics>,
    taken: Mutex<Taken>,
}

#[derive(Default)]
struct Taken {
    total: usize,
    by_peer: HashMap<IpAddr, usize>,
}

/// Permit of one connection, released on drop.
pub(super) struct Seat {
    peers: Arc<Peers>,
    peer: IpAddr,
    _counted: Counted,
}

impl Drop for Seat {
    fn drop(&mut self) {
        let mut taken = self.peers.lock();
        taken.total = taken.total.saturating_sub(1);
        if let Some(count) = taken.by_peer.get_mut(&self.peer) {
            *count = count.saturating_sub(1);
            if *count == 0 {
                taken.by_peer.remove(&self.peer);
            }
        }
    }
}

impl Peers {
    pub(super) fn new(total: usize, per_peer: usize, meters: Arc<Metrics>) -> Arc<Self> {
        Arc::new(Self { total, per_peer, meters, taken: Mutex::default() })
    }

    fn lock(&self) -> MutexGuard<'_, Taken> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Acquires a permit for a connection from this address, if one is free.
    pub(super) fn seat(self: &Arc<Self>, from: IpAddr) -> Option<Seat> {
        let peer = peer(from);
        let mut taken = self.lock();
        let of_peer = taken.by_peer.get(&peer).copied().unwrap_or_default();
        // Loopback is exempt: a local process can do worse, and a local proxy carries all clients.
        let is_full = !peer.is_loopback() && of_peer >= self.per_peer;
        if is_full || taken.total >= self.total {
            return None;
        }
        taken.total += 1;
        taken.by_peer.insert(peer, of_peer + 1);
        Some(Seat { peers: self.clone(), peer, _counted: self.meters.connection() })
    }
}

/// Returns the network that an address is counted under. For IPv6 that is its /64, the smallest that a user has.
pub(in crate::http) fn peer(from: IpAddr) -> IpAddr {
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
    use super::{Peers, Seat};
    use crate::http::metrics::Metrics;
    use std::sync::Arc;

    fn seats(peers: &Arc<Peers>, from: &[&str]) -> Vec<Option<Seat>> {
        from.iter().map(|from| peers.seat(from.parse().unwrap())).collect()
    }

    #[test]
    fn connections_per_address_are_bounded() {
        let peers = Peers::new(10, 2, Arc::new(Metrics::new()));
        let mut held = seats(&peers, &["192.0.2.1", "::ffff:192.0.2.1", "192.0.2.1", "192.0.2.2"]);
        assert_eq!(held.iter().map(Option::is_some).collect::<Vec<_>>(), [true, true, false, true]);
        held.remove(0);
        assert!(peers.seat("192.0.2.1".parse().unwrap()).is_some());
        held.clear();
        assert!(peers.lock().by_peer.is_empty());
        assert_eq!(peers.lock().total, 0);
    }

    #[test]
    fn ipv6_network_counts_as_one_peer() {
        let peers = Peers::new(10, 1, Arc::new(Metrics::new()));
        let held = seats(&peers, &["2001:db8::1", "2001:db8::ffff:1", "2001:db8:0:1::1"]);
        assert_eq!(held.iter().map(Option::is_some).collect::<Vec<_>>(), [true, false, true]);
    }

    #[test]
    fn loopback_has_only_the_total_limit() {
        let peers = Peers::new(3, 1, Arc::new(Metrics::new()));
        let held = seats(&peers, &["127.0.0.1", "127.0.0.1", "::1", "127.0.0.1"]);
        assert_eq!(held.iter().map(Option::is_some).collect::<Vec<_>>(), [true, true, true, false]);
    }
}
