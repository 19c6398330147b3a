//! Commands for admins: accounts, their tokens and groups.

pub(super) mod group;
pub(super) mod token;
