//! Limit on the bytes of an incoming WebSocket message, including the heads of its fragments. tungstenite limits the
//! content only, so empty fragments could arrive forever.

use crate::http::app::App;
use crate::http::body_budget::Admission;
use crate::http::metrics::Refused;
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
pub(super) enum TooMuch {
    /// Limit on one message.
    Message,
    /// Budget of the account or of the server.
    Budget,
}

impl std::fmt::Display for TooMuch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Message => "more bytes than a message may have",
            Self::Budget => "more bytes than may be on their way at one time",
        })
    }
}

impl std::error::Error for TooMuch {}

/// Stream that counts the bytes it reads.
pub(super) struct Meter<S> {
    stream: S,
    left: usize,
    app: Arc<App>,
    account: String,
    /// Budget reservation of a long message.
    admission: Option<Admission>,
}

impl<S> Meter<S> {
    pub(super) fn new(stream: S, app: Arc<App>, account: String) -> Self {
        Self { stream, left: MESSAGE_BYTES, app, account, admission: None }
    }

    /// Returns whether there is budget for the message; short messages need none.
    fn is_admitted(&mut self) -> bool {
        if self.admission.is_none() && MESSAGE_BYTES.saturating_sub(self.left) > SHORT_BYTES {
            self.admission = self.app.bodies.try_admit(&self.account, MESSAGE_BYTES);
            if self.admission.is_none() {
                self.app.metrics.refused(Refused::Bodies);
                return false;
            }
        }
        true
    }

    /// Allows this many bytes to be read and discarded.
    pub(super) fn let_pass(&mut self, bytes: u64) {
        self.left = usize::try_from(bytes).unwrap_or(usize::MAX);
    }

    /// Resets the limit after a complete message.
    pub(super) fn reset(&mut self) {
        self.left = MESSAGE_BYTES;
        self.admission = None;
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Meter<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if self.left == 0 {
            return Poll::Ready(Err(io::Error::other(TooMuch::Message)));
        }
        if !self.is_admitted() {
            return Poll::Ready(Err(io::Error::other(TooMuch::Budget)));
        }
        let before = buffer.filled().len();
        let read = Pin::new(&mut self.stream).poll_read(cx, buffer);
        self.left = self.left.saturating_sub(buffer.filled().len() - before);
        read
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Meter<S> {
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
