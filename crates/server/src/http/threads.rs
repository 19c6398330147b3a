//! Threads: conversations of a person with an agent. `/api` implements the spec for people; `/v1/threads` is open to
//! any agent.
//!
//! A message is stored as a turn, and given to the agent that polls for the next one. Events that the agent publishes
//! are buffered in memory for the readers, and stored when it asks or ends. Its asks are asks at the desk.

mod active_turn;
mod agent;
mod agent_routes;
mod ask_request;
mod error;
mod example;
mod history_event;
mod lease;
mod local_agent;
mod node_sync;
mod person;
mod person_threads;
mod published_event;
mod registry;
mod routes;
mod stream;
mod stream_framing;
mod supervision;
mod thread_agent;
mod thread_state;
mod turn_asks;
mod turn_reader;
mod turn_state;

pub(super) use local_agent::{SESSION_TOOLS_PATH, run_local_agents};
pub(super) use node_sync::exchange_turns;
pub(super) use registry::TurnRegistry;
pub(super) use routes::ROUTES;
pub(super) use supervision::supervise_turns;
pub(super) use thread_state::ThreadState;
