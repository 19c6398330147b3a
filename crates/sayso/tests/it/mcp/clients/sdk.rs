//! Tests of `sayso mcp` with the official SDK for JavaScript.

mod crash;
mod forms;
pub(crate) mod host;
mod load;
mod session;
