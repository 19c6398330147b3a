//! Durable desk: owns asks, wakes waiters, lets deadlines expire and delivers outcomes.
//!
//! **Invariant:** asks, drafts and answers are durable before they are acknowledged, and a repetition with the same
//! key has no second effect. An event ends each wait.

mod clock;
pub mod desk;
pub mod draft;
pub mod local;
pub mod maintenance;
mod offer;
pub mod own_file;
pub mod process;
pub mod query;
pub mod random;
pub mod remote;
mod store;
pub mod thread;
pub mod token;
mod wakeup;
pub mod watch;

#[cfg(any(test, feature = "contract"))]
pub mod contract;

pub use desk::{Desk, OpenedAsk, skip_damaged};
pub use draft::{Draft, DraftRev, OnConflict, SaveReport};
pub use local::{LocalDesk, check_key};
pub use query::{AskPage, AskQuery};
pub use remote::RemoteDesk;
pub use watch::{AskChange, ChangeCursor, Interest, Watch, WatchEvent};
