//! The doors that agents and people come in by without a shell: MCP over standard input and output, and HTTP.
//!
//! **Invariant:** nothing here decides. A call looks at an ask that the desk owns; how the call ends changes nothing there.

mod aside;
mod due;
pub mod http;
mod hub;
pub mod interaction;
pub mod mcp;
