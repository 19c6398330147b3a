//! Threads: conversations of a person with an agent, over the wire of the spec (`/api`), and the agent's side, open to
//! any program (`/v1/threads`).
//!
//! A message is stored as a turn, and given to the agent that asks for the next one. What the agent publishes is held in
//! memory, for the streams that read the turn, and stored when it asks or ends. What it asks is an ask at the desk.

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
