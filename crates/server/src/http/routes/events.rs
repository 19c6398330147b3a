//! Stream of the desk's changes, as server-sent events (HTML standard).
//!
//! **Invariant:** no change is skipped without a `gap` event. A slow reader catches up from the desk's log, from the
//! last event that was sent.

use super::outcome;
use super::outcome_waiter::OutcomeWaiter;
use crate::diagnostics::log_event;
use crate::http::context::ServerContext;
use crate::http::middleware::auth::single_header;
use crate::http::middleware::call::ApiCall;
use crate::http::middleware::caller::AuthenticatedCaller;
use crate::http::middleware::response;
use crate::http::middleware::revocation::RevocationGuard;
use crate::http::openapi::schemas;
use crate::http::route::{BodySpec, ContentSpec, Parameter, Route, RouteAccess, RouteMethod, ok, run};
use axum::http::HeaderName;
use axum::response::{IntoResponse as _, Response, Sse, sse};
use futures_util::stream::{self, Stream};
use sayso_core::lifecycle::AskEvent;
use sayso_core::wire::json;
use sayso_core::{AskId, Departures, Problem, ProblemCode};
use sayso_desk::{AskChange, ChangeCursor, StoreDesk, WatchEvent, person_mark, random};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::collections::VecDeque;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::broadcast::{Receiver, error::RecvError};
use tokio::sync::watch;
use tokio::task::AbortHandle;

pub(crate) const ROUTES: &[Route] = &[Route {
    method: RouteMethod::Get,
    path: "/v1/events",
    name: "watch_events",
    summary: "Stream of changes: `hello` with the first position, `change` for each change, `ready` with a later \
        position after many changes that do not concern the caller, `gap` if events are no longer known, `gone` if \
        some asks are no longer for the caller, and `closing` before the server stops. `Last-Event-ID` continues \
        the stream.",
    access: RouteAccess::Any,
    parameters: &[
        Parameter::query("ask", "Only changes of this ask.", schemas::ask_id),
        Parameter::header("Last-Event-ID", "The id of the last event received.", schemas::text),
    ],
    body: BodySpec::None,
    max_body_bytes: 0,
    responses: &[ok("The stream.", ContentSpec::Events)],
    problems: &[ProblemCode::AskNotFound, ProblemCode::InvalidValue],
    handler: run!(watch),
}];

/// Minimum reconnection delay of a client in milliseconds, and the range of the jitter that is added.
const RETRY_MS: (u64, u64) = (1_000, 4_000);
/// Page size when reading the log.
const PAGE: usize = 256;
const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");

/// Query parameters of the stream.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WatchParams {
    ask: Option<String>,
}

pub(crate) async fn watch(context: Arc<ServerContext>, call: ApiCall) -> Result<Response, Problem> {
    let caller = call.caller()?.clone();
    let ask = match call.parse_query::<WatchParams>()?.ask {
        None => None,
        Some(given) => {
            let id = AskId::parse(&given).ok_or_else(|| Problem::invalid_value("ask", &given))?;
            Some(context.visible_ask(&caller, id).await?.id)
        }
    };
    // A cursor that cannot be parsed is not from this desk, so the changes since then are unknown.
    let place = |id: Option<&str>| id.map(|id| ChangeCursor::parse(id).unwrap_or(ChangeCursor::NONE));
    let since = single_header(call.headers(), &LAST_EVENT_ID).map_or(Some(ChangeCursor::NONE), place);
    Ok(watcher_response(EventWatcher::start(context, caller, ask, since).await?))
}

fn watcher_response(watcher: EventWatcher) -> Response {
    let gauge_guard = watcher.context.metrics.count_stream();
    let events = stream::unfold((watcher, gauge_guard), |(mut watcher, held)| async move {
        watcher.next().await.map(|event| (event, (watcher, held)))
    });
    sse_response(events)
}

fn sse_response(events: impl Stream<Item = Result<sse::Event, Infallible>> + Send + 'static) -> Response {
    let alive = sse::KeepAlive::new().interval(response::KEEP_ALIVE_INTERVAL);
    response::as_stream(Sse::new(events).keep_alive(alive).into_response())
}

/// Returns a reconnection delay with jitter, so that clients do not reconnect all at once.
fn retry_ms() -> u64 {
    let random = random::random_bytes().map_or(0, u64::from_be_bytes);
    RETRY_MS.0 + random % RETRY_MS.1
}

/// Data of a `change` event.
#[derive(Serialize)]
struct ChangeData<'a> {
    ask: AskId,
    events: &'a [AskEvent],
}

/// Renews the mark of a person until it is dropped: a page or an inbox that is open counts as used.
struct UseRenewal(AbortHandle);

impl UseRenewal {
    fn start(context: Arc<ServerContext>) -> Self {
        let renew = async move {
            let mut ticks = tokio::time::interval(person_mark::RENEWAL);
            loop {
                ticks.tick().await;
                context.person_mark.record();
            }
        };
        Self(tokio::spawn(renew).abort_handle())
    }
}

impl Drop for UseRenewal {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// One client of the stream.
struct EventWatcher {
    context: Arc<ServerContext>,
    caller: AuthenticatedCaller,
    session_guard: RevocationGuard,
    /// Renewal of the mark of a person, while this stream is open.
    _use_renewal: Option<UseRenewal>,
    /// Filter on one ask, if any.
    ask: Option<AskId>,
    changes: Receiver<Arc<WatchEvent>>,
    /// Signal that a group of accounts has changed.
    regrouped: watch::Receiver<Arc<Departures>>,
    /// Position after the last change that was processed.
    cursor: ChangeCursor,
    /// Changes filtered out since the last event with a position.
    filtered: usize,
    /// Set if the log may hold changes that have not been processed.
    is_behind: bool,
    queue: VecDeque<sse::Event>,
    is_over: bool,
}

impl EventWatcher {
    /// Starts a stream with `hello`, at the given position or at the current one.
    async fn start(
        context: Arc<ServerContext>,
        caller: AuthenticatedCaller,
        ask: Option<AskId>,
        since: Option<ChangeCursor>,
    ) -> Result<Self, Problem> {
        let stay = context.revocations.register(caller.credential.clone());
        let (notifier, regrouped) = (context.change_notifier.clone(), context.regrouped.subscribe());
        // Subscribing before reading misses nothing.
        let begin = move |desk: &StoreDesk| Ok((notifier.listen()?, desk.resume_cursor(since)?));
        let (live, (cursor, has_gap)) = context.with_desk(begin).await?;
        let hello = sse::Event::default()
            .event("hello")
            .id(cursor.to_string())
            .retry(Duration::from_millis(retry_ms()))
            .data(json!({ "cursor": cursor.to_string() }).to_string());
        let mut sending = VecDeque::from([hello]);
        if has_gap {
            sending.push_back(sse::Event::default().event("gap").data("{}"));
        }
        let is_person = caller.is_person_in_use();
        Ok(Self {
            _use_renewal: is_person.then(|| UseRenewal::start(context.clone())),
            context,
            caller,
            session_guard: stay,
            ask,
            changes: live,
            regrouped,
            cursor,
            filtered: 0,
            is_behind: true,
            queue: sending,
            is_over: false,
        })
    }

    /// Returns the next event, waiting for one if necessary.
    async fn next(&mut self) -> Option<Result<sse::Event, Infallible>> {
        loop {
            if self.session_guard.is_revoked() {
                return None;
            }
            if let Some(event) = self.queue.pop_front() {
                return Some(Ok(event));
            }
            if self.is_over {
                return None;
            }
            if self.context.closing.is_cancelled() {
                self.queue_closing();
            } else if self.is_behind {
                if self.read_page().await.is_err() {
                    self.queue_closing();
                }
            } else {
                self.wait_for_change().await;
            }
        }
    }

    /// Reads one page of the log. No more than a page is buffered for a slow client.
    async fn read_page(&mut self) -> Result<(), Problem> {
        let place = self.cursor;
        let page = self.context.with_desk(move |desk| desk.changes_after(place, PAGE)).await?;
        self.is_behind = page.len() == PAGE;
        for changed in &page {
            self.process_change(changed);
        }
        Ok(())
    }

    /// Waits for the next change.
    async fn wait_for_change(&mut self) {
        let received = tokio::select! {
            event = self.changes.recv() => event,
            Ok(()) = self.regrouped.changed() => return self.judge_reader_again(),
            () = self.context.closing.cancelled() => return,
            () = self.session_guard.revoked() => return,
        };
        match received.as_deref() {
            Ok(WatchEvent::Change(changed)) => self.process_change(changed),
            // Lagged behind the broadcast: read from the log.
            Err(RecvError::Lagged(events)) => {
                log_event!(DEBUG, Http, "stream lags; it reads the log", events = *events);
                self.is_behind = true;
            }
            // The watch on the desk failed, or another server took over: subscribe again.
            Ok(WatchEvent::Gap) | Err(RecvError::Closed) => self.resubscribe().await,
        }
    }

    async fn resubscribe(&mut self) {
        let (notifier, place) = (self.context.change_notifier.clone(), self.cursor);
        let begin = move |desk: &StoreDesk| Ok((notifier.listen()?, desk.resume_cursor(Some(place))?));
        match self.context.with_desk(begin).await {
            Ok((live, (cursor, has_gap))) => {
                (self.changes, self.cursor, self.is_behind) = (live, cursor, true);
                if has_gap {
                    self.queue
                        .push_back(sse::Event::default().event("gap").id(cursor.to_string()).data("{}"));
                }
            }
            Err(_) => self.queue_closing(),
        }
    }

    /// Reads the caller's groups again. A `gone` says that some asks are no longer for the caller, and a `gap` that the
    /// caller must read again what is.
    fn judge_reader_again(&mut self) {
        let caller = &mut self.caller;
        match self.context.reader_again(caller) {
            Ok(reader) if reader == caller.reader => {}
            Ok(reader) => {
                let before = std::mem::replace(&mut caller.reader, reader).keys();
                let after = caller.reader.keys();
                if before.iter().any(|key| !after.contains(key)) {
                    self.queue.push_back(sse::Event::default().event("gone").data("{}"));
                }
                self.queue.push_back(sse::Event::default().event("gap").data("{}"));
            }
            Err(_) => self.queue_closing(),
        }
    }

    /// Processes a change, unless it has been processed before.
    fn process_change(&mut self, changed: &AskChange) {
        if !changed.cursor.is_after(self.cursor) {
            return;
        }
        self.cursor = changed.cursor;
        let id = changed.cursor.to_string();
        if self.is_visible(changed) {
            let data = json::write(&ChangeData { ask: changed.id, events: &changed.events });
            self.queue.push_back(sse::Event::default().event("change").id(id).data(data));
            self.filtered = 0;
        } else {
            self.filtered += 1;
            // A reconnecting client can resume from here.
            if self.filtered >= PAGE {
                self.queue.push_back(sse::Event::default().event("ready").id(id).data("{}"));
                self.filtered = 0;
            }
        }
    }

    fn is_visible(&self, changed: &AskChange) -> bool {
        self.ask.is_none_or(|ask| ask == changed.id)
            && self.caller.reader.may_see(changed.account.as_deref(), changed.audience.as_ref())
    }

    fn queue_closing(&mut self) {
        self.is_over = true;
        self.queue.push_back(closing_event());
    }
}

/// Returns the outcome of an ask as a stream with one event.
pub(crate) fn outcome_stream(waiter: OutcomeWaiter) -> Response {
    let stream = waiter.asks.context.metrics.count_stream();
    let events = stream::unfold((Some(waiter), stream), |(held, stream)| async move {
        let event = outcome_event(held?).await;
        Some((Ok(event), (None, stream)))
    });
    sse_response(events)
}

async fn outcome_event(mut waiter: OutcomeWaiter) -> sse::Event {
    let body = match waiter.wait_until_settled().await {
        Ok(()) => outcome::shared_outcome(&waiter).await.ok(),
        Err(_) => None,
    };
    let body = body.and_then(|body| String::from_utf8(body.into()).ok());
    match body {
        Some(body) => sse::Event::default().event("outcome").data(body),
        None => closing_event(),
    }
}

fn closing_event() -> sse::Event {
    sse::Event::default().event("closing").data(json!({ "retry_ms": retry_ms() }).to_string())
}
