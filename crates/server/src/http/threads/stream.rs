//! A thread as an event stream, framed as the spec requires.
//!
//! **Invariant:** `end` is the last event, whatever the agent does, also on shutdown.

use super::person::{ThreadSpeaker, note_shown};
use super::thread_state::ThreadState;
use super::turn_reader::TurnReader;
use super::turn_state::StreamEntry;
use crate::http::context::find_ask;
use crate::http::metrics::GaugeGuard;
use crate::http::middleware::response;
use crate::http::middleware::revocation::RevocationGuard;
use axum::body::{Body, Bytes};
use axum::response::Response;
use futures_util::stream;
use sayso_core::{AskId, Lang, Message, Person, Problem};
use sayso_desk::ServerDesk;
use sayso_dialects::interrupt::InterruptEvent;
use std::convert::Infallible;
use std::sync::Arc;

const MEDIA: &str = "text/event-stream; charset=utf-8";
const KEEP_ALIVE: &[u8] = b":\n\n";

fn sse_response(body: Body) -> Response {
    response::as_stream(response::text(MEDIA, body))
}

/// Returns a stream of fixed events.
pub(super) fn fixed_stream(events: &[InterruptEvent]) -> Response {
    sse_response(Body::from(events.iter().map(InterruptEvent::to_sse).collect::<String>()))
}

struct ThreadStream {
    threads: Arc<ThreadState>,
    person: Person,
    /// Active reader; `None` once the stream is over.
    reader: Option<TurnReader>,
    /// Set if the stream continues with later turns.
    follows_queue: bool,
    end: InterruptEvent,
    session_guard: RevocationGuard,
    _counted: GaugeGuard,
}

/// Streams a turn until an interrupt or its end, then sends `end`.
pub(super) fn turn_stream(
    threads: &Arc<ThreadState>,
    speaker: &ThreadSpeaker,
    reader: TurnReader,
    end: InterruptEvent,
) -> Response {
    reader_stream(threads, speaker, reader, end, false)
}

/// Streams a turn and the turns queued behind it.
pub(super) fn thread_stream(
    threads: &Arc<ThreadState>,
    speaker: &ThreadSpeaker,
    reader: TurnReader,
    end: InterruptEvent,
) -> Response {
    reader_stream(threads, speaker, reader, end, true)
}

fn reader_stream(
    threads: &Arc<ThreadState>,
    speaker: &ThreadSpeaker,
    reader: TurnReader,
    end: InterruptEvent,
    reads_on: bool,
) -> Response {
    let counted = threads.context.metrics.count_stream();
    let stay = threads.context.revocations.register(speaker.caller.credential.clone());
    let (threads, person) = (threads.clone(), speaker.person.clone());
    let telling = ThreadStream {
        threads,
        person,
        reader: Some(reader),
        follows_queue: reads_on,
        end,
        session_guard: stay,
        _counted: counted,
    };
    let next = |mut telling: ThreadStream| async move {
        let bytes = telling.next().await?;
        Some((Ok::<_, Infallible>(bytes), telling))
    };
    sse_response(Body::from_stream(stream::unfold(telling, next)))
}

impl ThreadStream {
    async fn next(&mut self) -> Option<Bytes> {
        loop {
            let reader = self.reader.as_mut()?;
            let entry = tokio::select! {
                entry = reader.next() => entry,
                () = self.threads.context.closing.cancelled() => {
                    let error = InterruptEvent::error(Message::DeskClosing.plain(Lang::En));
                    return Some(self.finish(&error.to_sse()));
                }
                () = self.session_guard.revoked() => {
                    let error = InterruptEvent::error(Message::TokenUnknown.plain(Lang::En));
                    return Some(self.finish(&error.to_sse()));
                }
                () = tokio::time::sleep(response::KEEP_ALIVE_INTERVAL) => return Some(Bytes::from_static(KEEP_ALIVE)),
            };
            match entry {
                StreamEntry::Event(bytes) => return Some(bytes),
                StreamEntry::End | StreamEntry::Failure => match self.next_turn_reader() {
                    Some(next) => self.reader = Some(next),
                    None => {
                        if matches!(entry, StreamEntry::Failure) {
                            self.end = InterruptEvent::end(Some("error"));
                        }
                        return Some(self.finish(""));
                    }
                },
                StreamEntry::Interrupt(ask) => {
                    if let Some(interrupt) = self.interrupt_event(ask).await {
                        return Some(self.finish(&interrupt.to_sse()));
                    }
                }
            }
        }
    }

    /// Returns a reader of the next turn in the queue.
    fn next_turn_reader(&self) -> Option<TurnReader> {
        let live = self.reader.as_ref().filter(|_| self.follows_queue).map(|reader| &reader.turn)?;
        let turns = self.threads.registry.turns(&live.thread);
        turns.into_iter().find(|next| next.number > live.number).map(|next| next.read())
    }

    fn finish(&mut self, last: &str) -> Bytes {
        self.reader = None;
        format!("{last}{}", self.end.to_sse()).into()
    }

    /// Returns the interrupt event of an ask, unless another surface has settled it meanwhile.
    async fn interrupt_event(&self, ask: AskId) -> Option<InterruptEvent> {
        let live = self.reader.as_ref().map(|reader| reader.turn.clone());
        let person = self.person.clone();
        let event = move |desk: &dyn ServerDesk| {
            let ask = find_ask(desk, ask)?.filter(|ask| ask.outcome().is_none());
            if let (Some(live), Some(ask)) = (live, &ask) {
                note_shown(desk, &live, &person, ask);
            }
            Ok(ask.map(|ask| InterruptEvent::interrupt(&ask.request.questionnaire)))
        };
        let failed = |problem: Problem| Some(InterruptEvent::error(&problem.message.to_string()));
        self.threads.context.with_desk(event).await.unwrap_or_else(failed)
    }
}
