//! Bytes that may come before a message is complete. A message has a limit of its own; without this one, fragments
//! without content could come for ever.

use sayso_core::limits;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// Bytes that a message may take, with the heads of its fragments.
const MESSAGE_BYTES: usize = limits::SOCKET_MESSAGE_BYTES + (64 << 10);

/// What is told once too much has come.
#[derive(Debug)]
pub(super) struct TooMuch;

impl std::fmt::Display for TooMuch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("more bytes than a message may have")
    }
}

impl std::error::Error for TooMuch {}

/// A stream that counts what comes.
pub(super) struct Meter<S> {
    stream: S,
    left: usize,
}

impl<S> Meter<S> {
    pub(super) fn new(stream: S) -> Self {
        Self { stream, left: MESSAGE_BYTES }
    }

    /// So many bytes may come that nobody looks at.
    pub(super) fn let_pass(&mut self, bytes: u64) {
        self.left = usize::try_from(bytes).unwrap_or(usize::MAX);
    }

    /// A message is complete.
    pub(super) fn reset(&mut self) {
        self.left = MESSAGE_BYTES;
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Meter<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if self.left == 0 {
            return Poll::Ready(Err(io::Error::other(TooMuch)));
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
