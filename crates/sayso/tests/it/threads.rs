//! Tests of threads, whose agent and page meet at the desk.

pub(crate) mod client;
mod crash;
mod decisions;
mod decoders;
mod ends;
mod envelope;
mod errors;
mod history;
mod idempotency;
mod langgraph;
mod local_agents;
mod page;
mod purge;
mod timeouts;
pub(crate) mod turns;
mod vectors;
mod walls;
