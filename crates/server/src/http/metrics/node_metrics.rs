//! Figures of one node of a desk in a database: its connections, transactions and clock.

use prometheus_client::encoding::{EncodeLabelSet, EncodeLabelValue};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::Registry;
use sayso_desk::NodeStats;
use std::sync::atomic::{AtomicU64, Ordering};

/// Connections of a node to a desk in a database.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, EncodeLabelValue)]
enum ConnectionState {
    /// In use.
    Used,
    /// Open, and in no use.
    Idle,
    /// As many as may be open.
    Limit,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct ConnectionLabels {
    state: ConnectionState,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct StoreLabels {
    store: &'static str,
}

/// Labels of the only store of which there are figures.
const STORE: StoreLabels = StoreLabels { store: "postgres" };

/// Figures of a node of a desk in a database. A desk in a file has none of them.
#[derive(Debug, Default)]
pub(super) struct NodeMetrics {
    connections: Family<ConnectionLabels, Gauge>,
    waiting: Family<StoreLabels, Gauge>,
    timeouts: Family<StoreLabels, Counter>,
    commits: Family<StoreLabels, Counter>,
    changes: Family<StoreLabels, Counter>,
    clock_ahead: Family<StoreLabels, Gauge<f64, AtomicU64>>,
    hears_others: Family<StoreLabels, Gauge>,
}

fn gauge_value(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

impl NodeMetrics {
    pub(super) fn register(&self, registry: &mut Registry) {
        registry.register("pool_connections", "Connections to the database", self.connections.clone());
        registry.register("pool_waiting", "Callers that wait for a connection", self.waiting.clone());
        registry.register("pool_timeouts", "Callers that got no connection in time", self.timeouts.clone());
        registry.register("node_commits", "Transactions that this node committed", self.commits.clone());
        registry.register("node_changes", "Changes in these transactions", self.changes.clone());
        registry.register(
            "database_clock_ahead_seconds",
            "Time by which the clock of the database is ahead of the node's",
            self.clock_ahead.clone(),
        );
        registry.register(
            "node_hears_others",
            "1 if other nodes wake the waiters of this one, 0 if they look themselves",
            self.hears_others.clone(),
        );
    }

    pub(super) fn set(&self, stats: &NodeStats) {
        let pool = stats.pool;
        for (state, number) in [
            (ConnectionState::Used, pool.open.saturating_sub(pool.idle)),
            (ConnectionState::Idle, pool.idle),
            (ConnectionState::Limit, pool.limit),
        ] {
            self.connections.get_or_create(&ConnectionLabels { state }).set(gauge_value(number));
        }
        self.waiting.get_or_create(&STORE).set(gauge_value(pool.waiting));
        for (family, number) in
            [(&self.timeouts, pool.timeouts), (&self.commits, stats.commits), (&self.changes, stats.changes)]
        {
            family.get_or_create(&STORE).inner().store(number, Ordering::Relaxed);
        }
        self.clock_ahead.get_or_create(&STORE).set(stats.clock_ahead.as_secs_f64());
        self.hears_others.get_or_create(&STORE).set(stats.hears_others.into());
    }
}
