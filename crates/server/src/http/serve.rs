//! Router made from the table of routes, its middleware, and background tasks.

use super::app::App;
use super::call::{BodyLimit, Call, lang_of, peer_of};
use super::gate;
use super::interaction;
use super::listen::{self, Bounds};
use super::log::{self, Log};
use super::metrics::Refused;
use super::observe::{Observer, observe};
use super::rate::{self, seconds};
use super::route::{Access, Coming, Place, Route, Verb};
use super::routes::routes;
use super::status;
use super::stay::Credential;
use super::threads;
use super::{browser, caller::Caller};
use axum::Router;
use axum::extract::rejection::RawPathParamsRejection;
use axum::extract::{ConnectInfo, RawPathParams, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{MethodFilter, on};
use jiff::Timestamp;
use sayso_core::{Code, Message, Problem, limits};
use sayso_desk::token::Role;
use sayso_desk::{Desk as _, LocalDesk, Query};
use std::collections::{BTreeSet, HashSet};
use std::future::ready;
use std::net::{SocketAddr, TcpListener};
use std::pin::Pin;
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

/// Interval at which deadlines are applied without a request.
const TICK: Duration = Duration::from_secs(1);
/// Interval of the credential check. Long-lived requests of a revoked credential end within a second, closing
/// handshake included.
const CREDENTIAL_CHECK: Duration = Duration::from_millis(250);
/// Number of tokens up to which each is looked up by itself; beyond it, all are read at once.
const LOOKED_UP: usize = 64;
/// Interval of the desk's maintenance.
const TIDY_UP: Duration = Duration::from_secs(60 * 60);
/// Timeout for closing the WebSockets.
const GOODBYE: Duration = Duration::from_secs(3);

/// Refusal of a request, and the time after which to retry.
struct Refusal {
    problem: Box<Problem>,
    after: Option<Duration>,
}

impl From<Problem> for Refusal {
    fn from(problem: Problem) -> Self {
        Self { problem: Box::new(problem), after: None }
    }
}

fn too_many(after: Duration) -> Refusal {
    Refusal { problem: Box::new(rate::too_many(after)), after: Some(after) }
}

/// Serves until shutdown.
///
/// # Errors
/// Fails if the socket cannot be used.
pub(super) async fn run(app: Arc<App>, listener: TcpListener, log: Log) -> std::io::Result<()> {
    let closing = app.closing.clone();
    let ticking = tokio::spawn(tick(app.clone()));
    let checking = tokio::spawn(check_credentials(app.clone()));
    let supervising = tokio::spawn(threads::look_after_turns(app.clone()));
    let judging = tokio::spawn(interaction::keep_judging(app.clone()));
    let (metrics, sockets) = (app.metrics.clone(), app.interactions.sockets.clone());
    let served = listen::serve(listener, router(app, log), Bounds::default(), closing, metrics).await;
    sockets.close();
    let _ = tokio::time::timeout(GOODBYE, sockets.wait()).await;
    ticking.abort();
    checking.abort();
    judging.abort();
    supervising.abort();
    served
}

/// Applies deadlines and runs maintenance in the background.
async fn tick(app: Arc<App>) {
    let mut ticks = tokio::time::interval(TICK);
    let mut tidied = Instant::now();
    ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Skip);
    loop {
        ticks.tick().await;
        // Errors are reported to the next request.
        let _ = app.at_desk(|desk| desk.list(&Query { rows: Some(1), ..Query::default() })).await;
        let _ = app.count().await;
        let _ = app
            .at_desk(|desk| {
                desk.shrink_log();
                Ok(())
            })
            .await;
        if tidied.elapsed() >= TIDY_UP {
            tidied = Instant::now();
            let retention = app.retention;
            let _ = app.at_desk(move |desk| desk.tidy_up(retention)).await;
        }
    }
}

/// Cancels long-lived requests whose credential was revoked, by any process.
async fn check_credentials(app: Arc<App>) {
    let mut ticks = tokio::time::interval(CREDENTIAL_CHECK);
    ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Skip);
    loop {
        ticks.tick().await;
        let shown = app.stays.shown();
        if !shown.is_empty() {
            see_out(&app, shown).await;
        }
    }
}

/// Cancels the long-lived requests of those credentials that are no longer valid.
pub(super) async fn see_out(app: &Arc<App>, shown: Vec<Credential>) {
    let mut ended = browser::ended(app, &shown);
    let ids = shown.into_iter().filter_map(|one| match one {
        Credential::Token(id) => Some(id),
        Credential::Session(_) => None,
    });
    let (ids, now): (Vec<_>, _) = (ids.collect(), (app.now)());
    if !ids.is_empty() {
        let Ok(over) = app.at_desk(move |desk| without_token(desk, ids, now)).await else { return };
        ended.extend(over.into_iter().map(Credential::Token));
    }
    app.stays.end(&ended);
}

/// Returns those of the ids whose token is no longer valid.
fn without_token(desk: &LocalDesk, ids: Vec<String>, now: Timestamp) -> Result<Vec<String>, Problem> {
    if ids.len() > LOOKED_UP {
        let valid: HashSet<String> =
            desk.tokens()?.into_iter().filter(|token| token.is_valid(now)).map(|token| token.id).collect();
        return Ok(ids.into_iter().filter(|id| !valid.contains(id)).collect());
    }
    let mut over = Vec::new();
    for id in ids {
        if !desk.token(&id)?.is_some_and(|token| token.is_valid(now)) {
            over.push(id);
        }
    }
    Ok(over)
}

/// Parameters of a path, if they are UTF-8.
type Params = Result<RawPathParams, RawPathParamsRejection>;

fn router(app: Arc<App>, log: Log) -> Router {
    let observer = Observer::new(app.metrics.clone(), log);
    let mut router = Router::new();
    for route in routes() {
        let observer = observer.clone();
        let handler = move |State(app): State<Arc<App>>, params: Params, request: Request| {
            let within = app.clone();
            let reply = move |request| reply(route, within, params, request);
            observe(observer.clone(), request, move |request| doors(&app, request, reply))
        };
        router = router.route(route.path, on(filter(route.verb), handler));
    }
    let refuse = |problem: fn() -> Problem| {
        let observer = observer.clone();
        move |State(app): State<Arc<App>>, request: Request| {
            let refusal =
                move |request: Request| ready(status::reply(&problem(), lang_of(request.headers()), None));
            observe(observer.clone(), request, move |request| doors(&app, request, refusal))
        }
    };
    router
        .fallback(refuse(|| Problem::new(Code::NoSuchRoute, Message::NoSuchRoute).hint(Message::SeeDocs)))
        .method_not_allowed_fallback(refuse(|| {
            Problem::new(Code::MethodNotAllowed, Message::MethodNotAllowed)
        }))
        .with_state(app)
}

const fn filter(verb: Verb) -> MethodFilter {
    match verb {
        Verb::Get => MethodFilter::GET,
        Verb::Post => MethodFilter::POST,
        Verb::Patch => MethodFilter::PATCH,
        Verb::Delete => MethodFilter::DELETE,
    }
}

/// Checks host and origin before every route. Keeps nothing of a waiting request.
fn doors<F, N>(app: &App, request: Request, next: N) -> impl Future<Output = Response> + Send + use<F, N>
where
    F: Future<Output = Response> + Send + 'static,
    N: FnOnce(Request) -> F,
{
    let (parts, body) = request.into_parts();
    let site = app.gate.foreign_site(&parts.headers).and_then(|site| HeaderValue::from_str(site).ok());
    let coming: Pin<Box<dyn Future<Output = Response> + Send>> = match app.gate.admit(&parts) {
        Err(problem) => {
            app.metrics.refused(match problem.code {
                Code::HostNotAllowed => Refused::Host,
                _ => Refused::Origin,
            });
            Box::pin(ready(status::reply(&problem, lang_of(&parts.headers), None)))
        }
        Ok(()) if site.is_some() && parts.method == Method::OPTIONS => {
            Box::pin(ready(StatusCode::NO_CONTENT.into_response()))
        }
        Ok(()) => Box::pin(next(Request::from_parts(parts, body))),
    };
    async move {
        let mut reply = coming.await;
        guard(reply.headers_mut(), site);
        reply
    }
}

/// Value of `Access-Control-Allow-Headers`: the headers that routes read, and two that any may have.
static READ: LazyLock<HeaderValue> = LazyLock::new(|| {
    let parameters = routes().flat_map(|route| route.parameters);
    let named = parameters.filter(|it| it.place == Place::Header).map(|it| it.name.to_ascii_lowercase());
    let always = [header::AUTHORIZATION, header::CONTENT_TYPE].map(|name| name.to_string());
    let all: BTreeSet<String> = named.chain(always).collect();
    let all = all.into_iter().collect::<Vec<_>>().join(", ");
    HeaderValue::from_str(&all).unwrap_or_else(|_| HeaderValue::from_static(""))
});

/// Sets the security headers of every response, and the CORS headers for an allowed foreign origin.
fn guard(headers: &mut HeaderMap, site: Option<HeaderValue>) {
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    if let Some(site) = site {
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, site);
        headers.insert(header::VARY, HeaderValue::from_static("origin"));
        let methods = HeaderValue::from_static("GET, POST, PATCH, DELETE");
        headers.insert(header::ACCESS_CONTROL_ALLOW_METHODS, methods);
        headers.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, READ.clone());
        let exposed = "etag, location, preference-applied, retry-after, x-request-id";
        headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static(exposed));
    }
}

/// Dispatches a request to its route. Buffers needed only for reading it are dropped before the wait.
fn reply(
    route: &'static Route,
    app: Arc<App>,
    params: Params,
    request: Request,
) -> impl Future<Output = Response> + Send {
    let lang = lang_of(request.headers());
    let metrics = app.metrics.clone();
    let begun = Box::pin(begin(route, app, params, request));
    async move {
        match begun.await {
            Ok((who, coming)) => {
                let mut reply = coming.await.unwrap_or_else(|problem| status::reply(&problem, lang, None));
                if let Some(who) = who {
                    reply.extensions_mut().insert(who);
                }
                reply
            }
            Err(Refusal { problem, after }) => {
                match problem.code {
                    Code::Unauthorized => metrics.refused(Refused::Auth),
                    // Only the body budget sets its own retry time.
                    Code::TooManyRequests if problem.retry_after_s.is_some() => {
                        metrics.refused(Refused::Bodies);
                    }
                    Code::TooManyRequests => metrics.refused(Refused::Rate),
                    Code::TooLarge => metrics.refused(Refused::Size),
                    _ => {}
                }
                status::reply(&problem, lang, after.map(seconds))
            }
        }
    }
}

/// Authenticates and reads a request; returns its caller and the handler's future.
async fn begin(
    route: &'static Route,
    app: Arc<App>,
    params: Params,
    request: Request,
) -> Result<(Option<log::Caller>, Coming), Refusal> {
    let params = params.map_err(|_| Problem::new(Code::NoSuchRoute, Message::PathUnreadable))?;
    let part = params.iter().next().map(|(_, value)| value.to_owned()).unwrap_or_default();
    if app.closing.is_cancelled() {
        return Err(Problem::new(Code::DeskClosing, Message::DeskClosing).into());
    }
    let (parts, body) = request.into_parts();
    let from = parts.extensions.get::<ConnectInfo<SocketAddr>>().map(|ConnectInfo(from)| *from);
    let (caller, late) = match route.access {
        Access::Open => (None, None),
        Access::Late => match let_in(&app, &parts, from) {
            Err(refusal) if refusal.after.is_some() => return Err(refusal),
            late => (None, Some(late.map_err(|refusal| *refusal.problem))),
        },
        _ => (Some(let_in(&app, &parts, from)?), None),
    };
    let who = caller
        .as_ref()
        .map(|caller| log::Caller { account: caller.account.as_str().into(), role: caller.role.as_str() });
    let stranger = late.as_ref().and_then(|late| late.as_ref().err().cloned());
    let most = if stranger.is_some() { limits::STRANGERS_BODY_BYTES } else { route.body_bytes() };
    let account = match (&caller, &late) {
        (Some(caller), _) | (None, Some(Ok(caller))) => caller.account.clone(),
        _ => String::new(),
    };
    let limit = BodyLimit { most, account, budget: &app.bodies };
    let read = Call::read(parts, part, from, caller, body, route.body, limit).await;
    let mut call = read.map_err(|problem| match stranger {
        Some(stranger) if problem.code == Code::TooLarge => stranger,
        _ => problem,
    })?;
    call.late = late;
    Ok((who, (route.run)(app, call)))
}

/// Authenticates a caller and applies rate limits. Repeated unknown tokens soon hit the address's limit. Known
/// callers at the address are exempt, since a proxy carries all clients.
fn let_in(app: &Arc<App>, parts: &Parts, from: Option<SocketAddr>) -> Result<Caller, Refusal> {
    let now = Instant::now();
    let caller = match gate::caller(app, parts) {
        Ok(caller) => caller,
        Err(problem) if problem.code == Code::Unauthorized => {
            app.tries.take(&peer_of(from), now).map_err(too_many)?;
            return Err(problem.into());
        }
        Err(problem) => return Err(problem.into()),
    };
    match &app.calls {
        Some(calls) if caller.role != Role::Admin => {
            calls.take(&caller.account, now).map_err(too_many)?;
        }
        Some(_) | None => {}
    }
    Ok(caller)
}
