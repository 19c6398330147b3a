//! A thread as an event stream, framed as the spec requires.
//!
//! **Invariant:** `end` is the last event, whatever the agent does, also on shutdown.

use super::live::{Entry, Reader};
use super::person::{Speaker, note_shown};
use crate::http::app::{App, found};
use crate::http::metrics::Counted;
use crate::http::reply;
use crate::http::stay::Stay;
use axum::body::{Body, Bytes};
use axum::response::Response;
use futures_util::stream;
use sayso_core::{AskId, Lang, Message, Person, Problem};
use sayso_desk::LocalDesk;
use sayso_dialects::interrupt::Event;
use std::convert::Infallible;
use std::sync::Arc;

const MEDIA: &str = "text/event-stream; charset=utf-8";
const STILL_HERE: &[u8] = b":\n\n";

fn stream_of(body: Body) -> Response {
    reply::streamed(reply::text(MEDIA, body))
}

/// Returns a stream of fixed events.
pub(super) fn told(events: &[Event]) -> Response {
    stream_of(Body::from(events.iter().map(Event::sse).collect::<String>()))
}

struct Telling {
    app: Arc<App>,
    person: Person,
    /// Active reader; `None` once the stream is over.
    reader: Option<Reader>,
    /// Set if the stream continues with later turns.
    reads_on: bool,
    end: Event,
    stay: Stay,
    _counted: Counted,
}

/// Streams a turn until an interrupt or its end, then sends `end`.
pub(super) fn of(app: &Arc<App>, speaker: &Speaker, reader: Reader, end: Event) -> Response {
    telling(app, speaker, reader, end, false)
}

/// Streams a turn and the turns queued behind it.
pub(super) fn of_all(app: &Arc<App>, speaker: &Speaker, reader: Reader, end: Event) -> Response {
    telling(app, speaker, reader, end, true)
}

fn telling(app: &Arc<App>, speaker: &Speaker, reader: Reader, end: Event, reads_on: bool) -> Response {
    let counted = app.metrics.stream();
    let stay = app.stays.begin(speaker.caller.shown.clone());
    let (app, person) = (app.clone(), speaker.person.clone());
    let telling = Telling { app, person, reader: Some(reader), reads_on, end, stay, _counted: counted };
    let next = |mut telling: Telling| async move {
        let bytes = telling.next().await?;
        Some((Ok::<_, Infallible>(bytes), telling))
    };
    stream_of(Body::from_stream(stream::unfold(telling, next)))
}

impl Telling {
    async fn next(&mut self) -> Option<Bytes> {
        loop {
            let reader = self.reader.as_mut()?;
            let entry = tokio::select! {
                entry = reader.next() => entry,
                () = self.app.closing.cancelled() => {
                    let error = Event::error(Message::DeskClosing.plain(Lang::En));
                    return Some(self.over(&error.sse()));
                }
                () = self.stay.over() => {
                    let error = Event::error(Message::TokenUnknown.plain(Lang::En));
                    return Some(self.over(&error.sse()));
                }
                () = tokio::time::sleep(reply::ALIVE) => return Some(Bytes::from_static(STILL_HERE)),
            };
            match entry {
                Entry::Said(bytes) => return Some(bytes),
                Entry::Ended | Entry::Failed => match self.following() {
                    Some(next) => self.reader = Some(next),
                    None => {
                        if matches!(entry, Entry::Failed) {
                            self.end = Event::end(Some("error"));
                        }
                        return Some(self.over(""));
                    }
                },
                Entry::Interrupt(ask) => {
                    if let Some(interrupt) = self.waiting(ask).await {
                        return Some(self.over(&interrupt.sse()));
                    }
                }
            }
        }
    }

    /// Returns a reader of the next turn in the queue.
    fn following(&self) -> Option<Reader> {
        let live = self.reader.as_ref().filter(|_| self.reads_on).map(|reader| &reader.live)?;
        let turns = self.app.threads.turns(&live.thread);
        turns.into_iter().find(|next| next.turn > live.turn).map(|next| next.read())
    }

    fn over(&mut self, last: &str) -> Bytes {
        self.reader = None;
        format!("{last}{}", self.end.sse()).into()
    }

    /// Returns the interrupt event of an ask, unless another surface has settled it meanwhile.
    async fn waiting(&self, ask: AskId) -> Option<Event> {
        let live = self.reader.as_ref().map(|reader| reader.live.clone());
        let person = self.person.clone();
        let event = move |desk: &LocalDesk| {
            let ask = found(desk, ask)?.filter(|ask| ask.outcome().is_none());
            if let (Some(live), Some(ask)) = (live, &ask) {
                note_shown(desk, &live, &person, ask);
            }
            Ok(ask.map(|ask| Event::interrupt(&ask.request.questionnaire)))
        };
        let failed = |problem: Problem| Some(Event::error(&problem.message.to_string()));
        self.app.at_desk(event).await.unwrap_or_else(failed)
    }
}
