//! Tests of the interaction format, over a held request and a WebSocket.

mod auth;
mod client;
mod frames;
mod passthrough;
mod vectors;
mod wire;
mod ws_package;
