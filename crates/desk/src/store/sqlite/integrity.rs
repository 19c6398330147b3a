//! Integrity of stored rows: checksums, the check of a whole desk, and reading a damaged one.

pub(crate) mod check;
pub(crate) mod checksum;
pub(crate) mod salvage;
