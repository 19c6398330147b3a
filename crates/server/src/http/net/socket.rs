//! Socket that reports received bytes, and times out writes to a client that does not read.

use super::connection_limits::ConnectionPermit;
use super::framing::{MalformedHead, RequestFraming};
use super::stream::ByteStream;
use super::timeouts::ConnectionTimeouts;
use std::io::{self, ErrorKind, IoSlice};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
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
        timeouts: Arc<ConnectionTimeouts>,
        write_timeout: Duration,
        permit: Arc<ConnectionPermit>,
    ) -> Self {
        Self {
            stream,
            timeouts,
            framing: RequestFraming::new(),
            write_timeout,
            write_timer: None,
            _permit: permit,
        }
    }

    fn check_write_timeout(
        &mut self,
        cx: &mut Context<'_>,
        write: Poll<io::Result<usize>>,
    ) -> Poll<io::Result<usize>> {
        if write.is_ready() {
            self.write_timer = None;
            return write;
        }
        let limit = self.write_timeout;
        let timer = self.write_timer.get_or_insert_with(|| Box::pin(sleep(limit)));
        ready!(timer.as_mut().poll(cx));
        Poll::Ready(Err(ErrorKind::TimedOut.into()))
    }

    /// Returns whether the client disconnected while its request is in flight. hyper does not detect it after
    /// pipelined bytes: it reads nothing until the request is answered.
    fn is_disconnected(&self, cx: &mut Context<'_>) -> bool {
        let mut byte = [0; 1];
        let mut buffer = ReadBuf::new(&mut byte);
        !self.timeouts.is_idle()
            && matches!(self.stream.tcp().poll_peek(cx, &mut buffer), Poll::Ready(Ok(0) | Err(_)))
    }
}

impl AsyncRead for TimedSocket {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let earlier_length = buffer.filled().len();
        let result = Pin::new(&mut self.stream).poll_read(cx, buffer);
        let bytes = buffer.filled_mut().get_mut(earlier_length..).unwrap_or_default();
        if !bytes.is_empty() {
            self.timeouts.record_bytes();
        }
        if !self.timeouts.is_upgraded()
            && let Err((end, MalformedHead)) = self.framing.parse(bytes)
            && let Some(last) = bytes.get_mut(end - 1)
        {
            // No header contains this byte, so hyper answers 400 and closes the connection.
            *last = 0;
        }
        result
    }
}

impl AsyncWrite for TimedSocket {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let write = Pin::new(&mut self.stream).poll_write(cx, bytes);
        self.check_write_timeout(cx, write)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        pieces: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let write = Pin::new(&mut self.stream).poll_write_vectored(cx, pieces);
        self.check_write_timeout(cx, write)
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
