//! Commands that show asks of the desk and change nothing.

pub(super) mod link;
pub(super) mod list;
pub(super) mod show;
