//! Types of the store interface.

pub mod caller_count;
pub(crate) mod sync_health;
