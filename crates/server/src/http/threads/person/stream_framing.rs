//! Framing of a thread's stream: as the spec has it, or as events without a name for a browser's `EventSource`.

use crate::http::middleware::call::ApiCall;
use crate::http::threads::error::ThreadError;
use crate::http::threads::turn::turn_reader::TurnReader;
use axum::body::Bytes;
use axum::http::HeaderName;
use sayso_core::{Lang, Problem, ProblemCode};
use sayso_dialects::interrupt::InterruptEvent;
use serde::Deserialize;

/// First part of the ids of events. Older versions had the number of their run there, without which a place means nothing.
const STORED: i64 = 0;
/// Header with the id of the last event that a browser has read.
const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");

/// Framing of a stream.
#[derive(Debug, Clone)]
pub(super) struct StreamFraming {
    has_envelope: bool,
    has_ids: bool,
    /// Language of our own words.
    pub(super) lang: Lang,
}

/// Place in a thread's stream, from the id of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct StreamCursor {
    /// Number of the turn.
    pub(crate) turn: i64,
    /// Place in it, if the desk stores it.
    pub(crate) place: Option<i64>,
}

#[derive(Deserialize)]
struct FramingParams {
    envelope: Option<String>,
}

impl StreamFraming {
    /// Reads the framing that a request asks for.
    ///
    /// # Errors
    /// Fails if `envelope` is neither 0 nor 1.
    pub(crate) fn from_call(call: &ApiCall) -> Result<Self, ThreadError> {
        Self::read(call, false)
    }

    /// Reads the framing for a browser: each event has an id, and no name unless the request asks for one.
    ///
    /// # Errors
    /// As those of [`Self::from_call`].
    pub(super) fn of_browser(call: &ApiCall) -> Result<Self, ThreadError> {
        Ok(Self { has_ids: true, ..Self::read(call, true)? })
    }

    fn read(call: &ApiCall, usual: bool) -> Result<Self, ThreadError> {
        let params = call.parse_query::<FramingParams>().map_err(bad_request)?;
        let has_envelope = match params.envelope.as_deref() {
            None => usual,
            Some("0") => false,
            Some("1") => true,
            Some(other) => return Err(bad_request(Problem::invalid_value("envelope", other))),
        };
        Ok(Self { has_envelope, has_ids: false, lang: call.lang })
    }

    /// Frames an event of a turn, as it is buffered.
    pub(crate) fn frame(&self, bytes: Bytes, reader: Option<&TurnReader>) -> Bytes {
        let text = std::str::from_utf8(&bytes).unwrap_or_default();
        let envelope = if self.has_envelope { InterruptEvent::envelope_from_sse(text) } else { None };
        match (self.id(reader), envelope) {
            (None, None) => bytes,
            (None, Some(envelope)) => envelope.into(),
            (Some(id), envelope) => format!("{id}{}", envelope.as_deref().unwrap_or(text)).into(),
        }
    }

    /// Frames an event.
    pub(super) fn frame_event(&self, event: &InterruptEvent, reader: Option<&TurnReader>) -> String {
        let text = if self.has_envelope { event.to_envelope() } else { event.to_sse() };
        format!("{}{text}", self.id(reader).unwrap_or_default())
    }

    fn id(&self, reader: Option<&TurnReader>) -> Option<String> {
        if !self.has_ids {
            return None;
        }
        let (turn, place) = match reader {
            Some(reader) => (reader.turn.number, reader.place()),
            // Every turn comes after that of a thread without one.
            None => (0, 0),
        };
        Some(format!("id: {STORED}.{turn}.{place}\n"))
    }
}

/// Returns a problem of the request's parameters with the status 400: in these routes 422 is for bodies.
fn bad_request(problem: Problem) -> ThreadError {
    Problem { code: ProblemCode::BadHeader, ..problem }.into()
}

impl StreamCursor {
    /// Reads the place at which a browser's stream broke off, if it names one.
    pub(crate) fn from_call(call: &ApiCall) -> Option<Self> {
        let mut parts = call.header(&LAST_EVENT_ID)?.split('.');
        let run: i64 = parts.next()?.parse().ok()?;
        let turn = parts.next()?.parse().ok()?;
        let place = parts.next()?.parse().ok()?;
        Some(Self { turn, place: if run == STORED { Some(place) } else { None } })
    }
}
