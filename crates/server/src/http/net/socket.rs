//! Socket that reports received bytes, and times out writes to a client that does not read.

use super::connection_limits::ConnectionPermit;
use super::framing::{MalformedHead, RequestFraming};
use super::stream::ByteStream;
use super::timeouts::ConnectionTimeouts;
use std::io::{self, ErrorKind, IoSlice};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Sleep, sleep};

/// Socket of a connection, with its permit.
pub(super) struct TimedSocket {
    stream: ByteStream,
    timeouts: Arc<ConnectionTimeouts>,
    framing: RequestFraming,
    write_timeout: Duration,
    /// Timer that runs while a write is blocked.
    write_timer: Option<Pin<Box<Sleep>>>,
    _permit: Arc<ConnectionPermit>,
}

impl TimedSocket {
    pub(super) fn new(
        stream: ByteStream,
        pulse: Arc<ConnectionTimeouts>,
        limit: Duration,
        seat: Arc<ConnectionPermit>,
    ) -> Self {
        Self {
            stream,
            timeouts: pulse,
            framing: RequestFraming::new(),
            write_timeout: limit,
            write_timer: None,
            _permit: seat,
        }
    }

    fn check_write_timeout(
        &mut self,
        cx: &mut Context<'_>,
        written: Poll<io::Result<usize>>,
    ) -> Poll<io::Result<usize>> {
        if written.is_ready() {
            self.write_timer = None;
            return written;
        }
        let limit = self.write_timeout;
        let stuck = self.write_timer.get_or_insert_with(|| Box::pin(sleep(limit)));
        stuck.as_mut().poll(cx).map(|()| Err(ErrorKind::TimedOut.into()))
    }

    /// Returns whether the client disconnected while its request is in flight. hyper does not detect it after
    /// pipelined bytes: it reads nothing until the request is answered.
    fn is_disconnected(&self, cx: &mut Context<'_>) -> bool {
        let mut byte = [0; 1];
        let mut peeked = ReadBuf::new(&mut byte);
        !self.timeouts.is_idle()
            && matches!(self.stream.tcp().poll_peek(cx, &mut peeked), Poll::Ready(Ok(0) | Err(_)))
    }
}

impl AsyncRead for TimedSocket {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let read = Pin::new(&mut self.stream).poll_read(cx, buffer);
        let came = buffer.filled_mut().get_mut(before..).unwrap_or_default();
        if !came.is_empty() {
            self.timeouts.record_bytes();
        }
        if !self.timeouts.is_upgraded()
            && let Err((end, MalformedHead)) = self.framing.parse(came)
            && let Some(last) = came.get_mut(end - 1)
        {
            // No header contains this byte, so hyper answers 400 and closes the connection.
            *last = 0;
        }
        read
    }
}

impl AsyncWrite for TimedSocket {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(cx, bytes);
        self.check_write_timeout(cx, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        pieces: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(cx, pieces);
        self.check_write_timeout(cx, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        if self.is_disconnected(cx) {
            return Poll::Ready(Err(ErrorKind::UnexpectedEof.into()));
        }
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}
