//! What is done around every request: it gets an id, is counted and written down.

use super::log::{Caller, Entry, Log};
use super::metrics::{Metrics, known};
use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderName, HeaderValue};
use axum::middleware::Next;
use axum::response::Response;
use std::hash::{BuildHasher as _, RandomState};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
/// Characters of an id that a caller may give a request.
const ID_LENGTH: usize = 64;
/// What stands for the route of a request that has none.
const NO_ROUTE: &str = "none";

/// The id of a request, among its extensions.
#[derive(Debug, Clone)]
pub(super) struct RequestId(pub(super) Arc<str>);

/// Counts, writes down and numbers requests.
#[derive(Debug, Clone)]
pub(super) struct Observer {
    meters: Arc<Metrics>,
    log: Log,
    ids: Arc<Ids>,
}

/// Makes ids that tell requests apart, also those of another run of the server. They are no secret.
#[derive(Debug, Default)]
struct Ids {
    run: RandomState,
    count: AtomicU64,
}

impl Ids {
    fn next(&self) -> String {
        let number = self.run.hash_one(self.count.fetch_add(1, Ordering::Relaxed));
        format!("{number:016x}")
    }
}

impl Observer {
    pub(super) fn new(meters: Arc<Metrics>, log: Log) -> Self {
        Self { meters, log, ids: Arc::default() }
    }

    fn id(&self, request: &Request) -> Arc<str> {
        let given = request.headers().get(REQUEST_ID).and_then(|value| value.to_str().ok());
        match given.filter(|id| is_plain(id)) {
            Some(id) => id.into(),
            None => self.ids.next().into(),
        }
    }
}

fn is_plain(id: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.:".contains(&byte);
    (1..=ID_LENGTH).contains(&id.len()) && id.bytes().all(plain)
}

/// A request that is being answered. Dropped before there is a reply, its client has left.
struct Seen {
    observer: Observer,
    begun: Instant,
    method: &'static str,
    route: Arc<str>,
    id: Arc<str>,
    is_answered: bool,
}

impl Seen {
    fn log(&self, status: Option<u16>, caller: Option<&Caller>) {
        self.observer.log.request(&Entry {
            method: self.method,
            route: &self.route,
            status,
            took: self.begun.elapsed(),
            id: &self.id,
            caller,
        });
    }
}

impl Drop for Seen {
    fn drop(&mut self) {
        if !self.is_answered {
            self.log(None, None);
        }
    }
}

/// To be laid around all routes and the gate before them, so that those who are refused are seen too.
pub(super) async fn observe(State(observer): State<Observer>, mut request: Request, next: Next) -> Response {
    let id = observer.id(&request);
    let route = request.extensions().get::<MatchedPath>().map_or(NO_ROUTE, MatchedPath::as_str).into();
    let method = known(request.method().as_str());
    request.extensions_mut().insert(RequestId(id.clone()));
    let mut seen = Seen { observer, begun: Instant::now(), method, route, id, is_answered: false };
    let mut response = next.run(request).await;
    seen.is_answered = true;
    let status = response.status().as_u16();
    seen.observer.meters.answered(&seen.route, seen.method, status, seen.begun.elapsed());
    let caller = response.extensions_mut().remove::<Caller>();
    seen.log(Some(status), caller.as_ref());
    if let Ok(id) = HeaderValue::from_str(&seen.id) {
        response.headers_mut().insert(REQUEST_ID, id);
    }
    response
}
