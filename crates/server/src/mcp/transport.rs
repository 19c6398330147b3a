//! Standard input and output, watched: when either is gone, every call hears of it at once.

use rmcp::RoleServer;
use rmcp::model::{ClientRequest, JsonRpcMessage};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use tokio_util::sync::CancellationToken;

/// A transport that says when it is gone, and lets nothing through that would end the service before it began.
pub(super) struct Watched<T> {
    inner: T,
    gone: CancellationToken,
    is_open: bool,
}

impl<T> Watched<T> {
    pub(super) fn new(inner: T, gone: CancellationToken) -> Self {
        Self { inner, gone, is_open: false }
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
            let Some(message) = self.inner.receive().await else {
                self.gone.cancel();
                return None;
            };
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
