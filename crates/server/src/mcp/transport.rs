//! Standard input and output, watched: when either is gone, every call hears of it at once. What nobody could read is
//! answered here, before anything of the protocol sees it.

use super::handler::unreadable;
use super::lines::UNREADABLE;
use rmcp::RoleServer;
use rmcp::model::{ClientNotification, ClientRequest, JsonRpcMessage};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use tokio::io::AsyncWrite;
use tokio_util::sync::CancellationToken;

/// An answer on its way out.
type Answering<E> = Pin<Box<dyn Future<Output = Result<(), E>> + Send>>;

/// A transport that says when it is gone, and lets nothing through that would end the service before it began.
pub(super) struct Watched<T: Transport<RoleServer>> {
    inner: T,
    gone: CancellationToken,
    is_open: bool,
    /// Kept here, because whoever waits for the next message may stop in the middle of it and begin anew.
    answering: Option<Answering<T::Error>>,
}

impl<T: Transport<RoleServer>> Watched<T> {
    pub(super) fn new(inner: T, gone: CancellationToken) -> Self {
        Self { inner, gone, is_open: false, answering: None }
    }
}

impl<T: Transport<RoleServer>> Transport<RoleServer> for Watched<T> {
    type Error = T::Error;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        let sending = self.inner.send(item);
        let gone = self.gone.clone();
        async move {
            let sent = sending.await;
            if sent.is_err() {
                gone.cancel();
            }
            sent
        }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            if let Some(answering) = &mut self.answering {
                let sent = answering.as_mut().await;
                self.answering = None;
                if sent.is_err() {
                    self.gone.cancel();
                    return None;
                }
            }
            let Some(message) = self.inner.receive().await else {
                self.gone.cancel();
                return None;
            };
            if is_unreadable(&message) {
                let answer = TxJsonRpcMessage::<RoleServer>::error(unreadable(), None);
                self.answering = Some(Box::pin(self.inner.send(answer)));
                continue;
            }
            if let JsonRpcMessage::Request(request) = &message {
                self.is_open |= !matches!(
                    request.request,
                    ClientRequest::PingRequest(_) | ClientRequest::DiscoverRequest(_)
                );
            } else if !self.is_open {
                // A stray notification before the first request would be taken for a broken beginning.
                continue;
            }
            return Some(message);
        }
    }

    async fn close(&mut self) -> Result<(), Self::Error> {
        self.inner.close().await
    }
}

/// Whether it stands in for a line that is no message.
fn is_unreadable(message: &RxJsonRpcMessage<RoleServer>) -> bool {
    let JsonRpcMessage::Notification(sent) = message else { return false };
    matches!(&sent.notification, ClientNotification::CustomNotification(it) if it.method == UNREADABLE)
}

/// How an error begins that has no id, and how JSON-RPC wants it to: rmcp leaves the member out.
const NAMELESS: &[u8] = br#"{"jsonrpc":"2.0","error":"#;
const NAMED: &[u8] = br#"{"jsonrpc":"2.0","id":null,"error":"#;

/// Writes lines, and the id of those errors that have none.
pub(super) struct Named<W> {
    inner: W,
    is_inside: bool,
    /// What is still to be written in place of a beginning without an id.
    rest: &'static [u8],
}

impl<W> Named<W> {
    pub(super) const fn new(inner: W) -> Self {
        Self { inner, is_inside: false, rest: &[] }
    }
}

impl<W: AsyncWrite + Unpin> AsyncWrite for Named<W> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, text: &[u8]) -> Poll<io::Result<usize>> {
        if !self.is_inside && text.starts_with(NAMELESS) {
            self.is_inside = true;
            self.rest = NAMED;
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
            return Poll::Ready(Ok(NAMELESS.len()));
        }
        // Line by line, so that the beginning of each is seen.
        let end = text.iter().position(|byte| *byte == b'\n').map_or(text.len(), |at| at + 1);
        let line = text.get(..end).unwrap_or(text);
        let count = ready!(Pin::new(&mut self.inner).poll_write(cx, line))?;
        let last = line.get(..count).and_then(<[u8]>::last);
        self.is_inside = last.map_or(self.is_inside, |byte| *byte != b'\n');
        Poll::Ready(Ok(count))
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_shutdown(cx)
    }
}
