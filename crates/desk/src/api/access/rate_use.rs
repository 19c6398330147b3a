//! Use of rate limits, which the nodes of a desk count together.

use std::time::Duration;

/// Use of one rate limit by one caller.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RateUse {
    /// Name of the limit and of the caller.
    pub caller: String,
    /// Time that the limit needs to recover from it.
    pub recovery: Duration,
}
