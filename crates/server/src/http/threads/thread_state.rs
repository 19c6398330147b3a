//! State of the routes of threads.

use super::turn::registry::TurnRegistry;
use crate::acp::SessionTools;
use crate::http::context::ServerContext;
use std::sync::Arc;
use tokio::sync::broadcast;

/// Deletions of threads that wait for a slow reader.
const DELETIONS: usize = 256;

/// State of the routes of threads.
pub(in crate::http) struct ThreadState {
    pub(super) context: Arc<ServerContext>,
    pub(super) registry: TurnRegistry,
    /// Accounts of the agents that this server runs.
    pub(super) local_agents: Vec<String>,
    /// MCP servers of the sessions of local agents.
    pub(super) session_tools: Arc<SessionTools>,
    /// Ids of threads that are deleted.
    pub(super) deleted: broadcast::Sender<String>,
}

impl ThreadState {
    pub(in crate::http) fn new(
        context: Arc<ServerContext>,
        registry: TurnRegistry,
        local_agents: Vec<String>,
        session_tools: Arc<SessionTools>,
    ) -> Self {
        Self { context, registry, local_agents, session_tools, deleted: broadcast::Sender::new(DELETIONS) }
    }
}
