//! Client of the Agent Client Protocol: starts an agent's program, and speaks with it over its standard streams.
//!
//! `program` is its configuration, `launch` the way it is started in a sandbox, `process` the running program, and
//! `session` the conversation with it. `connection` runs the protocol; `tool_call`, `permission` and `form` translate
//! what the agent does and asks into calls as a thread knows them. `session_tools` is the MCP server that a session gets.
//!
//! **Invariant:** nothing here decides. An agent's request is answered by whoever reads the session's messages, or by
//! "cancelled" once no one reads them.

mod connection;
mod failure;
mod folder;
mod form;
mod launch;
mod message;
mod permission;
mod process;
mod program;
mod session;
mod session_mode;
mod session_tools;
mod tool_call;
mod words;

pub(crate) use failure::AgentFailure;
pub(crate) use folder::AgentFolder;
pub use launch::{LAUNCHER_COMMAND, LaunchPlan};
pub(crate) use message::{AgentMessage, AgentUpdate, AskedCall, CallDecision};
pub use program::{AgentLimits, AgentMode, AgentProgram, AgentSandbox, AgentUser, LocalAgentsConfig};
pub(crate) use session::{AgentSession, PromptEnd};
pub(crate) use session_tools::SessionTools;
pub use words::split_words;
