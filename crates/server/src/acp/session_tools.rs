//! MCP servers of running sessions, each with a token for its thread alone.
//!
//! **Invariant:** a token lives as long as its session, only in memory, and opens nothing but the questions of its
//! session's turn.

use super::message::{AgentMessage, AskedCall, CallDecision};
use super::session::MessageSink;
use crate::mcp::network::session_tool::{PendingAnswer, SessionToolService};
use agent_client_protocol::v1::schema::{HttpHeader, McpServer, McpServerHttp};
use sayso_core::model::digest::to_hex;
use sayso_core::{Digest, Problem};
use sayso_desk::random;
use sayso_dialects::interrupt::ASK_USER;
use serde_json::{Map, Value, json};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;

/// Result for a model whose questions no one answered.
const DECLINED: &str = "User declined to answer";
/// Error for a model whose questions could not be asked.
const NOT_ASKED: &str = "The questions were not answered: the turn has ended, or they could not be asked.";

/// MCP servers of the running sessions, by the digest of their tokens.
pub(crate) struct SessionTools {
    /// Address of the route.
    url: String,
    closing: CancellationToken,
    services: Mutex<HashMap<Digest, Arc<SessionToolService>>>,
}

/// MCP server of a session; its token ends when this is dropped.
pub(super) struct SessionToolGrant {
    tools: Arc<SessionTools>,
    digest: Digest,
    /// Server as the agent is told of it.
    pub(super) server: McpServer,
}

impl Drop for SessionToolGrant {
    fn drop(&mut self) {
        self.tools.lock().remove(&self.digest);
    }
}

impl SessionTools {
    pub(crate) fn new(url: String, closing: CancellationToken) -> Arc<Self> {
        Arc::new(Self { url, closing, services: Mutex::default() })
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Digest, Arc<SessionToolService>>> {
        self.services.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the server that a token is for.
    pub(crate) fn find(&self, token: &str) -> Option<Arc<SessionToolService>> {
        self.lock().get(&Digest::compute(token.as_bytes())).cloned()
    }

    /// Creates the server of a session, which asks where the session's messages are read.
    ///
    /// # Errors
    /// Fails if the system provides no random bytes.
    pub(super) fn grant(self: &Arc<Self>, sink: MessageSink) -> Result<SessionToolGrant, Problem> {
        let token = to_hex(&random::random_bytes::<32>()?);
        let handler =
            move |arguments: Map<String, Value>| -> PendingAnswer { Box::pin(ask(sink.clone(), arguments)) };
        let service = SessionToolService::new(Arc::new(handler), self.closing.clone());
        let digest = Digest::compute(token.as_bytes());
        self.lock().insert(digest, Arc::new(service));
        let headers = vec![HttpHeader::new("Authorization", format!("Bearer {token}"))];
        let server = McpServer::Http(McpServerHttp::new("sayso", self.url.clone()).headers(headers));
        Ok(SessionToolGrant { tools: self.clone(), digest, server })
    }
}

/// Asks the questions of a call where the session's messages are read.
async fn ask(sink: MessageSink, arguments: Map<String, Value>) -> Result<String, String> {
    let args = json!({ "questions": arguments.get("questions") });
    let (decide, decision) = oneshot::channel();
    sink.send(AgentMessage::Ask(AskedCall { name: ASK_USER.to_owned(), args }, decide)).await;
    match decision.await {
        Ok(CallDecision::Answered(answers)) => Ok(json!(answers).to_string()),
        Ok(CallDecision::Allowed | CallDecision::Refused) => Ok(DECLINED.to_owned()),
        Err(_) => Err(NOT_ASKED.to_owned()),
    }
}
