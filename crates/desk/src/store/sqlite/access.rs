//! Rows of those who may use the desk: tokens, signed-in browsers and groups.

pub(crate) mod browser_sessions;
pub(crate) mod groups;
pub(crate) mod tokens;
