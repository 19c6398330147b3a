//! Threads: conversations of a person with an agent. `/api` implements the spec for people; `/v1/threads` is open to
//! any agent.
//!
//! A message is stored as a turn, and given to the agent that polls for the next one. Events that the agent publishes
//! are stored, and then sent to the readers. Its asks are asks at the desk.

mod agent;
mod error;
mod example;
mod person;
pub(super) mod question_listener;
mod routes;
mod thread_state;
mod turn;

pub(super) use routes::ROUTES;
pub(super) use thread_state::ThreadState;
pub(super) use turn::node_sync::exchange_turns;
pub(super) use turn::registry::TurnRegistry;
pub(super) use turn::supervision::supervise_turns;
