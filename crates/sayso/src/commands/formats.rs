//! Commands about formats, which need no desk.

pub(super) mod check;
pub(super) mod schema;
