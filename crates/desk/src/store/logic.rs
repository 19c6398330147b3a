//! Rules of a store, once for all stores.

pub(crate) mod account_quota;
pub(crate) mod service_quota;
