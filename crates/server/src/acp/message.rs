//! Messages and questions of an agent, as a thread knows them.

use serde_json::Value;
use tokio::sync::oneshot;

/// Message of an agent during a prompt.
#[derive(Debug)]
pub(crate) enum AgentMessage {
    /// Progress.
    Update(AgentUpdate),
    /// Call that needs a decision. If the sender is dropped, the agent gets "cancelled".
    Ask(AskedCall, oneshot::Sender<CallDecision>),
}

/// Progress of an agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum AgentUpdate {
    /// Piece of text.
    Text(String),
    /// A tool of this name begins to run.
    ToolStart(String),
    /// A tool of this name has run.
    ToolEnd(String),
    /// New title of the session.
    Title(String),
    /// Request that was refused without asking, with the reason.
    Refusal(String),
}

/// Call of a tool that needs a decision: an approval, or the questions of `ask_user`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct AskedCall {
    /// Name of the tool.
    pub(crate) name: String,
    /// Arguments, from the data of the call.
    pub(crate) args: Value,
}

/// Decision on a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum CallDecision {
    /// Run it, this time.
    Allowed,
    /// Do not run it, or do not answer.
    Refused,
    /// Answers to the questions, in their order.
    Answered(Vec<String>),
}
