//! HTTP server of `sayso serve`: a desk on the network. `/v1` is the native API, with every operation of a desk.
//!
//! **Invariant:** this module makes no decisions about asks. It authenticates the caller, and a handler passes the
//! command to the desk. Core authorizes it inside the desk's transaction.
//!
//! **Invariant:** only routes in the table are served, and the OpenAPI document contains all of them.

mod app;
mod context;
mod interaction;
pub mod login;
mod metrics;
mod middleware;
mod net;
mod openapi;
mod page;
mod route;
mod route_table;
mod routes;
mod serve;
mod threads;
mod upkeep;

use crate::audiences::DefaultAudience;
use crate::diagnostics::{self, log_event};
use crate::mcp::network::AccountServices;
use crate::mcp::{HostFeatures, McpConfig, McpHandler, SealKey};
use crate::notify::blocking_calls::BlockingCalls;
use crate::notify::change_notifier::ChangeNotifier;
use app::AppState;
use context::ServerContext;
use interaction::interaction_state::InteractionState;
use jiff::Timestamp;
use login::proof::UsedProofs;
use login::{LoginState, LoginTerminal, SignInProxy};
use metrics::ServerMetrics;
use metrics::ask_counters::AskCounters;
use middleware::auth::{HostScheme, OriginPolicy};
use middleware::authenticator::Authenticator;
use middleware::embedded_consent::EmbeddedConsent;
use middleware::gate::RequestGate;
use middleware::rate_limit::{RateLimit, RateLimiter};
use middleware::revocation::RevocationRegistry;
use net::body_budget::BodyBudget;
use net::{ListenerLimits, Listeners};
use openapi::ApiDocuments;
use routes::ask_state::AskState;
use routes::mcp_state::McpState;
use routes::outcome_cache::OutcomeCache;
use sayso_core::i18n::own;
use sayso_core::{AccountQuota, Message, Problem, ProblemCode, ServiceQuota, limits};
use sayso_desk::person_mark::PersonMark;
use sayso_desk::{RetentionPolicy, StoreDesk};
use sayso_dialects::{Dialect, DialectLimits};
use serde_json::Value;
use std::fmt;
use std::net::{SocketAddr, TcpListener};
use std::num::NonZeroU32;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use threads::{ThreadState, TurnRegistry};
use tokio::runtime::{Builder, Runtime};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

pub use context::ServerDelays;
pub use net::exposure::PeerPolicy;
pub use net::public_url::PublicUrl;
pub use net::tls::TlsFiles;
pub use threads::question_listener::{FindSession, QuestionAddresses, serve_questions};

/// Configuration of the server.
pub struct HttpServerConfig {
    /// The desk.
    pub desk: Arc<StoreDesk>,
    /// Further host names of the server, with the port if it is not the default.
    pub hosts: Vec<String>,
    /// Origins whose pages may call the API.
    pub origins: Vec<String>,
    /// Limits on requests, from the settings.
    pub limits: DialectLimits,
    /// Dialect assumed for a request that matches several.
    pub dialect: Option<Dialect>,
    /// Address of the pages.
    pub public_url: PublicUrl,
    /// Addresses that may connect.
    pub peers: PeerPolicy,
    /// Certificate and key, if the server has TLS of its own.
    pub tls: Option<TlsFiles>,
    /// True if browsers shall use TLS alone for this host.
    pub is_tls_strict: bool,
    /// Accounts of askers to which an embedded element may give consent.
    pub embedded_consent: Vec<String>,
    /// Terminal that shows login codes, if any.
    pub terminal: Option<LoginTerminal>,
    /// Proxy that signs people in, if any.
    pub sign_in_proxy: Option<SignInProxy>,
    /// Retention period of settled asks.
    pub retention: RetentionPolicy,
    /// Requests per second of one account; unlimited if `None`.
    pub rate: Option<NonZeroU32>,
    /// Accounts and groups that see asks which name no audience; the members if empty.
    pub audience: Vec<String>,
    /// Bytes that the asks of one account may occupy; unlimited if `None`.
    pub kept_bytes: Option<u64>,
    /// Asks per hour of one account; unlimited if `None`.
    pub asks_per_hour: Option<u32>,
    /// Limits of each service.
    pub service_quota: ServiceQuota,
    /// Name of the desk, as agents read it.
    pub desk_name: String,
    /// Key that seals the state which MCP hosts carry between two rounds of a call.
    pub seal_key: SealKey,
    /// Handler at `/mcp` in place of the desk's, for the protocol's conformance suite.
    pub mcp_handler: Option<McpHandler>,
    /// File of the mark of a person who uses the desk.
    pub person_file: PathBuf,
    /// Parser of a time limit, in milliseconds.
    pub parse_time_limit: fn(&str) -> Result<i64, Problem>,
    /// Features of MCP hosts that the settings allow.
    pub host_features: HostFeatures,
    /// Files that this process may have open, which bounds its connections; unlimited if `None`.
    pub open_files: Option<u64>,
    /// Delays that a client notices.
    pub delays: ServerDelays,
    /// Clock.
    pub now: fn() -> Timestamp,
}

impl fmt::Debug for HttpServerConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpServerConfig").field("limits", &self.limits).finish_non_exhaustive()
    }
}

/// Maximum number of threads for blocking desk calls.
const DESK_THREADS: usize = 128;
/// Threads that go on with other tasks while one waits for the desk.
const SPARE_THREADS: usize = 64;
/// Rate limit on unknown tokens and login codes of one address.
const LOGIN_RATE: RateLimit = RateLimit { burst: 20, every: Duration::from_secs(1) };
/// Burst of the account rate limit, in seconds' worth of requests.
const BURST_SECONDS: u32 = 2;

/// Generates the OpenAPI document of the API, which the program embeds.
#[cfg(feature = "codegen")]
pub fn generate_openapi() -> String {
    openapi::document::write(&route_table::routes().collect::<Vec<_>>())
}

/// Serves on a listening socket until a termination signal. Calls `ready` once signal handlers are installed and the desk was read.
///
/// # Errors
/// Fails if the socket cannot be used, or the runtime cannot be created.
pub fn serve(setup: HttpServerConfig, listener: TcpListener, ready: impl FnOnce()) -> Result<(), Problem> {
    let runtime = new_runtime()?;
    let signal = {
        let _inside = runtime.enter();
        serve::shutdown_signal().map_err(serve_failed)?
    };
    let listeners = Listeners::new(listener, &setup.public_url).map_err(serve_failed)?;
    serve_in(runtime, setup, listeners, signal, ready)
}

/// Serves on a listening socket until `shutdown`, as a part of a program that has its own log and signal handlers.
///
/// # Errors
/// Fails if the socket cannot be used, or the runtime cannot be created.
pub fn serve_until(
    setup: HttpServerConfig,
    listener: TcpListener,
    shutdown: impl Future<Output = ()> + Send + 'static,
) -> Result<(), Problem> {
    let listeners = Listeners::new(listener, &setup.public_url).map_err(serve_failed)?;
    serve_in(new_runtime()?, setup, listeners, shutdown, || {})
}

fn new_runtime() -> Result<Runtime, Problem> {
    let mut builder = Builder::new_multi_thread();
    builder.enable_all().max_blocking_threads(DESK_THREADS + SPARE_THREADS).build().map_err(serve_failed)
}

fn serve_failed(error: std::io::Error) -> Problem {
    Problem::new(ProblemCode::DeskFailed, Message::ServeFailed.with([own(error)]))
}

fn serve_in(
    runtime: Runtime,
    mut setup: HttpServerConfig,
    Listeners { address, all: listeners }: Listeners,
    shutdown: impl Future<Output = ()> + Send + 'static,
    ready: impl FnOnce(),
) -> Result<(), Problem> {
    let closing = CancellationToken::new();
    let retention = setup.retention;
    let tls = setup.tls.take();
    let public_url = setup.public_url.to_string();
    let limits = ListenerLimits::with_open_files(setup.open_files);
    let app = Arc::new(create_state(setup, address, tls.is_some(), closing.clone())?);
    // From here on whatever happens at the desk is counted.
    ready();
    app.logins.show_code();
    let desk = app.context.desk.clone();
    match desk.announce_address(Some(&public_url)) {
        Ok(()) => {}
        // A moved desk can still be read, and a desk is busy for a while only.
        Err(problem) if [ProblemCode::DeskMoved, ProblemCode::DeskBusy].contains(&problem.code) => {
            diagnostics::log_problem(&problem);
        }
        Err(problem) => return Err(problem),
    }
    let result = runtime.block_on(async move {
        tokio::spawn(async move {
            shutdown.await;
            log_event!(INFO, Http, "shutting down");
            closing.cancel();
        });
        serve::run(app, listeners, retention, limits, tls).await
    });
    // The address of a process that has ended is ignored in any case.
    if let Err(problem) = desk.announce_address(None) {
        diagnostics::log_problem(&problem);
    }
    // A desk call may still wait for the disk; it is atomic, so abandoning it is safe.
    runtime.shutdown_timeout(Duration::from_secs(1));
    result.map_err(serve_failed)
}

/// Creates the state of each feature.
///
/// # Errors
/// Fails if the desk cannot be read.
fn create_state(
    mut setup: HttpServerConfig,
    address: SocketAddr,
    has_tls: bool,
    closing: CancellationToken,
) -> Result<AppState, Problem> {
    let registry = TurnRegistry::load(&setup.desk)?;
    let counters = Arc::new(AskCounters::start(&setup.desk)?);
    let context = Arc::new(create_context(&setup, closing)?);
    let body_budget = Arc::new(BodyBudget::new(context.metrics.body_bytes_gauge()));
    let logins = Arc::new(LoginState::new(
        context.clone(),
        RateLimiter::new(LOGIN_RATE),
        setup.public_url.to_string(),
        setup.service_quota,
        setup.terminal.take(),
        setup.sign_in_proxy.take(),
    ));
    let authenticator = Arc::new(Authenticator::new(context.clone(), logins.clone()));
    let interactions = InteractionState::new(context.clone(), authenticator.clone(), body_budget.clone());
    let services = match setup.mcp_handler.take() {
        Some(handler) => AccountServices::of_handler(handler, context.closing.clone()),
        None => mcp_services(&setup, &context),
    };
    let mcp = McpState {
        services,
        context: context.clone(),
        quota: account_quota(&setup),
        public_url: setup.public_url.to_string(),
    };
    let asks = AskState {
        context: context.clone(),
        limits: setup.limits,
        dialect: setup.dialect,
        quota: account_quota(&setup),
        outcomes: OutcomeCache::default(),
    };
    let origin_policy = origin_policy(&setup, address, has_tls);
    Ok(AppState {
        gate: Arc::new(create_gate(&setup, origin_policy, authenticator, body_budget)?),
        asks: Arc::new(asks),
        mcp: Arc::new(mcp),
        interactions: Arc::new(interactions),
        threads: Arc::new(ThreadState::new(context.clone(), registry)),
        logins,
        counters,
        documents: Arc::new(ApiDocuments::new(render_docs)),
        context,
    })
}

/// Renders the page of the API for people.
fn render_docs(document: &Value) -> String {
    let routes: Vec<_> = route_table::routes().collect();
    openapi::docs::render_page(&routes, document)
}

/// Creates the context of all features.
///
/// # Errors
/// Fails if the desk cannot be read.
fn create_context(setup: &HttpServerConfig, closing: CancellationToken) -> Result<ServerContext, Problem> {
    let departures = setup.desk.departures(&setup.desk.groups()?)?;
    Ok(ServerContext {
        change_notifier: notify_of_commits(&setup.desk),
        regrouped: watch::Sender::new(Arc::new(departures)),
        desk: setup.desk.clone(),
        calls: BlockingCalls::new(DESK_THREADS),
        metrics: Arc::new(ServerMetrics::new()),
        revocations: RevocationRegistry::default(),
        embedded_consent: Arc::new(EmbeddedConsent::new(setup.embedded_consent.clone())),
        default_audience: DefaultAudience::new(&setup.audience),
        person_mark: PersonMark::new(setup.person_file.clone()),
        used_proofs: UsedProofs::default(),
        closing,
        delays: setup.delays,
        now: setup.now,
    })
}

/// Creates the gate of all requests.
///
/// # Errors
/// Fails if browsers shall use TLS alone for a host without it.
fn create_gate(
    setup: &HttpServerConfig,
    origin_policy: OriginPolicy,
    authenticator: Arc<Authenticator>,
    body_budget: Arc<BodyBudget>,
) -> Result<RequestGate, Problem> {
    let strict_transport =
        if setup.is_tls_strict { Some(setup.public_url.strict_transport()?) } else { None };
    Ok(RequestGate {
        origin_policy,
        peers: setup.peers.clone(),
        has_warned_of_proxy: AtomicBool::new(false),
        strict_transport,
        public_url: setup.public_url.clone(),
        authenticator,
        token_limiter: RateLimiter::new(LOGIN_RATE),
        account_limiter: setup.rate.map(account_limiter),
        body_budget,
    })
}

/// Returns the hosts and origins that count: those of the listener, those of the operator, and that of the pages.
fn origin_policy(setup: &HttpServerConfig, address: SocketAddr, has_tls: bool) -> OriginPolicy {
    let public_url = &setup.public_url;
    let own_scheme = HostScheme::with_tls(has_tls);
    let public_scheme = HostScheme::with_tls(public_url.has_tls());
    let named_scheme = if public_url.is_named_over_tls() { HostScheme::Https } else { HostScheme::Any };
    let mut hosts = vec![(public_url.host().to_owned(), public_scheme), (address.to_string(), own_scheme)];
    for name in ["localhost", "127.0.0.1", "[::1]"] {
        hosts.push((format!("{name}:{}", address.port()), own_scheme));
    }
    for name in &setup.hosts {
        hosts.push((name.clone(), named_scheme));
    }
    OriginPolicy::new(hosts, setup.origins.clone())
}

const fn account_quota(setup: &HttpServerConfig) -> AccountQuota {
    AccountQuota {
        open_asks: limits::ACCOUNT_OPEN_ASKS,
        stored_bytes: setup.kept_bytes,
        asks_per_hour: setup.asks_per_hour,
        retention_days: setup.retention.settled_days,
    }
}

/// Returns a limiter that lets each account make so many requests a second.
fn account_limiter(rate: NonZeroU32) -> RateLimiter {
    let burst = rate.get().saturating_mul(BURST_SECONDS);
    RateLimiter::new(RateLimit { burst, every: Duration::from_secs(1) / rate.get() })
}

/// Returns the services of MCP, which take from an account's token who asks.
fn mcp_services(setup: &HttpServerConfig, context: &ServerContext) -> AccountServices {
    // The address of the pages is that of the account.
    let config = McpConfig {
        desk_name: setup.desk_name.clone(),
        parse_time_limit: setup.parse_time_limit,
        host_features: setup.host_features,
        ..McpConfig::without_settings(setup.desk.clone(), setup.seal_key.clone(), setup.now)
    };
    AccountServices::of_desk(config, context.change_notifier.clone(), context.closing.clone())
}

/// Returns a notifier that also learns of each commit of this process at once.
fn notify_of_commits(desk: &Arc<StoreDesk>) -> Arc<ChangeNotifier> {
    let notifier = ChangeNotifier::new(desk.clone());
    let weak_desk = Arc::downgrade(desk);
    let weak_notifier = Arc::downgrade(&notifier);
    desk.add_commit_hook(Arc::new(move || {
        if let (Some(desk), Some(notifier)) = (weak_desk.upgrade(), weak_notifier.upgrade()) {
            notifier.catch_up(|place, most| desk.changes_after(place, most));
        }
    }));
    notifier
}
