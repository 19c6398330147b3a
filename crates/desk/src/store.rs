//! Stores of a desk: their interface, the one over a SQLite file, and the factory that opens it.

mod api;
mod factory;
pub mod maintenance;
mod sqlite;

pub use api::CallerCount;
pub(crate) use api::{
    AskStore, AskTombstone, BatchChange, BatchResult, BrowserSessionOutput, BrowserSessionStore,
    BrowserSessionWrite, ChangeOptions, ChangeStore, ChangeTarget, CommittedChange, DecideFn, DraftStore,
    GroupStore, IdScope, KeyUse, NewBrowserSession, PurgeLimits, Store, StoreClock, StoreUpkeep, SyncHealth,
    ThreadStore, TokenStore,
};
pub(crate) use factory::{OpenedStore, open_file};
