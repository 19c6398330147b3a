//! Limits on the number of connections: in total, by client address, and by account.
//!
//! **Invariant:** no account takes more than half of the connections, and programs leave some to people. So whatever
//! an asker holds open, a person still comes in.

use super::ListenerLimits;
use crate::http::metrics::{GaugeGuard, ServerMetrics};
use sayso_core::{Message, Problem, ProblemCode};
use std::collections::HashMap;
use std::hash::Hash;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio_util::sync::CancellationToken;

/// Time after which a program that found no connection may try again, in seconds.
const RETRY_SECONDS: u64 = 5;

/// Limiter of connections.
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
    by_account: HashMap<Box<str>, usize>,
}

/// Permit of one connection, released on drop.
pub(in crate::http) struct ConnectionPermit {
    limiter: Arc<ConnectionLimiter>,
    peer: IpAddr,
    /// True for one of the last connections, which are for people.
    is_reserved: bool,
    /// Account of the last request. Behind a proxy, requests of several accounts may come by one connection.
    account: Mutex<Option<Box<str>>>,
    /// Cancelled if the connection is to end after its reply.
    ending: CancellationToken,
    _counted: GaugeGuard,
}

impl Drop for ConnectionPermit {
    fn drop(&mut self) {
        let mut counts = self.limiter.lock();
        counts.total = counts.total.saturating_sub(1);
        subtract_one(&mut counts.by_peer, &self.peer);
        if let Some(account) = self.account.get_mut().unwrap_or_else(PoisonError::into_inner).take() {
            subtract_one(&mut counts.by_account, &account);
        }
    }
}

fn subtract_one<K: Eq + Hash>(counts: &mut HashMap<K, usize>, key: &K) {
    if let Some(count) = counts.get_mut(key) {
        *count = count.saturating_sub(1);
        if *count == 0 {
            counts.remove(key);
        }
    }
}

impl ConnectionPermit {
    /// Counts the connection for the account of a request.
    ///
    /// # Errors
    /// Fails if the account has too many connections, or this one is for people. It ends after the reply then.
    pub(in crate::http) fn admit(&self, account: &str, is_person: bool) -> Result<(), Problem> {
        if self.is_reserved && !is_person {
            self.ending.cancel();
            let problem = Problem::new(ProblemCode::TooManyRequests, Message::ConnectionsForPeople);
            return Err(problem.retry_after(RETRY_SECONDS));
        }
        let mut own_account = self.account.lock().unwrap_or_else(PoisonError::into_inner);
        if own_account.as_deref() == Some(account) {
            return Ok(());
        }
        let mut counts = self.limiter.lock();
        let max_count = self.limiter.total / 2;
        if let Some(count) = counts.by_account.get(account)
            && *count >= max_count
        {
            self.ending.cancel();
            let message = Message::AccountConnections.with([max_count]);
            let problem = Problem::new(ProblemCode::TooManyRequests, message);
            return Err(problem.with_hint(Message::AccountConnectionsHint));
        }
        *counts.by_account.entry(account.into()).or_default() += 1;
        if let Some(earlier_account) = own_account.replace(account.into()) {
            subtract_one(&mut counts.by_account, &earlier_account);
        }
        Ok(())
    }

    /// Ends a connection that is for people after the reply to anyone else.
    pub(super) fn end_unless_of_person(&self) {
        let own = self.account.lock().unwrap_or_else(PoisonError::into_inner);
        if self.is_reserved && own.is_none() {
            self.ending.cancel();
        }
    }

    /// Completes if the connection is to end after its reply.
    pub(super) async fn ended(&self) {
        self.ending.cancelled().await;
    }
}

impl ConnectionLimiter {
    pub(super) fn new(limits: &ListenerLimits, metrics: Arc<ServerMetrics>) -> Arc<Self> {
        Arc::new(Self {
            total: limits.max_connections,
            per_peer: limits.max_per_address,
            metrics,
            counts: Mutex::default(),
        })
    }

    fn lock(&self) -> MutexGuard<'_, ConnectionCounts> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns how many connections programs leave to people.
    const fn reserved(&self) -> usize {
        self.total / 16
    }

    /// Acquires a permit for a connection from this address, if one is free.
    pub(super) fn try_acquire(self: &Arc<Self>, from: IpAddr) -> Option<Arc<ConnectionPermit>> {
        let peer = peer_network(from);
        let mut counts = self.lock();
        let peer_count = counts.by_peer.get(&peer).copied().unwrap_or_default();
        // Loopback is exempt: a local process can do worse, and a local proxy carries all clients.
        let is_full = !peer.is_loopback() && peer_count >= self.per_peer;
        if is_full || counts.total >= self.total {
            return None;
        }
        let is_reserved = counts.total >= self.total - self.reserved();
        counts.total += 1;
        counts.by_peer.insert(peer, peer_count + 1);
        Some(Arc::new(ConnectionPermit {
            limiter: self.clone(),
            peer,
            is_reserved,
            account: Mutex::new(None),
            ending: CancellationToken::new(),
            _counted: self.metrics.count_connection(),
        }))
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
    use crate::http::net::ListenerLimits;
    use std::sync::Arc;

    fn limiter(total: usize, per_peer: usize) -> Arc<ConnectionLimiter> {
        let limits =
            ListenerLimits { max_connections: total, max_per_address: per_peer, ..ListenerLimits::default() };
        ConnectionLimiter::new(&limits, Arc::new(ServerMetrics::new()))
    }

    fn seats(peers: &Arc<ConnectionLimiter>, from: &[&str]) -> Vec<Option<Arc<ConnectionPermit>>> {
        from.iter().map(|from| peers.try_acquire(from.parse().unwrap())).collect()
    }

    #[test]
    fn connections_per_address_are_bounded() {
        let peers = limiter(10, 2);
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
        let peers = limiter(10, 1);
        let held = seats(&peers, &["2001:db8::1", "2001:db8::ffff:1", "2001:db8:0:1::1"]);
        assert_eq!(held.iter().map(Option::is_some).collect::<Vec<_>>(), [true, false, true]);
    }

    #[test]
    fn loopback_has_only_the_total_limit() {
        let peers = limiter(3, 1);
        let held = seats(&peers, &["127.0.0.1", "127.0.0.1", "::1", "127.0.0.1"]);
        assert_eq!(held.iter().map(Option::is_some).collect::<Vec<_>>(), [true, true, true, false]);
    }

    #[test]
    fn account_has_half_of_connections() {
        let peers = limiter(32, 1);
        let mut held = seats(&peers, &["127.0.0.1"; 30]);
        let permits: Vec<_> = held.iter().flatten().cloned().collect();
        for permit in &permits[..16] {
            for _ in 0..2 {
                assert!(permit.admit("ci", false).is_ok());
            }
        }
        assert!(permits[16].admit("ci", false).is_err() && permits[16].ending.is_cancelled());
        assert!(permits[17].admit("other", false).is_ok());
        // Behind a proxy, the next request of a connection may be of another account.
        assert!(permits[0].admit("other", false).is_ok());
        assert!(permits[18].admit("ci", false).is_ok());
        held.clear();
        drop(permits);
        assert!(peers.lock().by_account.is_empty());
    }

    #[test]
    fn last_connections_are_for_people() {
        let peers = limiter(32, 1);
        let permits: Vec<_> = seats(&peers, &["127.0.0.1"; 33]).into_iter().flatten().collect();
        assert_eq!(permits.len(), 32);
        assert!(permits[29].admit("ci", false).is_ok());
        assert!(permits[30].admit("ci", false).is_err() && permits[30].ending.is_cancelled());
        assert!(permits[31].admit("ada", true).is_ok() && !permits[31].ending.is_cancelled());
        permits[31].end_unless_of_person();
        assert!(!permits[31].ending.is_cancelled());
    }
}
