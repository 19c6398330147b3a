//! Implicit acknowledgement of answers, for tools without a parameter to confirm them. An answer is acknowledged if
//! the same thread calls any tool again, or if the host is still connected after [`ACK_DELAY`]. A host that ends
//! sooner may have lost the answer, and the same questions find it again.
//!
//! Without this, an agent that repeats a question on purpose would get the earlier answer.

use crate::mcp::caller::McpCaller;
use crate::mcp::handler::McpServer;
use sayso_core::{AskId, Problem};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Time after which a host that is still connected is taken to have received an answer.
const ACK_DELAY: Duration = Duration::from_secs(5);

/// Answers that were returned and not yet acknowledged, each with the thread that received it.
pub(crate) struct UnconfirmedAnswers {
    ack_delay: Duration,
    answers: Mutex<Vec<(Option<String>, AskId)>>,
}

impl Default for UnconfirmedAnswers {
    fn default() -> Self {
        Self::new(ACK_DELAY)
    }
}

impl UnconfirmedAnswers {
    fn new(ack_delay: Duration) -> Self {
        Self { ack_delay, answers: Mutex::default() }
    }

    fn lock(&self) -> MutexGuard<'_, Vec<(Option<String>, AskId)>> {
        self.answers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Removes and returns the matching answers.
    fn take(&self, fits: impl Fn(&(Option<String>, AskId)) -> bool) -> Vec<AskId> {
        self.lock().extract_if(.., |given| fits(given)).map(|(_, id)| id).collect()
    }
}

/// Acknowledges these answers. An answer whose acknowledgement fails, which the call logs, is returned once more.
async fn acknowledge_all(server: &McpServer, ids: Vec<AskId>) {
    let acknowledged = server.desk_client.run(move |client| {
        for id in ids {
            client.acknowledge(&client.setup.desk.get(id)?)?;
        }
        Ok::<_, Problem>(())
    });
    let _ = acknowledged.await;
}

/// Acknowledges the earlier answers of the caller's thread.
pub(crate) async fn ack_earlier_answers(server: &McpServer, caller: &McpCaller) {
    let ids = server.desk_client.unconfirmed_answers.take(|(thread, _)| *thread == caller.thread_id);
    if !ids.is_empty() {
        acknowledge_all(server, ids).await;
    }
}

/// Records that the answer of this ask is returned to a thread.
pub(crate) fn record_answer(server: &McpServer, id: AskId, thread_id: Option<String>) {
    server.desk_client.unconfirmed_answers.lock().push((thread_id, id));
    let server = server.clone();
    tokio::spawn(async move {
        let unconfirmed = &server.desk_client.unconfirmed_answers;
        tokio::select! {
            biased;
            () = server.disconnected.cancelled() => {}
            () = tokio::time::sleep(unconfirmed.ack_delay) => {
                let ids = unconfirmed.take(|(_, given)| *given == id);
                acknowledge_all(&server, ids).await;
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mcp::{McpConfig, SealKey, ToolSet};
    use crate::notify::change_notifier::ChangeNotifier;
    use jiff::Timestamp;
    use sayso_core::{Asker, NewAsk, Questionnaire};
    use sayso_desk::{Desk, Interest, StoreDesk};
    use serde_json::json;
    use std::sync::Arc;
    use tokio_util::sync::CancellationToken;

    fn config(desk: Arc<dyn Desk>) -> McpConfig {
        let config = McpConfig::without_settings(desk, SealKey::OfDesk(Vec::new()), || Timestamp::UNIX_EPOCH);
        McpConfig { tools: ToolSet::Auq, ..config }
    }

    /// Opens an ask that ends at once.
    fn open_ended(desk: &dyn Desk) -> AskId {
        let questions = json!({ "questions": [{ "id": "q", "kind": "text", "prompt": "Still?" }] });
        let questionnaire: Questionnaire = serde_json::from_value(questions).unwrap();
        let asker = Asker { name: "host".to_owned(), ..Asker::default() };
        let new = NewAsk::new(questionnaire.into(), "auq", asker.clone());
        let ask = desk.open(None, NewAsk { time_limit_ms: Some(1), ..new }).unwrap().ask().clone();
        let mut watch = desk.watch(Interest::All, None).unwrap();
        while desk.get(ask.id).unwrap().outcome().is_none() {
            watch.wait(Duration::from_millis(10)).unwrap();
        }
        desk.offer(&asker, &desk.get(ask.id).unwrap(), "text", &|_| Vec::new()).unwrap();
        ask.id
    }

    #[test]
    fn living_host_acknowledges_delivery() {
        let folder = tempfile::tempdir().unwrap();
        let desk = Arc::new(StoreDesk::open(&folder.path().join("desk.db")).unwrap());
        let id = open_ended(&*desk);
        let notifier = ChangeNotifier::new(desk.clone());
        let mut server = McpServer::new(config(desk.clone()), notifier, CancellationToken::new());
        let client = Arc::get_mut(&mut server.desk_client).unwrap();
        client.unconfirmed_answers = UnconfirmedAnswers::new(Duration::from_millis(100));
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
        let mut watch = desk.watch(Interest::All, None).unwrap();
        runtime.block_on(async { record_answer(&server, id, None) });
        assert!(!desk.get(id).unwrap().is_delivered());
        while !desk.get(id).unwrap().is_delivered() {
            watch.wait(Duration::from_secs(30)).unwrap();
        }
    }
}
