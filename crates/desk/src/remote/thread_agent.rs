//! Agent's side of the threads of a desk on the network.

use super::address::RemoteAddress;
use super::http::{HttpClient, HttpRequest, RequestBody, unreadable_response};
use super::token::{CallerRole, TokenSet};
use super::{AccountInfo, body};
use crate::token::TokenRole;
use sayso_core::{Lang, Problem};
use serde::Deserialize;
use serde_json::{Value, json};
use std::fmt;

/// Time that one request waits at the server, in seconds. It is less than the client's read timeout.
const WAIT_SECONDS: u32 = 20;

/// Turn of a thread that an agent has taken.
#[derive(Debug, Clone, Deserialize)]
pub struct AgentTurn {
    /// Thread.
    pub thread_id: String,
    /// Id that shows that this process has the turn.
    pub turn: String,
    /// Message of the person.
    pub message: String,
}

/// Client of the routes for agents of threads, with an asker's token.
///
/// Each call is retried for a while if the server was reachable before.
pub struct ThreadAgentClient {
    http: HttpClient,
}

impl fmt::Debug for ThreadAgentClient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ThreadAgentClient").field("address", self.http.address()).finish_non_exhaustive()
    }
}

impl ThreadAgentClient {
    /// Returns a client for an address with these tokens. Sends nothing yet.
    pub fn new(address: RemoteAddress, tokens: TokenSet, lang: Lang) -> Self {
        Self { http: HttpClient::new(address, tokens, lang) }
    }

    /// Returns the account of the token.
    ///
    /// # Errors
    /// If there is no asker's token, the server does not know it, or it cannot be reached.
    pub fn account(&self) -> Result<AccountInfo, Problem> {
        let call = HttpRequest::get(CallerRole::Exactly(TokenRole::Asker), "/v1/me");
        body::parse_account_info(self.http.send_with_retry(&call)?.text()?)
    }

    /// Takes the next turn, and waits a while for one. A process that has just begun gets back what it had before.
    ///
    /// # Errors
    /// The server's problem, or that it cannot be reached.
    pub fn next_turn(&self, restarted: bool, lease_seconds: u32) -> Result<Option<AgentTurn>, Problem> {
        let request = json!({ "restarted": restarted, "lease_seconds": lease_seconds });
        let path = format!("/v1/threads/next?wait={WAIT_SECONDS}");
        let response = self.post(path, &request)?;
        response.map(|turn| serde_json::from_value(turn).map_err(unreadable_response)).transpose()
    }

    /// Publishes events of a turn; without any it only keeps the turn.
    ///
    /// # Errors
    /// The server's problem, above all if the turn is over, or that it cannot be reached.
    pub fn publish(&self, turn: &AgentTurn, events: &[Value]) -> Result<(), Problem> {
        let path = format!("/v1/threads/{}/events", turn.thread_id);
        self.post(path, &json!({ "turn": turn.turn, "events": events })).map(drop)
    }

    /// Asks in a turn, and waits a while for the decision. `request` has the members of the request.
    ///
    /// # Errors
    /// As those of [`Self::publish`].
    pub fn ask(&self, turn: &AgentTurn, mut request: Value) -> Result<Value, Problem> {
        if let Some(members) = request.as_object_mut() {
            members.insert("turn".to_owned(), turn.turn.as_str().into());
        }
        let path = format!("/v1/threads/{}/ask?wait={WAIT_SECONDS}", turn.thread_id);
        self.post(path, &request).map(Option::unwrap_or_default)
    }

    /// Acknowledges a decision on an ask: from now on it counts as delivered.
    ///
    /// # Errors
    /// The server's problem, or that it cannot be reached.
    pub fn acknowledge(&self, ask: &str) -> Result<(), Problem> {
        self.post(format!("/v1/asks/{ask}/ack"), &json!({})).map(drop)
    }

    /// Ends a turn, with the reason if the agent failed.
    ///
    /// # Errors
    /// As those of [`Self::publish`].
    pub fn end(&self, turn: &AgentTurn, error: Option<&str>) -> Result<(), Problem> {
        let path = format!("/v1/threads/{}/end", turn.thread_id);
        self.post(path, &json!({ "turn": turn.turn, "error": error })).map(drop)
    }

    /// Sends a request; returns its response, if that has a body.
    fn post(&self, path: String, body: &Value) -> Result<Option<Value>, Problem> {
        let text = body.to_string();
        let call = HttpRequest::post(CallerRole::Exactly(TokenRole::Asker), path, RequestBody::Json(&text));
        let response = self.http.send_with_retry(&call)?;
        if response.body.is_empty() {
            return Ok(None);
        }
        serde_json::from_slice(&response.body).map(Some).map_err(unreadable_response)
    }
}
