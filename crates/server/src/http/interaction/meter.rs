//! Limit on the bytes and fragments of an incoming WebSocket message. tungstenite limits the content only, so empty
//! fragments could arrive forever.

use super::fragments::FragmentCounter;
use crate::http::metrics::{RefusalReason, ServerMetrics};
use crate::http::net::body_budget::{BodyBudget, BudgetPermit};
use sayso_core::limits;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// Maximum size of a message, including the heads of its fragments.
const MESSAGE_BYTES: usize = limits::SOCKET_MESSAGE_BYTES + (64 << 10);

/// Size up to which a message needs no budget.
const SHORT_BYTES: usize = 64 << 10;

/// Error for a message that exceeds a limit.
#[derive(Debug)]
pub(super) enum LimitExceeded {
    /// Limit on one message.
    Message,
    /// Budget of the account or of the server.
    Budget,
}

impl std::fmt::Display for LimitExceeded {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Message => "more bytes than a message may have",
            Self::Budget => "more bytes than may be on their way at one time",
        })
    }
}

impl std::error::Error for LimitExceeded {}

/// Stream that counts the bytes it reads.
pub(super) struct MeteredStream<S> {
    stream: S,
    remaining: usize,
    budget: Arc<BodyBudget>,
    metrics: Arc<ServerMetrics>,
    account: String,
    /// Counter of the message's fragments; `None` once what comes is discarded.
    fragments: Option<FragmentCounter>,
    /// Budget reservation of a long message.
    admission: Option<BudgetPermit>,
}

impl<S> MeteredStream<S> {
    pub(super) fn new(
        stream: S,
        budget: Arc<BodyBudget>,
        metrics: Arc<ServerMetrics>,
        account: String,
    ) -> Self {
        let fragments = Some(FragmentCounter::default());
        Self { stream, remaining: MESSAGE_BYTES, budget, metrics, account, fragments, admission: None }
    }

    /// Returns whether there is budget for the message; short messages need none.
    fn is_admitted(&mut self) -> bool {
        if self.admission.is_none() && MESSAGE_BYTES.saturating_sub(self.remaining) > SHORT_BYTES {
            self.admission = self.budget.try_acquire(&self.account, MESSAGE_BYTES);
            if self.admission.is_none() {
                self.metrics.record_refusal(RefusalReason::Bodies);
                return false;
            }
        }
        true
    }

    /// Allows this many bytes to be read and discarded.
    pub(super) fn set_allowance(&mut self, bytes: u64) {
        self.remaining = usize::try_from(bytes).unwrap_or(usize::MAX);
        self.fragments = None;
    }

    /// Resets the limit after a complete message.
    pub(super) fn reset(&mut self) {
        self.remaining = MESSAGE_BYTES;
        self.admission = None;
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for MeteredStream<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if self.remaining == 0 {
            return Poll::Ready(Err(io::Error::other(LimitExceeded::Message)));
        }
        if !self.is_admitted() {
            return Poll::Ready(Err(io::Error::other(LimitExceeded::Budget)));
        }
        let earlier_length = buffer.filled().len();
        let result = Pin::new(&mut self.stream).poll_read(cx, buffer);
        let bytes = buffer.filled().get(earlier_length..).unwrap_or_default();
        self.remaining = self.remaining.saturating_sub(bytes.len());
        if let Some(fragments) = &mut self.fragments
            && !fragments.parse(bytes)
        {
            return Poll::Ready(Err(io::Error::other(LimitExceeded::Message)));
        }
        result
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for MeteredStream<S> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(cx, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}
