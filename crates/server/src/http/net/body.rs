//! Bodies of requests and replies, with timeouts.

use super::streams::ReadProgress;
use super::timeouts::RequestGuard;
use axum::body::{Body, Bytes, HttpBody};
use hyper::body::{Frame, Incoming, SizeHint};
use std::error::Error;
use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use tokio::time::{Instant, Sleep, sleep_until};

/// Maximum size of a piece for HTTP/2, which takes a piece of any size if it has room for one byte.
const PIECE_BYTES: usize = 16 * 1024;

/// Error of a request body that was not complete in time.
#[derive(Debug)]
struct BodyTimeout;

impl fmt::Display for BodyTimeout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the body of the request did not come in time")
    }
}

impl Error for BodyTimeout {}

/// Returns whether an error is caused by the timeout of a request body.
pub(in crate::http) fn is_body_timeout(error: &(dyn Error + 'static)) -> bool {
    let mut causes = std::iter::successors(Some(error), |error| (*error).source());
    causes.any(|cause| cause.is::<BodyTimeout>())
}

/// Request body with a deadline.
pub(super) struct TimedRequestBody {
    body: Incoming,
    deadline: Instant,
    timer: Option<Pin<Box<Sleep>>>,
}

impl TimedRequestBody {
    pub(super) fn new(body: Incoming, until: Instant) -> Self {
        Self { body, deadline: until, timer: None }
    }
}

impl HttpBody for TimedRequestBody {
    type Data = Bytes;
    type Error = Box<dyn Error + Send + Sync>;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        if let Poll::Ready(frame) = Pin::new(&mut self.body).poll_frame(cx) {
            return Poll::Ready(frame.map(|frame| frame.map_err(Into::into)));
        }
        let deadline = self.deadline;
        let timer = self.timer.get_or_insert_with(|| Box::pin(sleep_until(deadline)));
        ready!(timer.as_mut().poll(cx));
        Poll::Ready(Some(Err(BodyTimeout.into())))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// Response body that keeps its request in flight until it is sent.
pub(super) struct TrackedResponseBody {
    body: Body,
    unsent: Bytes,
    progress: Option<Arc<ReadProgress>>,
    _in_flight: RequestGuard,
}

impl TrackedResponseBody {
    pub(super) fn new(body: Body, in_flight: RequestGuard) -> Self {
        let reader = ReadProgress::current();
        if let Some(reader) = &reader {
            reader.mark_offered();
        }
        Self { body, unsent: Bytes::new(), progress: reader, _in_flight: in_flight }
    }
}

impl HttpBody for TrackedResponseBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        let this = &mut *self;
        let Some(reader) = &this.progress else { return Pin::new(&mut this.body).poll_frame(cx) };
        reader.mark_taken();
        if this.unsent.is_empty() {
            let Some(frame) = ready!(Pin::new(&mut this.body).poll_frame(cx)) else {
                return Poll::Ready(None);
            };
            match frame?.into_data() {
                Ok(data) => this.unsent = data,
                Err(trailers) => return Poll::Ready(Some(Ok(trailers))),
            }
        }
        reader.mark_offered();
        let piece = this.unsent.split_to(this.unsent.len().min(PIECE_BYTES));
        Poll::Ready(Some(Ok(Frame::data(piece))))
    }

    fn is_end_stream(&self) -> bool {
        self.unsent.is_empty() && self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        let mut hint = self.body.size_hint();
        let unsent_bytes = u64::try_from(self.unsent.len()).unwrap_or(u64::MAX);
        let upper = hint.upper();
        hint.set_lower(hint.lower().saturating_add(unsent_bytes));
        if let Some(upper) = upper {
            hint.set_upper(upper.saturating_add(unsent_bytes));
        }
        hint
    }
}
