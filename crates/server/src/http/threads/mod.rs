//! Threads: conversations of a person with an agent. `/api` implements the spec for people; `/v1/threads` is open to
//! any agent.
//!
//! A message is stored as a turn, and given to the agent that polls for the next one. Events that the agent publishes
//! are buffered in memory for the readers, and stored when it asks or ends. Its asks are asks at the desk.

mod agent;
mod asking;
mod care;
mod example;
mod live;
mod person;
mod refusal;
mod registry;
mod routes;
mod sessions;
mod stream;
mod wanted;

pub(super) use care::look_after_turns;
pub(super) use registry::Threads;
pub(super) use routes::ROUTES;
