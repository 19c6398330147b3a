//! Durable desk: owns asks, wakes waiters, lets deadlines expire and delivers outcomes.
//!
//! **Invariant:** asks, drafts and answers are durable before they are acknowledged, and a repetition with the same
//! key has no second effect. An event ends each wait.

mod api;
pub mod remote;
mod store;
pub mod store_desk;
mod system;
mod wakeup;

pub use api::access::group::{GroupChange, Groups};
pub use api::access::rate_use::RateUse;
pub use api::access::{browser_session, group, login_code, rate_use, service_session, token};
#[cfg(any(test, feature = "contract"))]
pub use api::contract;
pub use api::desk::{Desk, OpenedAsk, skip_damaged};
pub use api::draft::{Draft, DraftRev, OnConflict, SaveReport};
pub use api::hook_asks;
pub use api::node_stats::{NodeStats, PoolState};
pub use api::query::{AskPage, AskQuery, ListScope};
pub use api::retention_policy::RetentionPolicy;
pub use api::watch::{AskChange, ChangeCursor, CommitHook, Interest, Watch, WatchEvent};
pub use api::{desk, draft, node_stats, query, thread, watch};
pub use remote::RemoteDesk;
pub use store::maintenance;
pub use store::postgres::connection::address::{DatabaseTimeouts, PostgresAddress};
pub use store_desk::{StoreDesk, check_key, unshared_key};
pub(crate) use system::clock;
pub use system::{local_files, own_file, person_mark, process, random};
