//! Files of a desk: its opening and copies, and the small files next to it.

pub(crate) mod commit_mark;
pub(crate) mod copy;
pub(crate) mod file_identity;
pub(crate) mod file_state;
pub(crate) mod folder_sync;
pub(crate) mod opening;
pub(crate) mod permissions;
pub(crate) mod reserve;
