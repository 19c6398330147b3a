//! Interface of a desk, the same for every desk: the [`Desk`](desk::Desk) trait and its types.

pub mod browser_session;
#[cfg(any(test, feature = "contract"))]
pub mod contract;
pub mod desk;
pub mod draft;
pub mod group;
pub mod hook_asks;
pub mod login_code;
pub mod node_stats;
pub(crate) mod offer;
pub mod query;
pub mod rate_use;
pub mod server_desk;
pub mod service_session;
pub mod thread;
pub mod token;
pub mod watch;
