//! Stream of the desk's changes, as server-sent events (HTML standard).
//!
//! **Invariant:** no change is skipped without a `gap` event. A slow reader catches up from the desk's log, from the
//! last event that was sent.

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
use sayso_desk::{AskChange, ChangeCursor, WatchEvent, person_mark, random};
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
        Some(text) => {
            let Some(id) = AskId::parse(&text) else { return Err(Problem::invalid_value("ask", &text)) };
            Some(context.visible_ask(&caller, id).await?.id)
        }
    };
    let since = match single_header(call.headers(), &LAST_EVENT_ID) {
        Ok(None) => None,
        // A cursor that cannot be parsed is not from this desk, so the changes since then are unknown.
        Ok(Some(text)) => Some(ChangeCursor::parse(text).unwrap_or(ChangeCursor::NONE)),
        Err(_) => Some(ChangeCursor::NONE),
    };
    Ok(watcher_response(EventWatcher::start(context, caller, ask, since).await?))
}

fn watcher_response(watcher: EventWatcher) -> Response {
    let gauge_guard = watcher.context.metrics.count_stream();
    let events = stream::unfold((watcher, gauge_guard), |(mut watcher, gauge_guard)| async move {
        let event = watcher.next().await?;
        Some((event, (watcher, gauge_guard)))
    });
    sse_response(events)
}

/// Returns a stream of events, kept alive while none comes.
pub(super) fn sse_response(
    events: impl Stream<Item = Result<sse::Event, Infallible>> + Send + 'static,
) -> Response {
    let keep_alive = sse::KeepAlive::new().interval(response::KEEP_ALIVE_INTERVAL);
    response::as_stream(Sse::new(events).keep_alive(keep_alive).into_response())
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
        let task = tokio::spawn(async move {
            let mut ticks = tokio::time::interval(person_mark::RENEWAL);
            loop {
                ticks.tick().await;
                context.person_mark.record();
            }
        });
        Self(task.abort_handle())
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
        let session_guard = context.revocations.register(caller.credential.clone());
        let regrouped = context.regrouped.subscribe();
        let subscription = subscribe(&context, since).await?;
        let cursor = subscription.cursor;
        let hello = sse::Event::default()
            .event("hello")
            .id(cursor.to_string())
            .retry(Duration::from_millis(retry_ms()))
            .data(json!({ "cursor": cursor.to_string() }).to_string());
        let mut queue = VecDeque::from([hello]);
        if subscription.has_gap {
            queue.push_back(sse::Event::default().event("gap").data("{}"));
        }
        let use_renewal =
            if caller.is_person_in_use() { Some(UseRenewal::start(context.clone())) } else { None };
        Ok(Self {
            _use_renewal: use_renewal,
            context,
            caller,
            session_guard,
            ask,
            changes: subscription.changes,
            regrouped,
            cursor,
            filtered: 0,
            is_behind: true,
            queue,
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
        for change in &page {
            self.process_change(change);
        }
        Ok(())
    }

    /// Waits for the next change.
    async fn wait_for_change(&mut self) {
        let event = tokio::select! {
            event = self.changes.recv() => event,
            Ok(()) = self.regrouped.changed() => return self.judge_reader_again(),
            () = self.context.closing.cancelled() => return,
            () = self.session_guard.revoked() => return,
        };
        match event.as_deref() {
            Ok(WatchEvent::Change(change)) => self.process_change(change),
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
        let Ok(subscription) = subscribe(&self.context, Some(self.cursor)).await else {
            return self.queue_closing();
        };
        self.changes = subscription.changes;
        self.cursor = subscription.cursor;
        self.is_behind = true;
        if subscription.has_gap {
            let id = self.cursor.to_string();
            self.queue.push_back(sse::Event::default().event("gap").id(id).data("{}"));
        }
    }

    /// Reads the caller's groups again. A `gone` says that some asks are no longer for the caller, and a `gap` that the
    /// caller must read again what is.
    fn judge_reader_again(&mut self) {
        let caller = &mut self.caller;
        match self.context.reader_again(caller) {
            Ok(reader) if reader == caller.reader => {}
            Ok(reader) => {
                let earlier_keys = std::mem::replace(&mut caller.reader, reader).keys();
                let keys = caller.reader.keys();
                if earlier_keys.iter().any(|key| !keys.contains(key)) {
                    self.queue.push_back(sse::Event::default().event("gone").data("{}"));
                }
                self.queue.push_back(sse::Event::default().event("gap").data("{}"));
            }
            Err(_) => self.queue_closing(),
        }
    }

    /// Processes a change, unless it has been processed before.
    fn process_change(&mut self, change: &AskChange) {
        if !change.cursor.is_after(self.cursor) {
            return;
        }
        self.cursor = change.cursor;
        let id = change.cursor.to_string();
        if self.is_visible(change) {
            let data = json::write(&ChangeData { ask: change.id, events: &change.events });
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

    fn is_visible(&self, change: &AskChange) -> bool {
        self.ask.is_none_or(|ask| ask == change.id)
            && self.caller.reader.may_see(change.account.as_deref(), change.audience.as_ref())
    }

    fn queue_closing(&mut self) {
        self.is_over = true;
        self.queue.push_back(closing_event());
    }
}

/// Subscription to the desk's changes, from a position in its log.
struct ChangeSubscription {
    changes: Receiver<Arc<WatchEvent>>,
    cursor: ChangeCursor,
    /// True if changes before the position are no longer known.
    has_gap: bool,
}

async fn subscribe(
    context: &ServerContext,
    since: Option<ChangeCursor>,
) -> Result<ChangeSubscription, Problem> {
    let notifier = context.change_notifier.clone();
    let desk_call = context.with_desk(move |desk| {
        // Subscribing before reading misses nothing.
        let changes = notifier.listen()?;
        let (cursor, has_gap) = desk.resume_cursor(since)?;
        Ok(ChangeSubscription { changes, cursor, has_gap })
    });
    desk_call.await
}

/// Returns the event before a stream ends, with the delay until the client may reconnect.
pub(super) fn closing_event() -> sse::Event {
    sse::Event::default().event("closing").data(json!({ "retry_ms": retry_ms() }).to_string())
}
