//! A thread as an event stream, framed as the spec requires.
//!
//! **Invariant:** `end` is the last event, whatever the agent does, also on shutdown.

use super::stream_framing::StreamFraming;
use super::{ThreadSpeaker, note_shown};
use crate::http::context::find_ask;
use crate::http::metrics::GaugeGuard;
use crate::http::middleware::response;
use crate::http::middleware::revocation::RevocationGuard;
use crate::http::threads::thread_state::{StreamPermit, ThreadState};
use crate::http::threads::turn::turn_reader::TurnReader;
use crate::http::threads::turn::turn_state::StreamEntry;
use crate::notify::change_notifier::{AskSignal, Subscription};
use axum::body::{Body, Bytes};
use axum::response::Response;
use futures_util::stream;
use sayso_core::{AskId, Message, Person, Problem};
use sayso_dialects::interrupt::InterruptEvent;
use std::convert::Infallible;
use std::sync::Arc;

const MEDIA: &str = "text/event-stream; charset=utf-8";
const KEEP_ALIVE: &[u8] = b":\n\n";

fn sse_response(body: Body) -> Response {
    response::as_stream(response::text(MEDIA, body))
}

/// Returns a stream of fixed events.
pub(super) fn fixed_stream(events: &[InterruptEvent], framing: &StreamFraming) -> Response {
    let frames: String = events.iter().map(|event| framing.frame_event(event, None)).collect();
    sse_response(Body::from(frames))
}

/// Ask that is not decided yet, and its changes.
pub(super) type PendingAsk = (AskId, Subscription);

struct ThreadStream {
    threads: Arc<ThreadState>,
    person: Person,
    /// Active reader; `None` once the stream is over.
    reader: Option<TurnReader>,
    /// Set if the stream continues with later turns.
    follows_queue: bool,
    end: InterruptEvent,
    framing: StreamFraming,
    /// Ask whose decision comes before the next entry.
    pending: Option<PendingAsk>,
    session_guard: RevocationGuard,
    _counted: GaugeGuard,
    _permit: StreamPermit,
}

/// Streams a turn until an interrupt or its end, then sends `end`.
///
/// # Errors
/// Fails if the account has too many open streams.
pub(super) fn turn_stream(
    threads: &Arc<ThreadState>,
    speaker: &ThreadSpeaker,
    reader: TurnReader,
    end: InterruptEvent,
    framing: StreamFraming,
) -> Result<Response, Problem> {
    reader_stream(threads, speaker, reader, end, (false, framing, None))
}

/// Streams a turn and the turns queued behind it.
///
/// # Errors
/// As those of [`turn_stream`].
pub(super) fn thread_stream(
    threads: &Arc<ThreadState>,
    speaker: &ThreadSpeaker,
    reader: TurnReader,
    end: InterruptEvent,
    framing: StreamFraming,
) -> Result<Response, Problem> {
    reader_stream(threads, speaker, reader, end, (true, framing, None))
}

/// Streams a turn from after the interrupt of an ask on, once that is decided, and the turns queued behind it.
///
/// # Errors
/// As those of [`turn_stream`].
pub(super) fn stream_after_ask(
    threads: &Arc<ThreadState>,
    speaker: &ThreadSpeaker,
    reader: TurnReader,
    framing: StreamFraming,
    pending: Option<PendingAsk>,
) -> Result<Response, Problem> {
    reader_stream(threads, speaker, reader, InterruptEvent::end(None), (true, framing, pending))
}

/// Waits until an ask may have changed; forever without one.
async fn next_change(pending: Option<&mut PendingAsk>) -> AskSignal {
    match pending {
        Some((_, changes)) => changes.changed().await,
        None => std::future::pending().await,
    }
}

fn reader_stream(
    threads: &Arc<ThreadState>,
    speaker: &ThreadSpeaker,
    reader: TurnReader,
    end: InterruptEvent,
    (follows_queue, framing, pending): (bool, StreamFraming, Option<PendingAsk>),
) -> Result<Response, Problem> {
    let permit = threads.streams.acquire(&speaker.caller.account)?;
    let thread_stream = ThreadStream {
        threads: threads.clone(),
        person: speaker.person.clone(),
        reader: Some(reader),
        follows_queue,
        end,
        framing,
        pending,
        session_guard: threads.context.revocations.register(speaker.caller.credential.clone()),
        _counted: threads.context.metrics.count_stream(),
        _permit: permit,
    };
    let frames = stream::unfold(thread_stream, |mut thread_stream| async move {
        let bytes = thread_stream.next().await?;
        Some((Ok::<_, Infallible>(bytes), thread_stream))
    });
    Ok(sse_response(Body::from_stream(frames)))
}

impl ThreadStream {
    async fn next(&mut self) -> Option<Bytes> {
        loop {
            let reader = self.reader.as_mut()?;
            let pending_ask = self.pending.as_mut();
            let is_free = pending_ask.is_none();
            let entry = tokio::select! {
                // What was published comes before the end of the server.
                biased;
                () = self.session_guard.revoked() => return Some(self.finish_with(Message::TokenUnknown)),
                entry = reader.next(), if is_free => entry,
                signal = next_change(pending_ask) => {
                    if signal == AskSignal::Settled || self.has_pending_ended().await {
                        self.pending = None;
                    }
                    continue;
                }
                () = self.threads.context.closing.cancelled() => {
                    return Some(self.finish_with(Message::DeskClosing));
                }
                () = tokio::time::sleep(response::KEEP_ALIVE_INTERVAL) => {
                    return Some(Bytes::from_static(KEEP_ALIVE));
                }
            };
            match entry {
                StreamEntry::Event(bytes) => return Some(self.framing.frame(bytes, self.reader.as_ref())),
                StreamEntry::End => match self.next_turn_reader() {
                    Some(next) => self.reader = Some(next),
                    None => return Some(self.finish(None)),
                },
                StreamEntry::Failure(reason) => {
                    let error = InterruptEvent::error(&reason.render(self.framing.lang));
                    let Some(next) = self.next_turn_reader() else {
                        self.end = InterruptEvent::end(Some("error"));
                        return Some(self.finish(Some(&error)));
                    };
                    let text = self.framing.frame_event(&error, self.reader.as_ref());
                    self.reader = Some(next);
                    return Some(text.into());
                }
                StreamEntry::Interrupt(ask) => {
                    if let Some(interrupt) = self.interrupt_event(ask).await {
                        return Some(self.finish(Some(&interrupt)));
                    }
                }
            }
        }
    }

    /// Returns whether the pending ask is decided by now.
    async fn has_pending_ended(&self) -> bool {
        let Some((id, _)) = self.pending.as_ref() else { return true };
        let id = *id;
        match self.threads.context.with_desk(move |desk| find_ask(desk, id)).await {
            Ok(Some(ask)) => ask.outcome().is_some(),
            Ok(None) | Err(_) => true,
        }
    }

    /// Returns a reader of the next turn in the queue.
    fn next_turn_reader(&self) -> Option<TurnReader> {
        if !self.follows_queue {
            return None;
        }
        let live = &self.reader.as_ref()?.turn;
        let turns = self.threads.registry.streams(&live.thread);
        turns.into_iter().find(|next| next.number > live.number).map(|next| next.read())
    }

    /// Ends the stream with an error.
    fn finish_with(&mut self, error: Message) -> Bytes {
        let error = InterruptEvent::error(error.plain(self.framing.lang));
        self.finish(Some(&error))
    }

    fn finish(&mut self, last: Option<&InterruptEvent>) -> Bytes {
        let reader = self.reader.take();
        let mut frames = String::new();
        for event in last.into_iter().chain([&self.end]) {
            frames.push_str(&self.framing.frame_event(event, reader.as_ref()));
        }
        frames.into()
    }

    /// Returns the interrupt event of an ask, unless another surface has settled it meanwhile.
    async fn interrupt_event(&self, ask: AskId) -> Option<InterruptEvent> {
        let live = self.reader.as_ref().map(|reader| reader.turn.clone());
        let person = self.person.clone();
        let lang = self.framing.lang;
        let desk_call = self.threads.context.with_desk(move |desk| {
            let Some(ask) = find_ask(desk, ask)? else { return Ok(None) };
            if ask.outcome().is_some() {
                return Ok(None);
            }
            if let Some(live) = live {
                note_shown(desk, &live, &person, &ask);
            }
            Ok(Some(InterruptEvent::interrupt(&ask.request.questionnaire, lang)))
        });
        match desk_call.await {
            Ok(event) => event,
            Err(problem) => Some(InterruptEvent::error(&problem.message.render(lang))),
        }
    }
}
