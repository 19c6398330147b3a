//! Figures of one node of a desk in a database.

use jiff::SignedDuration;

/// Connections of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PoolState {
    /// Connections that are open.
    pub open: usize,
    /// Connections that no one uses.
    pub idle: usize,
    /// Largest number of connections.
    pub limit: usize,
    /// Callers that wait for a connection.
    pub waiting: usize,
    /// Callers that got no connection in time, since the start.
    pub timeouts: u64,
}

/// Figures of one node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NodeStats {
    /// Its connections.
    pub pool: PoolState,
    /// Transactions that it committed since its start.
    pub commits: u64,
    /// Changes in them: callers that wait at the same time share a transaction.
    pub changes: u64,
    /// Time by which the clock of the database is ahead of the node's.
    pub clock_ahead: SignedDuration,
    /// True if other nodes can wake the waiters here.
    pub hears_others: bool,
}
