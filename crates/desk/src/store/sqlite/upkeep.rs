//! Deletion of what is no longer needed.

pub(crate) mod cancelled_asks;
pub(crate) mod purge;
