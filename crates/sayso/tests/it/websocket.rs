//! Tests of the interaction format, over a held request and a WebSocket.

mod auth;
pub(crate) mod client;
mod frames;
mod page;
mod passthrough;
mod vectors;
mod wire;
mod ws_package;
