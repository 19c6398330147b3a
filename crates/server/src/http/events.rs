//! Stream of the desk's changes, as server-sent events (HTML standard).
//!
//! **Invariant:** no change is skipped without a `gap` event. A slow reader catches up from the desk's log, from the
//! last event that was sent.

use super::app::App;
use super::call::Call;
use super::caller::Caller;
use super::gate::one;
use super::held::Held;
use super::outcome;
use super::reply;
use super::route::{Access, Body, Content, Parameter, Route, Verb, ok, run};
use super::shapes;
use super::stay::Stay;
use axum::response::{IntoResponse as _, Response, Sse, sse};
use futures_util::stream::{self, Stream};
use sayso_core::lifecycle::Event;
use sayso_core::wire::json;
use sayso_core::{AskId, Code, Problem};
use sayso_desk::{Changed, Cursor, Heard, LocalDesk, random};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::collections::VecDeque;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::broadcast::{Receiver, error::RecvError};

pub(super) const ROUTES: &[Route] = &[Route {
    verb: Verb::Get,
    path: "/v1/events",
    name: "watch_events",
    about: "What happens, as it happens: `hello` with the place where it begins, `change` for each change, `here` \
                with a later place where much happened that is not told, `gap` where something is not known any more, \
                `bye` before the server goes. It goes on after Last-Event-ID.",
    access: Access::Any,
    parameters: &[
        Parameter::query("ask", "Of this ask alone.", shapes::ask_id),
        Parameter::header("Last-Event-ID", "The id of the last event that was read.", shapes::text),
    ],
    body: Body::None,
    replies: &[ok("The stream.", Content::Events)],
    problems: &[Code::AskNotFound, Code::InvalidValue],
    run: run!(watch),
}];

/// Minimum reconnection delay of a client in milliseconds, and the range of the jitter that is added.
const RETRY_MS: (u64, u64) = (1_000, 4_000);
/// Page size when reading the log.
const PAGE: usize = 256;
const LAST_EVENT_ID: axum::http::HeaderName = axum::http::HeaderName::from_static("last-event-id");

/// Query parameters of the stream.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Of {
    ask: Option<String>,
}

pub(super) async fn watch(app: Arc<App>, call: Call) -> Result<Response, Problem> {
    let caller = call.caller()?.clone();
    let ask = match call.query::<Of>()?.ask {
        None => None,
        Some(given) => {
            let id = AskId::parse(&given).ok_or_else(|| Problem::no_such_value("ask", &given))?;
            Some(app.ask(&caller, id).await?.id)
        }
    };
    // A cursor that cannot be parsed is not from this desk, so the changes since then are unknown.
    let place = |id: Option<&str>| id.map(|id| Cursor::parse(id).unwrap_or(Cursor::NOWHERE));
    let since = one(call.headers(), &LAST_EVENT_ID).map_or(Some(Cursor::NOWHERE), place);
    Ok(stream_of(Watcher::begin(app, caller, ask, since).await?))
}

fn stream_of(watcher: Watcher) -> Response {
    let held = watcher.app.metrics.stream();
    let events = stream::unfold((watcher, held), |(mut watcher, held)| async move {
        watcher.next().await.map(|event| (event, (watcher, held)))
    });
    as_events(events)
}

fn as_events(events: impl Stream<Item = Result<sse::Event, Infallible>> + Send + 'static) -> Response {
    let alive = sse::KeepAlive::new().interval(reply::ALIVE);
    reply::streamed(Sse::new(events).keep_alive(alive).into_response())
}

/// Returns a reconnection delay with jitter, so that clients do not reconnect all at once.
fn retry_ms() -> u64 {
    let random = random::bytes().map_or(0, u64::from_be_bytes);
    RETRY_MS.0 + random % RETRY_MS.1
}

/// Data of a `change` event.
#[derive(Serialize)]
struct Change<'a> {
    ask: AskId,
    events: &'a [Event],
}

/// One client of the stream.
struct Watcher {
    app: Arc<App>,
    caller: Caller,
    stay: Stay,
    /// Filter on one ask, if any.
    ask: Option<AskId>,
    live: Receiver<Arc<Heard>>,
    /// Position after the last change that was processed.
    cursor: Cursor,
    /// Changes filtered out since the last event with a position.
    passed: usize,
    /// Set if the log may hold changes that have not been processed.
    is_behind: bool,
    sending: VecDeque<sse::Event>,
    is_over: bool,
}

impl Watcher {
    /// Starts a stream with `hello`, at the given position or at the current one.
    async fn begin(
        app: Arc<App>,
        caller: Caller,
        ask: Option<AskId>,
        since: Option<Cursor>,
    ) -> Result<Self, Problem> {
        let stay = app.stays.begin(caller.shown.clone());
        let hub = app.hub.clone();
        // Subscribing before reading misses nothing.
        let begin = move |desk: &LocalDesk| Ok((hub.listen()?, desk.place(since)?));
        let (live, (cursor, has_gap)) = app.at_desk(begin).await?;
        let hello = sse::Event::default()
            .event("hello")
            .id(cursor.to_string())
            .retry(Duration::from_millis(retry_ms()))
            .data(json!({ "cursor": cursor.to_string() }).to_string());
        let mut sending = VecDeque::from([hello]);
        if has_gap {
            sending.push_back(sse::Event::default().event("gap").data("{}"));
        }
        Ok(Self { app, caller, stay, ask, live, cursor, passed: 0, is_behind: true, sending, is_over: false })
    }

    /// Returns the next event, waiting for one if necessary.
    async fn next(&mut self) -> Option<Result<sse::Event, Infallible>> {
        loop {
            if self.stay.is_over() {
                return None;
            }
            if let Some(event) = self.sending.pop_front() {
                return Some(Ok(event));
            }
            if self.is_over {
                return None;
            }
            if self.app.closing.is_cancelled() {
                self.say_bye();
            } else if self.is_behind {
                if self.read_on().await.is_err() {
                    self.say_bye();
                }
            } else {
                self.hear().await;
            }
        }
    }

    /// Reads one page of the log. No more than a page is buffered for a slow client.
    async fn read_on(&mut self) -> Result<(), Problem> {
        let place = self.cursor;
        let page = self.app.at_desk(move |desk| desk.changes_after(place, PAGE)).await?;
        self.is_behind = page.len() == PAGE;
        for changed in &page {
            self.take(changed);
        }
        Ok(())
    }

    /// Waits for the next change.
    async fn hear(&mut self) {
        let heard = tokio::select! {
            heard = self.live.recv() => heard,
            () = self.app.closing.cancelled() => return,
            () = self.stay.over() => return,
        };
        match heard.as_deref() {
            Ok(Heard::Changed(changed)) => self.take(changed),
            // Lagged behind the broadcast: read from the log.
            Err(RecvError::Lagged(_)) => self.is_behind = true,
            // The watch on the desk failed: subscribe again.
            Ok(Heard::Gap) | Err(RecvError::Closed) => {
                let hub = self.app.hub.clone();
                match self.app.at_desk(move |_| hub.listen()).await {
                    Ok(live) => (self.live, self.is_behind) = (live, true),
                    Err(_) => self.say_bye(),
                }
            }
        }
    }

    /// Processes a change, unless it has been processed before.
    fn take(&mut self, changed: &Changed) {
        if !changed.cursor.is_after(self.cursor) {
            return;
        }
        self.cursor = changed.cursor;
        let id = changed.cursor.to_string();
        if self.may_hear(changed) {
            let data = json::write(&Change { ask: changed.id, events: &changed.events });
            self.sending.push_back(sse::Event::default().event("change").id(id).data(data));
            self.passed = 0;
        } else {
            self.passed += 1;
            // A reconnecting client can resume from here.
            if self.passed >= PAGE {
                self.sending.push_back(sse::Event::default().event("here").id(id).data("{}"));
                self.passed = 0;
            }
        }
    }

    fn may_hear(&self, changed: &Changed) -> bool {
        self.ask.is_none_or(|ask| ask == changed.id) && self.caller.may_see(changed.account.as_deref())
    }

    fn say_bye(&mut self) {
        self.is_over = true;
        self.sending.push_back(bye());
    }
}

/// Returns the outcome of an ask as a stream with one event.
pub(super) fn outcome_of(held: Held) -> Response {
    let stream = held.app.metrics.stream();
    let events = stream::unfold((Some(held), stream), |(held, stream)| async move {
        let event = outcome_event(held?).await;
        Some((Ok(event), (None, stream)))
    });
    as_events(events)
}

async fn outcome_event(mut held: Held) -> sse::Event {
    let body = match held.ended().await {
        Ok(()) => outcome::shared(&held).await.ok(),
        Err(_) => None,
    };
    let body = body.and_then(|body| String::from_utf8(body.into()).ok());
    match body {
        Some(body) => sse::Event::default().event("outcome").data(body),
        None => bye(),
    }
}

fn bye() -> sse::Event {
    sse::Event::default().event("bye").data(json!({ "retry_ms": retry_ms() }).to_string())
}
