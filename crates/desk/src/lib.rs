//! Makes it happen durably: a desk owns asks, wakes those who wait, lets deadlines pass and delivers outcomes.
//!
//! **Invariant:** what was asked, typed or said is durable before it is acknowledged, and may be repeated with the same
//! key without a second effect. A wait ends by an event.

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

pub use desk::{Desk, Opened, unless_damaged};
pub use draft::{Draft, DraftRev, Over, Saved};
pub use local::{LocalDesk, must_be_key};
pub use query::{Page, Query};
pub use remote::RemoteDesk;
pub use watch::{Changed, Cursor, Heard, Interest, Watch};
