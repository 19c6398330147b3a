//! Server for askers on the network: the handler of `sayso mcp`, over streamable HTTP. The layer knows nothing of the
//! handler, so that the protocol's conformance suite can be run against it with a handler of its own.
//!
//! **Invariant:** each account has a service of its own, so that no token reaches a session, a dialog or an ask of
//! another account.

mod resumable_sessions;
pub(crate) mod session_tool;

use super::desk_client::DeskClient;
use super::handler::McpServer;
use super::{McpAccount, McpConfig};
use crate::audiences::AudienceChoice;
use crate::notify::change_notifier::ChangeNotifier;
use http::{Request, Response};
use http_body_util::Full;
use http_body_util::combinators::BoxBody;
use resumable_sessions::ResumableSessions;
use rmcp::ServerHandler;
use rmcp::transport::streamable_http_server::session::SessionManager as _;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use sayso_core::limits;
use std::collections::{HashMap, VecDeque};
use std::convert::Infallible;
use std::fmt;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio_util::bytes::Bytes;
use tokio_util::sync::CancellationToken;

/// Time after which a session without a message ends. Clients are to start another one, but not all do.
const SESSION_IDLE_MAX: Duration = Duration::from_secs(24 * 60 * 60);
/// Most sessions of an account; another one ends the oldest. Asks outlive sessions.
const MAX_SESSIONS: usize = 256;

/// Response to a request, once its head is there.
type ResponseFuture = Pin<Box<dyn Future<Output = Response<BoxBody<Bytes, Infallible>>> + Send>>;

/// Service of one account.
pub(crate) struct AccountService {
    /// Streamable HTTP, over a handler.
    http: Box<dyn Fn(Request<Full<Bytes>>) -> ResponseFuture + Send + Sync>,
    manager: Arc<ResumableSessions>,
    /// Ids of its sessions, the oldest first.
    sessions: Mutex<VecDeque<Arc<str>>>,
}

impl AccountService {
    fn new<H: ServerHandler + Clone>(handler: H, closing: &CancellationToken) -> Self {
        let manager = Arc::new(ResumableSessions::with_idle_limit(SESSION_IDLE_MAX));
        // The routes check hosts, origins and sizes before.
        let options = StreamableHttpServerConfig::default()
            .disable_allowed_hosts()
            .disable_allowed_origins()
            .with_max_request_body_bytes(limits::REQUEST_BODY_BYTES)
            .with_cancellation_token(closing.clone());
        let service = StreamableHttpService::new(move || Ok(handler.clone()), manager.clone(), options);
        let http = move |request| -> ResponseFuture {
            let service = service.clone();
            Box::pin(async move { service.handle(request).await })
        };
        Self { http: Box::new(http), manager, sessions: Mutex::default() }
    }

    /// Handles a request whose origin, caller and size were checked.
    pub(crate) async fn handle(&self, request: Request<Full<Bytes>>) -> Response<BoxBody<Bytes, Infallible>> {
        (self.http)(request).await
    }

    /// Records a session that was just started, and ends the oldest one of too many.
    pub(crate) async fn record_session(&self, id: &str) {
        let oldest = {
            let mut sessions = self.sessions.lock().unwrap_or_else(PoisonError::into_inner);
            sessions.push_back(id.into());
            if sessions.len() > MAX_SESSIONS { sessions.pop_front() } else { None }
        };
        if let Some(oldest) = oldest {
            // One that has ended by itself is unknown.
            let _ = self.manager.close_session(&oldest).await;
        }
    }
}

/// Creates the service of an account.
type CreateService = Box<dyn Fn(McpAccount) -> AccountService + Send + Sync>;

/// Account, with the audiences of the token that it called with.
type ServiceKey = (String, AudienceChoice);

/// Services of the accounts that have called.
pub(crate) struct AccountServices {
    create: CreateService,
    services: Mutex<HashMap<ServiceKey, Arc<AccountService>>>,
}

impl AccountServices {
    /// Returns services of the desk.
    pub(crate) fn of_desk(
        config: McpConfig,
        notifier: Arc<ChangeNotifier>,
        closing: CancellationToken,
    ) -> Self {
        Self::with(Box::new(move |account| {
            let config = McpConfig { account: Some(account), ..config.clone() };
            let server = McpServer::new(DeskClient::new(config, notifier.clone()), closing.clone());
            AccountService::new(server, &closing)
        }))
    }

    /// Returns services of another handler.
    pub(crate) fn of_handler(handler: McpHandler, closing: CancellationToken) -> Self {
        Self::with(Box::new(move |_| (handler.create)(&closing)))
    }

    fn with(create: CreateService) -> Self {
        Self { create, services: Mutex::default() }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<ServiceKey, Arc<AccountService>>> {
        self.services.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the service of an account.
    pub(crate) fn of_account(&self, account: McpAccount) -> Arc<AccountService> {
        let create = |account| Arc::new((self.create)(account));
        let key = (account.name.clone(), account.audiences.clone());
        self.lock().entry(key).or_insert_with(|| create(account)).clone()
    }
}

/// Handler to serve in place of the desk's: the fixtures of the protocol's conformance suite.
pub struct McpHandler {
    create: Box<dyn Fn(&CancellationToken) -> AccountService + Send + Sync>,
}

impl McpHandler {
    /// Wraps a handler, of which each session gets a clone.
    pub fn new<H: ServerHandler + Clone + Sync>(handler: H) -> Self {
        Self { create: Box::new(move |closing| AccountService::new(handler.clone(), closing)) }
    }
}

impl fmt::Debug for McpHandler {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("McpHandler").finish_non_exhaustive()
    }
}
