//! Server for askers on the network: the handler of `sayso mcp`, over streamable HTTP. The layer knows nothing of the
//! handler, so that the protocol's conformance suite can be run against it with a handler of its own.
//!
//! **Invariant:** each account has a service of its own, so that no token reaches a session, a dialog or an ask of
//! another account.

mod resumable_sessions;
mod sealed_sessions;

use super::server::McpServer;
use super::{McpAccount, McpConfig};
use crate::audiences::AudienceChoice;
use crate::notify::change_notifier::ChangeNotifier;
use http::{HeaderName, HeaderValue, Request, Response};
use http_body_util::Full;
use http_body_util::combinators::BoxBody;
use resumable_sessions::ResumableSessions;
use rmcp::ServerHandler;
use rmcp::transport::streamable_http_server::session::SessionStore;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use sayso_core::limits;
use sealed_sessions::SealedSessions;
use std::collections::HashMap;
use std::convert::Infallible;
use std::fmt;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio_util::bytes::Bytes;
use tokio_util::sync::CancellationToken;

/// Time after which a session without a message ends. Clients are to start another one, but not all do.
const SESSION_IDLE_MAX: Duration = Duration::from_secs(24 * 60 * 60);
/// Header with the id of a session.
const SESSION_ID: HeaderName = HeaderName::from_static("mcp-session-id");

/// Response to a request, once its head is there.
type ResponseFuture = Pin<Box<dyn Future<Output = Response<BoxBody<Bytes, Infallible>>> + Send>>;

/// Service of one account.
pub(crate) struct AccountService {
    /// Streamable HTTP, over a handler.
    http: Box<dyn Fn(Request<Full<Bytes>>) -> ResponseFuture + Send + Sync>,
    /// Ids of its sessions, unless they are of this server alone.
    ids: Option<Arc<SealedSessions>>,
}

impl AccountService {
    fn new<H: ServerHandler + Clone>(
        handler: H,
        closing: &CancellationToken,
        ids: Option<Arc<SealedSessions>>,
    ) -> Self {
        // The routes check hosts, origins and sizes before.
        let mut options = StreamableHttpServerConfig::default()
            .disable_allowed_hosts()
            .disable_allowed_origins()
            .with_max_request_body_bytes(limits::REQUEST_BODY_BYTES)
            .with_cancellation_token(closing.clone());
        if let Some(ids) = &ids {
            options.session_store = Some(ids.clone() as Arc<dyn SessionStore>);
        }
        let manager = Arc::new(ResumableSessions::with_idle_limit(SESSION_IDLE_MAX));
        let service = StreamableHttpService::new(move || Ok(handler.clone()), manager, options);
        Self {
            http: Box::new(move |request| {
                let service = service.clone();
                Box::pin(async move { service.handle(request).await })
            }),
            ids,
        }
    }

    /// Handles a request whose origin, caller and size were checked.
    pub(crate) async fn handle(&self, request: Request<Bytes>) -> Response<BoxBody<Bytes, Infallible>> {
        let begins = !request.headers().contains_key(SESSION_ID);
        let body = request.body().clone();
        let mut response = (self.http)(request.map(Full::new)).await;
        if begins && let Some(id) = self.seal_id(&response, &body) {
            response.headers_mut().insert(SESSION_ID, id);
        }
        response
    }

    /// Returns the sealed id of the session that this response to a request begins.
    fn seal_id<B>(&self, response: &Response<B>, body: &[u8]) -> Option<HeaderValue> {
        let number = response.headers().get(SESSION_ID)?.to_str().ok()?;
        HeaderValue::try_from(self.ids.as_ref()?.seal_id(number, body)?).ok()
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
            let server = McpServer::new(config, notifier.clone(), closing.clone());
            let ids = SealedSessions::new(server.clone());
            AccountService::new(server, &closing, Some(Arc::new(ids)))
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
        let key = (account.name.clone(), account.audiences.clone());
        self.lock().entry(key).or_insert_with(|| Arc::new((self.create)(account))).clone()
    }
}

/// Handler to serve in place of the desk's: the fixtures of the protocol's conformance suite.
pub struct McpHandler {
    create: Box<dyn Fn(&CancellationToken) -> AccountService + Send + Sync>,
}

impl McpHandler {
    /// Wraps a handler, of which each session gets a clone.
    pub fn new<H: ServerHandler + Clone + Sync>(handler: H) -> Self {
        Self { create: Box::new(move |closing| AccountService::new(handler.clone(), closing, None)) }
    }
}

impl fmt::Debug for McpHandler {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("McpHandler").finish_non_exhaustive()
    }
}
