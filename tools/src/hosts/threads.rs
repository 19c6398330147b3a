//! Agents behind threads: `sayso agent` runs each, and a person speaks with it over HTTP.

mod agent;
mod client;
mod processes;
mod scenes;

pub(super) use agent::{AGENTS, ThreadAgent};
pub(super) use scenes::{of_agent, run};
