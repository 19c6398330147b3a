//! Rules of a store, once for all stores.

mod access;
pub(crate) mod account_quota;
pub(crate) mod asks;
mod change_log;
pub(crate) mod purge;
pub(crate) mod service_quota;
pub(crate) mod statements;
pub(crate) mod threads;
