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

pub use api::browser_session::BrowserSessionDesk;
#[cfg(any(test, feature = "contract"))]
pub use api::contract;
pub use api::desk::{Desk, OpenedAsk, skip_damaged};
pub use api::draft::{Draft, DraftRev, OnConflict, SaveReport};
pub use api::group::{GroupChange, GroupDesk, Groups};
pub use api::hook_asks;
pub use api::node_stats::{NodeStats, PoolState};
pub use api::query::{AskPage, AskQuery, ListScope};
pub use api::rate_use::RateUse;
pub use api::server_desk::{CommitHook, RetentionPolicy, ServerDesk};
pub use api::service_session::ServiceSessionDesk;
pub use api::thread::ThreadDesk;
pub use api::token::TokenDesk;
pub use api::watch::{AskChange, ChangeCursor, Interest, Watch, WatchEvent};
pub use api::{
    browser_session, desk, draft, group, login_code, node_stats, query, rate_use, server_desk,
    service_session, thread, token, watch,
};
pub use remote::RemoteDesk;
pub use store::maintenance;
pub use store::postgres::address::PostgresAddress;
pub use store_desk::{StoreDesk, check_key};
pub(crate) use system::clock;
pub use system::{own_file, person_mark, process, random};
