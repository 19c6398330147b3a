//! Router made from the table of routes, its middleware, and background tasks.

use super::app::AppState;
use super::interaction;
use super::metrics::RefusalReason;
use super::middleware::call::{ApiCall, preferred_lang};
use super::middleware::caller::AuthenticatedCaller;
use super::middleware::gate::RequestRefusal;
use super::middleware::problem_response;
use super::middleware::rate_exchange;
use super::middleware::rate_limit::round_up_to_seconds;
use super::middleware::request_body::BodyLimit;
use super::middleware::request_log::{RequestObserver, observe};
use super::net::connection_limits::ConnectionPermit;
use super::net::exposure::ClientAddress;
use super::net::tls::TlsFiles;
use super::net::{self, ListenerLimits};
use super::route::{BodySpec, HandlerFuture, ParameterPlace, Route, RouteAccess, RouteMethod};
use super::route_table::routes;
use super::threads;
use super::upkeep;
use super::{HttpServerConfig, PeerPolicy, PublicUrl, ServerDelays};
use crate::diagnostics::{LoggedCaller, log_event, log_problem, record_ask};
use crate::mcp::{HostFeatures, SealKey};
use axum::Router;
use axum::extract::rejection::RawPathParamsRejection;
use axum::extract::{RawPathParams, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{MethodFilter, on};
use jiff::Timestamp;
use sayso_core::{AskId, Message, Problem, ProblemCode, ServiceQuota, limits};
use sayso_desk::token::TokenRole;
use sayso_desk::{RetentionPolicy, StoreDesk};
use sayso_dialects::DialectLimits;
use std::collections::BTreeSet;
use std::future::ready;
use std::net::TcpListener;
use std::path::Path;
use std::pin::Pin;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

/// Timeout for closing the WebSockets.
const SOCKET_CLOSE_TIMEOUT: Duration = Duration::from_secs(3);

impl HttpServerConfig {
    /// Returns what a server has without settings, with its files in a folder.
    ///
    /// # Errors
    /// Fails if the listener has no address.
    pub fn without_settings(
        desk: Arc<StoreDesk>,
        listener: &TcpListener,
        folder: &Path,
        now: fn() -> Timestamp,
    ) -> Result<Self, Problem> {
        let address = listener.local_addr().map_err(super::serve_failed)?;
        Ok(Self {
            desk,
            hosts: Vec::new(),
            origins: Vec::new(),
            limits: DialectLimits::default(),
            dialect: None,
            public_url: PublicUrl::for_listener(address, false),
            peers: PeerPolicy::new(address, false, Vec::new())?,
            tls: None,
            is_tls_strict: false,
            embedded_consent: Vec::new(),
            terminal: None,
            sign_in_proxy: None,
            retention: RetentionPolicy::default(),
            rate: None,
            audience: Vec::new(),
            kept_bytes: None,
            asks_per_hour: None,
            service_quota: ServiceQuota { logins_per_hour: None, sessions: None },
            desk_name: String::new(),
            seal_key: SealKey::InFile(folder.join("desk.db.seal")),
            mcp_handler: None,
            person_file: folder.join("desk.db.person"),
            parse_time_limit: |_| Err(Problem::missing_member("timeout")),
            host_features: HostFeatures::default(),
            open_files: None,
            delays: ServerDelays::default(),
            now,
        })
    }
}

/// Serves until shutdown.
///
/// # Errors
/// Fails if the socket cannot be used.
pub(super) async fn run(
    app: Arc<AppState>,
    listeners: Vec<TcpListener>,
    retention: RetentionPolicy,
    limits: ListenerLimits,
    tls: Option<TlsFiles>,
) -> std::io::Result<()> {
    let context = app.context.clone();
    let tasks = [
        tokio::spawn(upkeep::run_deadlines(context.clone(), app.counters.clone())),
        tokio::spawn(upkeep::run_maintenance(context.clone(), retention)),
        tokio::spawn(app.gate.authenticator.clone().watch_credentials()),
        tokio::spawn(threads::supervise_turns(app.threads.clone())),
        tokio::spawn(threads::exchange_turns(app.threads.clone())),
        tokio::spawn(interaction::run_judge(context.clone())),
        tokio::spawn(rate_exchange::run(app.clone())),
    ];
    let sockets = app.interactions.sockets.clone();
    let closing = context.closing.clone();
    let result = net::serve(listeners, router(app), limits, tls, closing, context.metrics.clone()).await;
    sockets.close();
    if tokio::time::timeout(SOCKET_CLOSE_TIMEOUT, sockets.wait()).await.is_err() {
        log_event!(WARN, Http, "sockets cut at shutdown", sockets = sockets.len());
    }
    for task in tasks {
        task.abort();
    }
    result
}

/// Parameters of a path, if they are UTF-8.
type PathParams = Result<RawPathParams, RawPathParamsRejection>;

fn router(app: Arc<AppState>) -> Router {
    let observer = RequestObserver::new(app.context.metrics.clone());
    let mut router = Router::new();
    for route in routes() {
        let observer = observer.clone();
        let handler = move |State(app): State<Arc<AppState>>, params: PathParams, request: Request| {
            answer(observer.clone(), app, route, params, request)
        };
        router = router.route(route.path, on(method_filter(route.method), handler));
    }
    let route_observer = observer.clone();
    let no_such_route = move |State(app): State<Arc<AppState>>, request: Request| {
        let problem = Problem::new(ProblemCode::NoSuchRoute, Message::NoSuchRoute);
        refuse(route_observer.clone(), app, request, problem.with_hint(Message::SeeDocs))
    };
    let method_not_allowed = move |State(app): State<Arc<AppState>>, request: Request| {
        let problem = Problem::new(ProblemCode::MethodNotAllowed, Message::MethodNotAllowed);
        refuse(observer.clone(), app, request, problem)
    };
    router.fallback(no_such_route).method_not_allowed_fallback(method_not_allowed).with_state(app)
}

/// Answers a request to a route, once its origin is checked.
fn answer(
    observer: RequestObserver,
    app: Arc<AppState>,
    route: &'static Route,
    params: PathParams,
    request: Request,
) -> impl Future<Output = Response> + Send {
    let route_app = app.clone();
    let next = move |request| dispatch(route, route_app, params, request);
    observe(observer, request, move |request| with_origin_check(&app, request, next))
}

/// Refuses a request that no route takes. Its origin is checked too: a foreign page learns nothing of the routes.
fn refuse(
    observer: RequestObserver,
    app: Arc<AppState>,
    request: Request,
    problem: Problem,
) -> impl Future<Output = Response> + Send {
    let next = move |request: Request| {
        ready(problem_response::build(&problem, preferred_lang(request.headers()), None))
    };
    observe(observer, request, move |request| with_origin_check(&app, request, next))
}

const fn method_filter(method: RouteMethod) -> MethodFilter {
    match method {
        RouteMethod::Get => MethodFilter::GET,
        RouteMethod::Post => MethodFilter::POST,
        RouteMethod::Patch => MethodFilter::PATCH,
        RouteMethod::Delete => MethodFilter::DELETE,
    }
}

/// Checks host and origin before every route. Keeps nothing of a waiting request.
fn with_origin_check<F, N>(
    app: &AppState,
    request: Request,
    next: N,
) -> impl Future<Output = Response> + Send + use<F, N>
where
    F: Future<Output = Response> + Send + 'static,
    N: FnOnce(Request) -> F,
{
    let (parts, body) = request.into_parts();
    let site =
        app.gate.origin_policy.foreign_site(&parts.headers).and_then(|site| HeaderValue::from_str(site).ok());
    let response_future: Pin<Box<dyn Future<Output = Response> + Send>> = match app.gate.check_origin(&parts)
    {
        Err(problem) => {
            app.context.metrics.record_refusal(match problem.code {
                ProblemCode::HostNotAllowed => RefusalReason::Host,
                _ => RefusalReason::Origin,
            });
            Box::pin(ready(problem_response::build(&problem, preferred_lang(&parts.headers), None)))
        }
        Ok(()) if site.is_some() && parts.method == Method::OPTIONS => {
            Box::pin(ready(StatusCode::NO_CONTENT.into_response()))
        }
        Ok(()) => match app.gate.public_url.redirect(&parts) {
            Some(place) => {
                let headers = [(header::LOCATION, place)];
                Box::pin(ready((StatusCode::TEMPORARY_REDIRECT, headers).into_response()))
            }
            None => Box::pin(next(Request::from_parts(parts, body))),
        },
    };
    let strict_transport = app.gate.strict_transport.clone();
    async move {
        let mut reply = response_future.await;
        if let Some(value) = strict_transport {
            reply.headers_mut().insert(header::STRICT_TRANSPORT_SECURITY, value);
        }
        set_common_headers(reply.headers_mut(), site);
        reply
    }
}

/// Value of `Access-Control-Allow-Headers`: the headers that routes read, and two that any may have.
static ALLOWED_HEADERS: LazyLock<HeaderValue> = LazyLock::new(|| {
    let mut names = BTreeSet::from([header::AUTHORIZATION, header::CONTENT_TYPE].map(|it| it.to_string()));
    for parameter in routes().flat_map(|route| route.parameters) {
        if parameter.place == ParameterPlace::Header {
            names.insert(parameter.name.to_ascii_lowercase());
        }
    }
    let list = names.into_iter().collect::<Vec<_>>().join(", ");
    HeaderValue::from_str(&list).unwrap_or(HeaderValue::from_static(""))
});

/// Sets the security headers of every response, and the CORS headers for an allowed foreign origin.
fn set_common_headers(headers: &mut HeaderMap, site: Option<HeaderValue>) {
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.entry(header::REFERRER_POLICY).or_insert(HeaderValue::from_static("no-referrer"));
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    if let Some(site) = site {
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, site);
        headers.append(header::VARY, HeaderValue::from_static("origin"));
        let methods = HeaderValue::from_static("GET, POST, PATCH, DELETE");
        headers.insert(header::ACCESS_CONTROL_ALLOW_METHODS, methods);
        headers.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, ALLOWED_HEADERS.clone());
        let names = "etag, location, mcp-session-id, preference-applied, retry-after, x-request-id";
        headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static(names));
    }
}

/// Dispatches a request to its route. Buffers needed only for reading it are dropped before the wait.
fn dispatch(
    route: &'static Route,
    app: Arc<AppState>,
    params: PathParams,
    request: Request,
) -> impl Future<Output = Response> + Send {
    let lang = preferred_lang(request.headers());
    let metrics = app.context.metrics.clone();
    let request_future = Box::pin(accept_request(route, app, params, request));
    async move {
        match request_future.await {
            Ok((caller, reply_future)) => {
                let mut reply = match reply_future.await {
                    Ok(reply) => reply,
                    Err(problem) => {
                        log_problem(&problem);
                        problem_response::build(&problem, lang, None)
                    }
                };
                if let Some(caller) = caller {
                    reply.extensions_mut().insert(caller);
                }
                reply
            }
            Err(RequestRefusal { problem, retry_after }) => {
                log_problem(&problem);
                if let Some(reason) = refusal_reason(&problem) {
                    metrics.record_refusal(reason);
                }
                problem_response::build(&problem, lang, retry_after.map(round_up_to_seconds))
            }
        }
    }
}

/// Returns the reason under which a refused request is counted, if it is.
const fn refusal_reason(problem: &Problem) -> Option<RefusalReason> {
    match problem.code {
        ProblemCode::Unauthorized => Some(RefusalReason::Auth),
        // Only the body budget sets its own retry time.
        ProblemCode::TooManyRequests if problem.retry_after_s.is_some() => Some(RefusalReason::Bodies),
        ProblemCode::TooManyRequests => Some(RefusalReason::Rate),
        ProblemCode::TooLarge => Some(RefusalReason::Size),
        _ => None,
    }
}

/// Authenticates and reads a request; returns its caller and the handler's future.
async fn accept_request(
    route: &'static Route,
    app: Arc<AppState>,
    params: PathParams,
    request: Request,
) -> Result<(Option<LoggedCaller>, HandlerFuture), RequestRefusal> {
    let Ok(params) = params else {
        return Err(Problem::new(ProblemCode::NoSuchRoute, Message::PathUnreadable).into());
    };
    let path_param = params.iter().next().map(|(_, value)| value.to_owned()).unwrap_or_default();
    if let Some(id) = AskId::parse(&path_param) {
        record_ask(id);
    }
    if app.context.closing.is_cancelled() {
        return Err(Problem::new(ProblemCode::DeskClosing, Message::DeskClosing).into());
    }
    let (parts, body) = request.into_parts();
    let from = app.gate.peers.address(&parts);
    let mut caller = None;
    let mut deferred_caller = None;
    match route.access {
        RouteAccess::Open => {}
        RouteAccess::Deferred => {
            deferred_caller = Some(authenticate_deferred(route, &app, &parts, from)?);
        }
        _ => {
            let known_caller = app.gate.authenticate(&parts, from)?;
            route.access.check_service(known_caller.role)?;
            caller = Some(known_caller);
        }
    }
    let logged_caller = caller.as_ref().map(AuthenticatedCaller::logged);
    let mut limit =
        BodyLimit { max_bytes: route.max_body_bytes, account: String::new(), budget: &app.gate.body_budget };
    let mut proven_body = None;
    match (&caller, &deferred_caller) {
        (Some(caller), _) | (None, Some(Ok(caller))) => {
            if let Some(permit) = parts.extensions.get::<Arc<ConnectionPermit>>() {
                let is_person = matches!(caller.role, TokenRole::Person | TokenRole::Admin);
                permit.admit(&caller.account, is_person)?;
            }
            limit.account.clone_from(&caller.account);
            proven_body = caller.proven_body;
        }
        (None, Some(Err(_))) => limit.max_bytes = limits::UNAUTHENTICATED_BODY_BYTES,
        (None, None) => {}
    }
    let result = ApiCall::read(parts, path_param, from, caller, body, route.body, limit).await;
    let mut call = match (result, &deferred_caller) {
        (Ok(call), _) => call,
        // That a body is too large for a stranger is no news for a caller whose token is wrong.
        (Err(problem), Some(Err(authentication))) if problem.code == ProblemCode::TooLarge => {
            return Err(authentication.clone().into());
        }
        (Err(problem), _) => return Err(problem.into()),
    };
    // A body that no one reads is no part of the request.
    if let Some(proven_body) = proven_body
        && !matches!(route.body, BodySpec::None)
    {
        proven_body.check(call.body_bytes())?;
    }
    call.deferred_caller = deferred_caller;
    Ok((logged_caller, (route.handler)(&app, call)))
}

/// Authenticates the caller of a route whose handler checks it after the body.
///
/// # Errors
/// Fails if the client calls too often.
fn authenticate_deferred(
    route: &Route,
    app: &AppState,
    parts: &Parts,
    from: ClientAddress,
) -> Result<Result<AuthenticatedCaller, Problem>, RequestRefusal> {
    match app.gate.authenticate(parts, from) {
        Ok(caller) => Ok(route.access.check_service(caller.role).map(|()| caller)),
        Err(refusal) if refusal.retry_after.is_some() => Err(refusal),
        Err(refusal) => Ok(Err(*refusal.problem)),
    }
}

/// Installs handlers for termination signals, and returns a future of the first signal.
///
/// # Errors
/// Fails if the handlers cannot be installed.
#[cfg(unix)]
pub(super) fn shutdown_signal() -> std::io::Result<impl Future<Output = ()>> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    Ok(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
    })
}

/// Returns a future of the first termination signal.
///
/// # Errors
/// None.
#[cfg(not(unix))]
pub(super) fn shutdown_signal() -> std::io::Result<impl Future<Output = ()>> {
    Ok(async {
        if tokio::signal::ctrl_c().await.is_err() {
            log_event!(WARN, Http, "no handler for Ctrl-C");
        }
    })
}
