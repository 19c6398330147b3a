//! Sessions in the ids that clients send with each request: an id carries the parameters that its session began with,
//! sealed with the key of the desk. So each node goes on with a session of another one, and a server with those of
//! before its restart, and none of them is stored.

use crate::mcp::elicitation::seal::StateSeal;
use crate::mcp::server::McpServer;
use futures_util::future::{BoxFuture, ready};
use rmcp::model::InitializeRequestParams;
use rmcp::transport::streamable_http_server::session::{
    SessionId, SessionState, SessionStore, SessionStoreError,
};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Time for which an id opens a session that its node has forgotten.
const ID_LIFETIME: Duration = Duration::from_secs(30 * 24 * 60 * 60);
/// Longest id. Balancers refuse headers of more than 8 kB; a client with longer parameters gets a session of one node.
const MAX_ID_CHARS: usize = 4_000;
/// Number of sessions ended by their client that are remembered.
const ENDED_KEPT: usize = 1_024;
/// Purpose of the seal.
const PURPOSE: &[u8] = b"sayso mcp session";

/// Request that begins a session.
#[derive(Deserialize)]
struct InitializeBody {
    params: InitializeRequestParams,
}

/// Sessions of one account.
pub(super) struct SealedSessions {
    server: McpServer,
    /// Numbers of sessions that their client ended, the oldest first.
    ended: Mutex<VecDeque<SessionId>>,
}

impl SealedSessions {
    pub(super) fn new(server: McpServer) -> Self {
        Self { server, ended: Mutex::default() }
    }

    fn account(&self) -> Option<&str> {
        let account = self.server.desk_client.setup.account.as_ref()?;
        Some(&account.name)
    }

    fn lock_ended(&self) -> MutexGuard<'_, VecDeque<SessionId>> {
        self.ended.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the id to tell the client that began the session of this number with this request, unless it would be
    /// too long.
    pub(super) fn seal_id(&self, number: &str, body: &[u8]) -> Option<String> {
        let mut params = serde_json::from_slice::<InitializeBody>(body).ok()?.params;
        // No call needs these.
        params.meta = None;
        let info = &mut params.client_info;
        (info.description, info.icons, info.website_url) = (None, None, None);
        let state = json!({ "number": number, "account": self.account(), "params": params });
        let sealed_state = self.server.desk_client.seal()?.seal_value(&state, PURPOSE, ID_LIFETIME);
        let id = format!("{number}.{sealed_state}");
        if id.len() <= MAX_ID_CHARS { Some(id) } else { None }
    }

    /// Returns the parameters in an id that this desk gave to this account.
    fn open_id(&self, seal: &StateSeal, id: &str) -> Option<InitializeRequestParams> {
        let (number, sealed) = id.split_once('.')?;
        let mut state = seal.open_value(sealed, PURPOSE)?;
        let is_same = state.get("number").and_then(Value::as_str) == Some(number)
            && state.get("account").and_then(Value::as_str) == self.account();
        if !is_same || self.lock_ended().iter().any(|ended| **ended == *number) {
            return None;
        }
        serde_json::from_value(state.get_mut("params")?.take()).ok()
    }
}

/// Returns the number of a session within its server.
pub(super) fn session_number(id: &SessionId) -> SessionId {
    match id.split_once('.') {
        Some((number, _)) => number.into(),
        None => id.clone(),
    }
}

/// The bounds are those that the trait's macro writes.
impl SessionStore for SealedSessions {
    fn load<'s, 'i, 'f>(
        &'s self,
        id: &'i str,
    ) -> BoxFuture<'f, Result<Option<SessionState>, SessionStoreError>>
    where
        's: 'f,
        'i: 'f,
        Self: 'f,
    {
        let params = self.server.desk_client.seal().and_then(|seal| self.open_id(seal, id));
        Box::pin(ready(Ok(params.map(SessionState::new))))
    }

    /// Stores nothing: the state is in the id.
    fn store<'s, 'i, 't, 'f>(
        &'s self,
        _: &'i str,
        _: &'t SessionState,
    ) -> BoxFuture<'f, Result<(), SessionStoreError>>
    where
        's: 'f,
        'i: 'f,
        't: 'f,
        Self: 'f,
    {
        Box::pin(ready(Ok(())))
    }

    fn delete<'s, 'i, 'f>(&'s self, id: &'i str) -> BoxFuture<'f, Result<(), SessionStoreError>>
    where
        's: 'f,
        'i: 'f,
        Self: 'f,
    {
        let mut ended = self.lock_ended();
        ended.push_back(session_number(&id.into()));
        if ended.len() > ENDED_KEPT {
            ended.pop_front();
        }
        drop(ended);
        Box::pin(ready(Ok(())))
    }
}
