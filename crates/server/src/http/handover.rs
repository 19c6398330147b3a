//! Handing an outcome over to an asker that waits on its connection, in formats that have no word for having got it.

use super::app::App;
use axum::body::Body;
use axum::response::Response;
use futures_util::{StreamExt as _, stream};
use sayso_core::{AskId, Asker, Command, Who};
use sayso_desk::Desk as _;
use std::sync::Arc;
use tokio::runtime::Handle;

/// An asker that waits. Unless it has got its reply, it has left when this is dropped, and may come back; where others
/// wait for the same, it still waits.
pub(super) struct Waiting {
    app: Arc<App>,
    asker: Asker,
    id: AskId,
    has_reply: bool,
}

impl Waiting {
    pub(super) fn begin(app: &Arc<App>, asker: Asker, id: AskId) -> Self {
        Self { app: app.clone(), asker, id, has_reply: false }
    }

    /// The same reply, which counts as delivered once the connection has taken all of it. It ends after that, so that
    /// whoever has it whole and asks the same again asks anew.
    pub(super) fn hand_over(self, reply: Response) -> Response {
        let (parts, body) = reply.into_parts();
        let pieces = stream::unfold((body.into_data_stream(), self), |(mut body, waiting)| async move {
            match body.next().await {
                Some(piece) => Some((piece, (body, waiting))),
                None => {
                    waiting.acknowledge().await;
                    None
                }
            }
        });
        Response::from_parts(parts, Body::from_stream(pieces))
    }

    async fn acknowledge(mut self) {
        self.has_reply = true;
        let (asker, id) = (self.asker.clone(), self.id);
        // Where it cannot be noted the same request gets the same reply once more.
        let _ = self.app.at_desk(move |desk| desk.ack(&asker, id)).await;
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        if let (false, Ok(runtime)) = (self.has_reply, Handle::try_current()) {
            // What it waited with is dropped before this.
            if self.app.hub.is_waited_for(self.id) {
                return;
            }
            let (app, who, id) = (self.app.clone(), Who::Asker(self.asker.clone()), self.id);
            // Whether somebody waits is a note: nothing hangs on it.
            runtime.spawn(
                async move { app.at_desk(move |desk| desk.act(&who, id, None, Command::Detach)).await },
            );
        }
    }
}
