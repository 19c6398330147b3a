//! State of the interactions: what all clients share, and the clients on which a person can respond.

use crate::http::context::ServerContext;
use crate::http::middleware::authenticator::Authenticator;
use crate::http::net::body_budget::BodyBudget;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use tokio_util::task::TaskTracker;

/// State shared by all interactions.
pub(in crate::http) struct InteractionState {
    pub(in crate::http) context: Arc<ServerContext>,
    pub(super) authenticator: Arc<Authenticator>,
    /// Budget that long messages share with the bodies of requests.
    pub(super) body_budget: Arc<BodyBudget>,
    /// Tasks of the open WebSockets, awaited briefly on shutdown.
    pub(in crate::http) sockets: TaskTracker,
    clients: Arc<Mutex<ClientTable>>,
}

/// Clients on which a person can respond now, each with the session it shows.
#[derive(Default)]
struct ClientTable {
    by_number: HashMap<u64, Option<String>>,
    last: u64,
}

/// Registration of a client on which a person can respond; removed on drop.
pub(super) struct ClientPresence {
    clients: Arc<Mutex<ClientTable>>,
    number: u64,
}

impl InteractionState {
    pub(in crate::http) fn new(
        context: Arc<ServerContext>,
        authenticator: Arc<Authenticator>,
        body_budget: Arc<BodyBudget>,
    ) -> Self {
        Self { context, authenticator, body_budget, sockets: TaskTracker::new(), clients: Arc::default() }
    }

    /// Registers a client on which a person can respond to forms of one session, or of all.
    pub(super) fn register_client(&self, session: Option<String>) -> ClientPresence {
        let mut clients = self.clients.lock().unwrap_or_else(PoisonError::into_inner);
        clients.last += 1;
        let number = clients.last;
        clients.by_number.insert(number, session);
        ClientPresence { clients: self.clients.clone(), number }
    }

    /// Returns whether a client can respond to a form of this session.
    pub(super) fn has_client_for(&self, session: &str) -> bool {
        let clients = self.clients.lock().unwrap_or_else(PoisonError::into_inner);
        for shown_session in clients.by_number.values() {
            match shown_session {
                Some(shown_session) if shown_session != session => {}
                // A client without a session shows all of them.
                _ => return true,
            }
        }
        false
    }
}

impl Drop for ClientPresence {
    fn drop(&mut self) {
        self.clients.lock().unwrap_or_else(PoisonError::into_inner).by_number.remove(&self.number);
    }
}
