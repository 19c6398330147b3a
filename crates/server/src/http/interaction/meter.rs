//! Bytes that may come before a message is complete. A message has a limit of its own; without this one, fragments
//! without content could come for ever.

use crate::http::app::App;
use crate::http::body_budget::Admission;
use crate::http::metrics::Refused;
use sayso_core::limits;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// Bytes that a message may take, with the heads of its fragments.
const MESSAGE_BYTES: usize = limits::SOCKET_MESSAGE_BYTES + (64 << 10);

/// Bytes of a message up to which no budget is taken for it.
const SHORT_BYTES: usize = 64 << 10;

/// What is reported once too much has come.
#[derive(Debug)]
pub(super) enum TooMuch {
    /// For one message.
    Message,
    /// For the budget of the account or the server.
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

/// A stream that counts what comes.
pub(super) struct Meter<S> {
    stream: S,
    left: usize,
    app: Arc<App>,
    account: String,
    /// The budget of a long message.
    admission: Option<Admission>,
}

impl<S> Meter<S> {
    pub(super) fn new(stream: S, app: Arc<App>, account: String) -> Self {
        Self { stream, left: MESSAGE_BYTES, app, account, admission: None }
    }

    /// Whether there is budget for what comes. Short messages need none.
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

    /// So many bytes may come that nobody looks at.
    pub(super) fn let_pass(&mut self, bytes: u64) {
        self.left = usize::try_from(bytes).unwrap_or(usize::MAX);
    }

    /// A message is complete.
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
