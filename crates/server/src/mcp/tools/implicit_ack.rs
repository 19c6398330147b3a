//! Implicit acknowledgement of answers, for tools without a parameter to confirm them. An answer is acknowledged if
//! the same thread calls any tool again, or if the host is still connected after [`ACK_DELAY`]. A host that ends
//! sooner may have lost the answer, and the same questions find it again.
//!
//! Without this, an agent that repeats a question on purpose would get the earlier answer.

use crate::mcp::caller::McpCaller;
use crate::mcp::desk_client::DeskClient;
use crate::mcp::handler::McpServer;
use sayso_core::{AskId, Problem};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Time after which a host that is still connected is taken to have received an answer.
const ACK_DELAY: Duration = Duration::from_secs(5);

/// Answers that were returned and not yet acknowledged, each with the thread that received it.
#[derive(Default)]
pub(crate) struct UnconfirmedAnswers(Mutex<Vec<(Option<String>, AskId)>>);

impl UnconfirmedAnswers {
    fn lock(&self) -> MutexGuard<'_, Vec<(Option<String>, AskId)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Removes and returns the matching answers.
    fn take(&self, fits: impl Fn(&(Option<String>, AskId)) -> bool) -> Vec<AskId> {
        self.lock().extract_if(.., |given| fits(given)).map(|(_, id)| id).collect()
    }
}

/// Acknowledges these answers. An answer whose acknowledgement fails, which the call logs, is returned once more.
async fn acknowledge_all(asks: Arc<DeskClient>, ids: Vec<AskId>) {
    let acknowledged = asks.run(move |asks| {
        for id in ids {
            asks.acknowledge(&asks.setup.desk.get(id)?)?;
        }
        Ok::<_, Problem>(())
    });
    let _ = acknowledged.await;
}

/// Acknowledges the earlier answers of the caller's thread.
pub(crate) async fn ack_earlier_answers(server: &McpServer, caller: &McpCaller) {
    let ids = server.desk_client.unconfirmed_answers.take(|(thread, _)| *thread == caller.thread_id);
    if !ids.is_empty() {
        acknowledge_all(server.desk_client.clone(), ids).await;
    }
}

/// Records that the answer of this ask is returned to the caller.
pub(crate) fn record_answer(server: &McpServer, id: AskId, caller: &McpCaller) {
    server.desk_client.unconfirmed_answers.lock().push((caller.thread_id.clone(), id));
    let (asks, gone) = (server.desk_client.clone(), server.disconnected.clone());
    tokio::spawn(async move {
        tokio::select! {
            biased;
            () = gone.cancelled() => {}
            () = tokio::time::sleep(ACK_DELAY) => {
                let ids = asks.unconfirmed_answers.take(|(_, given)| *given == id);
                acknowledge_all(asks, ids).await;
            }
        }
    });
}
