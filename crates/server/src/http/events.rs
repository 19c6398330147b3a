//! What happens, as a stream of events (the HTML standard's server-sent events).
//!
//! **Invariant:** nothing is skipped without a `gap`. Whoever reads slower than things happen is caught up from the desk's
//! own log, from the last event that was sent.

use super::app::App;
use super::call::Call;
use super::caller::Caller;
use super::outcome::{self, Held};
use axum::response::{IntoResponse as _, Response, Sse, sse};
use futures_util::stream::{self, Stream};
use sayso_core::{AskId, Code, Message, Path, Problem};
use sayso_desk::{Changed, Cursor, Desk as _, Heard, Interest, random};
use serde::Deserialize;
use serde_json::json;
use std::collections::VecDeque;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::broadcast::{Receiver, error::RecvError};

/// How often a silent stream says that it is alive.
const ALIVE: Duration = Duration::from_secs(15);
/// How long whoever was cut off waits at least before it comes back, and how much longer at most.
const RETRY_MS: (u64, u64) = (1_000, 4_000);
const LAST_EVENT_ID: axum::http::HeaderName = axum::http::HeaderName::from_static("last-event-id");

/// Of which ask.
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
            let wrong = || {
                let said = Message::NoSuchValue.with(["ask", &given]);
                Problem::new(Code::InvalidValue, said).at(Path::root().then("ask"))
            };
            let id = AskId::parse(&given).ok_or_else(wrong)?;
            Some(app.ask(&caller, id).await?.id)
        }
    };
    // A place that cannot be read is none of this desk: what lies between is not known.
    let since = call.header(&LAST_EVENT_ID).map(|id| Cursor::parse(id).unwrap_or(Cursor::NOWHERE));
    let mut watcher =
        Watcher { live: None, cursor: None, sending: VecDeque::new(), is_over: false, caller, ask, app };
    watcher.begin(since).await?;
    Ok(stream_of(watcher))
}

fn stream_of(watcher: Watcher) -> Response {
    let held = watcher.app.metrics.stream();
    let events = stream::unfold((watcher, held), |(mut watcher, held)| async move {
        watcher.next().await.map(|event| (event, (watcher, held)))
    });
    as_events(events)
}

fn as_events(events: impl Stream<Item = Result<sse::Event, Infallible>> + Send + 'static) -> Response {
    let mut reply = Sse::new(events).keep_alive(sse::KeepAlive::new().interval(ALIVE)).into_response();
    let headers = reply.headers_mut();
    headers.insert("cache-control", axum::http::HeaderValue::from_static("no-store"));
    headers.insert("x-accel-buffering", axum::http::HeaderValue::from_static("no"));
    reply
}

/// A little different for each, so that not all come back at once.
fn retry_ms() -> u64 {
    let random = random::bytes().map_or(0, u64::from_be_bytes);
    RETRY_MS.0 + random % RETRY_MS.1
}

/// One who watches.
struct Watcher {
    app: Arc<App>,
    caller: Caller,
    /// The one ask that matters, where not all do.
    ask: Option<AskId>,
    live: Option<Receiver<Arc<Heard>>>,
    /// The place after the last change that was looked at.
    cursor: Option<Cursor>,
    sending: VecDeque<sse::Event>,
    is_over: bool,
}

impl Watcher {
    /// Says hello, after what happened since the place where it was before.
    async fn begin(&mut self, since: Option<Cursor>) -> Result<(), Problem> {
        let start = self.catch_up(since).await?;
        let hello = sse::Event::default()
            .event("hello")
            .id(start.to_string())
            .retry(Duration::from_millis(retry_ms()))
            .data(json!({ "cursor": start.to_string() }).to_string());
        self.sending.push_front(hello);
        Ok(())
    }

    /// Reads the log up to now, and listens from then on. The place where it began.
    async fn catch_up(&mut self, since: Option<Cursor>) -> Result<Cursor, Problem> {
        let (hub, interest) = (self.app.hub.clone(), self.ask.map_or(Interest::All, Interest::Ask));
        let (live, begun, cursor, heard) = self
            .app
            .at_desk(move |desk| {
                let live = hub.listen()?;
                let mut watch = desk.watch(interest, since)?;
                let begun = watch.cursor();
                let heard = watch.poll()?;
                Ok((live, begun, watch.cursor(), heard))
            })
            .await?;
        for heard in &heard {
            self.push(heard);
        }
        (self.live, self.cursor) = (Some(live), Some(cursor));
        Ok(begun)
    }

    fn push(&mut self, heard: &Heard) {
        match heard {
            Heard::Gap => self.sending.push_back(sse::Event::default().event("gap").data("{}")),
            Heard::Changed(changed) if self.may_hear(changed) => {
                let data = json!({ "ask": changed.id, "events": changed.events }).to_string();
                let id = changed.cursor.to_string();
                self.sending.push_back(sse::Event::default().event("change").id(id).data(data));
            }
            Heard::Changed(_) => {}
        }
    }

    fn may_hear(&self, changed: &Changed) -> bool {
        self.ask.is_none_or(|ask| ask == changed.id) && self.caller.may_see(changed.account.as_deref())
    }

    /// The next event to send, once there is one.
    async fn next(&mut self) -> Option<Result<sse::Event, Infallible>> {
        loop {
            if let Some(event) = self.sending.pop_front() {
                return Some(Ok(event));
            }
            if self.is_over {
                return None;
            }
            let live = self.live.as_mut()?;
            let heard = tokio::select! {
                heard = live.recv() => Some(heard),
                () = self.app.closing.cancelled() => None,
            };
            match heard {
                Some(Ok(heard)) => self.take(&heard),
                // Slower than things happen, or the watch broke: the log knows.
                Some(Err(RecvError::Lagged(_) | RecvError::Closed)) => {
                    if self.catch_up(self.cursor).await.is_err() {
                        self.say_bye();
                    }
                }
                None => self.say_bye(),
            }
        }
    }

    fn take(&mut self, heard: &Heard) {
        match heard {
            Heard::Changed(changed) if self.cursor.is_some_and(|here| !changed.cursor.is_after(here)) => {}
            Heard::Changed(changed) => {
                self.push(heard);
                self.cursor = Some(changed.cursor);
            }
            Heard::Gap => self.push(heard),
        }
    }

    fn say_bye(&mut self) {
        self.is_over = true;
        self.sending.push_back(bye());
    }
}

/// The outcome of an ask as the one event of a stream.
pub(super) fn outcome_of(held: Held) -> Response {
    let stream = held.app.metrics.stream();
    let events = stream::unfold((Some(held), stream), |(held, stream)| async move {
        let event = outcome_event(held?).await;
        Some((Ok(event), (None, stream)))
    });
    as_events(events)
}

/// How long one waiting lasts until the next one begins: for ever, for all that anybody sees.
const LONG: Duration = Duration::from_secs(24 * 60 * 60);

async fn outcome_event(mut held: Held) -> sse::Event {
    let settled = loop {
        match held.settled(LONG).await {
            Ok(false) if !held.app.closing.is_cancelled() => {}
            Ok(settled) => break settled,
            Err(_) => break false,
        }
    };
    let body = if settled { outcome::shared(&held.app, held.ask.id).await.ok() } else { None };
    let body = body.and_then(|body| String::from_utf8(body.into()).ok());
    match body {
        Some(body) => sse::Event::default().event("outcome").data(body),
        None => bye(),
    }
}

fn bye() -> sse::Event {
    sse::Event::default().event("bye").data(json!({ "retry_ms": retry_ms() }).to_string())
}
