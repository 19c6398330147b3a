//! Interface of a desk, the same for every desk: the [`Desk`](desk::Desk) trait and its types.

pub(crate) mod access;
#[cfg(any(test, feature = "contract"))]
pub mod contract;
pub mod desk;
pub mod draft;
pub mod hook_asks;
pub mod node_stats;
pub(crate) mod offer;
pub mod query;
pub(crate) mod retention_policy;
pub mod thread;
pub mod watch;
