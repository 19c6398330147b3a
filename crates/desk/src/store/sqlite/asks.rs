//! Asks: their rows, keys, lists and quotas.

pub(crate) mod account_usage;
pub(crate) mod ask_rows;
pub(crate) mod late_submissions;
pub(crate) mod list;
pub(crate) mod request_cache;
pub(crate) mod search;
