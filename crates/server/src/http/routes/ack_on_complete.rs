//! Delivery of an outcome over the asker's open connection, acknowledged on completion, for formats without an ack
//! message.

use crate::http::context::ServerContext;
use axum::body::Body;
use axum::response::Response;
use futures_util::{StreamExt as _, stream};
use sayso_core::{Actor, AskCommand, AskId, Asker};
use sayso_desk::Desk as _;
use std::sync::Arc;
use tokio::runtime::Handle;

/// An asker that waits for its reply. Detaches the asker if dropped before the reply is complete, unless other
/// requests wait for the same ask.
pub(crate) struct WaitingAsker {
    context: Arc<ServerContext>,
    asker: Asker,
    id: AskId,
    has_reply: bool,
}

impl WaitingAsker {
    pub(crate) fn new(context: &Arc<ServerContext>, asker: Asker, id: AskId) -> Self {
        Self { context: context.clone(), asker, id, has_reply: false }
    }

    /// Wraps a reply, acknowledging the outcome once the connection has taken the whole body. The body ends after
    /// that, so that a client with the whole reply opens a new ask if it sends the same request again.
    pub(crate) fn ack_on_complete(self, reply: Response) -> Response {
        let (parts, body) = reply.into_parts();
        let pieces = stream::unfold((body.into_data_stream(), self), |(mut body, asker)| async move {
            match body.next().await {
                Some(piece) => Some((piece, (body, asker))),
                None => {
                    asker.acknowledge().await;
                    None
                }
            }
        });
        Response::from_parts(parts, Body::from_stream(pieces))
    }

    async fn acknowledge(mut self) {
        self.has_reply = true;
        let asker = self.asker.clone();
        let id = self.id;
        // If this fails, which the call logs, the same request gets the same reply again.
        let _ = self.context.with_desk(move |desk| desk.ack(&asker, id)).await;
    }
}

impl Drop for WaitingAsker {
    fn drop(&mut self) {
        // The waiter of this request is dropped before this.
        if self.has_reply || self.context.change_notifier.has_waiters(self.id) {
            return;
        }
        let Ok(runtime) = Handle::try_current() else { return };
        let context = self.context.clone();
        let asker = Actor::Asker(self.asker.clone());
        let id = self.id;
        // Presence is advisory; the call logs its error.
        runtime.spawn(async move {
            context.with_desk(move |desk| desk.act(&asker, id, None, AskCommand::Detach)).await
        });
    }
}
