//! Tests of threads, whose agent and page meet at the desk.

mod agents;
pub(crate) mod client;
mod crash;
mod decisions;
mod errors;
mod history;
mod idempotency;
mod page;
mod purge;
mod streams;
mod timeouts;
pub(crate) mod turns;
mod vectors;
mod walls;
