//! Transport over standard input and output that detects disconnects: every call is cancelled at once. Unreadable
//! input is answered here, before the protocol layer sees it.

pub(super) mod line_reader;
pub(super) mod oversize;

use super::error::parse_error;
use crate::diagnostics::log_event;
use line_reader::UNREADABLE;
use rmcp::RoleServer;
use rmcp::model::{ClientNotification, ClientRequest, JsonRpcMessage};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use tokio::io::AsyncWrite;
use tokio_util::sync::CancellationToken;

/// Reply in the process of being sent.
type PendingReply<E> = Pin<Box<dyn Future<Output = Result<(), E>> + Send>>;

/// Transport that signals the disconnect, and drops what would end the service before its initialization.
pub(super) struct WatchedTransport<T: Transport<RoleServer>> {
    inner: T,
    disconnected: CancellationToken,
    has_started: bool,
    /// Stored here, because the caller of `receive` may drop its future and start again.
    pending_reply: Option<PendingReply<T::Error>>,
}

impl<T: Transport<RoleServer>> WatchedTransport<T> {
    pub(super) const fn new(inner: T, disconnected: CancellationToken) -> Self {
        Self { inner, disconnected, has_started: false, pending_reply: None }
    }
}

impl<T: Transport<RoleServer>> Transport<RoleServer> for WatchedTransport<T> {
    type Error = T::Error;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        let send_call = self.inner.send(item);
        let disconnected = self.disconnected.clone();
        async move {
            let result = send_call.await;
            if result.is_err() {
                log_event!(INFO, Mcp, "host does not read any more");
                disconnected.cancel();
            }
            result
        }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            if let Some(reply) = &mut self.pending_reply {
                let result = reply.as_mut().await;
                self.pending_reply = None;
                if result.is_err() {
                    self.disconnected.cancel();
                    return None;
                }
            }
            let Some(message) = self.inner.receive().await else {
                self.disconnected.cancel();
                return None;
            };
            if is_unreadable(&message) {
                let error = TxJsonRpcMessage::<RoleServer>::error(parse_error(), None);
                self.pending_reply = Some(Box::pin(self.inner.send(error)));
                continue;
            }
            if let JsonRpcMessage::Request(request) = &message {
                self.has_started |= !matches!(
                    request.request,
                    ClientRequest::PingRequest(_) | ClientRequest::DiscoverRequest(_)
                );
            } else if !self.has_started {
                // The service would take a stray notification before the first request for a failed initialization.
                log_event!(DEBUG, Mcp, "notification before the first request dropped");
                continue;
            }
            return Some(message);
        }
    }

    async fn close(&mut self) -> Result<(), Self::Error> {
        self.inner.close().await
    }
}

/// Returns whether the message replaces a line that is no message.
fn is_unreadable(message: &RxJsonRpcMessage<RoleServer>) -> bool {
    let JsonRpcMessage::Notification(message) = message else { return false };
    matches!(&message.notification, ClientNotification::CustomNotification(it) if it.method == UNREADABLE)
}

/// Start of an error without an id, as rmcp writes it. JSON-RPC requires `"id":null`.
const ERROR_WITHOUT_ID: &[u8] = br#"{"jsonrpc":"2.0","error":"#;
const ERROR_WITH_NULL_ID: &[u8] = br#"{"jsonrpc":"2.0","id":null,"error":"#;

/// Writer of lines that adds the id to errors without one.
pub(super) struct NullIdWriter<W> {
    inner: W,
    is_mid_line: bool,
    /// Rest of the replaced start that is still to be written.
    rest: &'static [u8],
}

impl<W> NullIdWriter<W> {
    pub(super) const fn new(inner: W) -> Self {
        Self { inner, is_mid_line: false, rest: &[] }
    }
}

impl<W: AsyncWrite + Unpin> AsyncWrite for NullIdWriter<W> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, text: &[u8]) -> Poll<io::Result<usize>> {
        if !self.is_mid_line && text.starts_with(ERROR_WITHOUT_ID) {
            self.is_mid_line = true;
            self.rest = ERROR_WITH_NULL_ID;
        }
        if !self.rest.is_empty() {
            while !self.rest.is_empty() {
                let rest = self.rest;
                let count = ready!(Pin::new(&mut self.inner).poll_write(cx, rest))?;
                if count == 0 {
                    return Poll::Ready(Err(io::ErrorKind::WriteZero.into()));
                }
                self.rest = rest.get(count..).unwrap_or_default();
            }
            return Poll::Ready(Ok(ERROR_WITHOUT_ID.len()));
        }
        // One line at a time, so that the start of each is seen.
        let line = text.split_inclusive(|byte| *byte == b'\n').next().unwrap_or_default();
        let count = ready!(Pin::new(&mut self.inner).poll_write(cx, line))?;
        if let Some(last_byte) = line.get(..count).and_then(<[u8]>::last) {
            self.is_mid_line = *last_byte != b'\n';
        }
        Poll::Ready(Ok(count))
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_shutdown(cx)
    }
}
