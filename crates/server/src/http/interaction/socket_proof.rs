//! First message of a browser's WebSocket: the proof that a browser cannot send in a header.

use super::socket::ClientSocket;
use crate::http::context::ServerContext;
use crate::http::login::proof::ProvenRequest;
use futures_util::{SinkExt as _, StreamExt as _};
use sayso_core::Problem;
use serde::Deserialize;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::CloseFrame;
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;

/// Timeout for the message.
const PROOF_TIMEOUT: Duration = Duration::from_secs(10);
/// Timeout for taking the close frame.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(1);

/// Proof that a socket has yet to send in its first message.
pub(super) struct PendingProof {
    pub(super) request: ProvenRequest,
    pub(super) public_key: Vec<u8>,
    pub(super) context: Arc<ServerContext>,
}

/// First message of a browser.
#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
enum FirstFrame {
    Proof { proof: String },
}

impl PendingProof {
    /// Reads the first message, and returns whether it proves the request. Otherwise it closes the socket.
    pub(super) async fn verify_first_message(&self, socket: &mut ClientSocket) -> bool {
        if let Ok(Some(Ok(Message::Text(text)))) = timeout(PROOF_TIMEOUT, socket.next()).await
            && let Ok(FirstFrame::Proof { proof }) = serde_json::from_str(&text)
            && self.check(&proof).is_ok()
        {
            return true;
        }
        let frame =
            CloseFrame { code: CloseCode::Policy, reason: "the first message is no valid proof".into() };
        // A client that does not take the close frame is cut.
        let _ = timeout(CLOSE_TIMEOUT, socket.close(Some(frame))).await;
        let _ = timeout(CLOSE_TIMEOUT, socket.flush()).await;
        false
    }

    fn check(&self, proof: &str) -> Result<(), Problem> {
        let used_proofs = &self.context.used_proofs;
        let now = (self.context.now)();
        self.request.check(Some(proof), &self.public_key, used_proofs, now)?.check(b"")
    }
}
