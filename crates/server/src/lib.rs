//! Servers of the desk for programs without a shell: MCP over standard input and output, and HTTP.
//!
//! **Invariant:** no rule about asks is decided here. A call only views an ask that the desk owns; the end of the
//! call does not change the ask.

mod audiences;
pub mod diagnostics;
mod embedded;
pub mod hooked_desk;
pub mod http;
pub mod mcp;
mod notify;
