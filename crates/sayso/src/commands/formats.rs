//! Commands about formats, which need no desk.

pub(super) mod check;
pub(super) mod convert;
pub(super) mod schema;
