//! Implicit acknowledgement of answers, for tools without a parameter to confirm them. An answer is acknowledged if
//! the same thread calls any tool again, or if the host is still connected after a delay. A host that ends sooner may
//! have lost the answer, and the same questions find it again.
//!
//! Without this, an agent that repeats a question on purpose would get the earlier answer.

use crate::mcp::caller::McpCaller;
use crate::mcp::server::McpServer;
use sayso_core::{AskId, Problem};

/// Acknowledges these answers. An answer whose acknowledgement fails, which the call logs, is returned once more.
async fn acknowledge_all(server: &McpServer, ids: Vec<AskId>) {
    let desk_call = server.desk_client.run(move |client| {
        for id in ids {
            client.acknowledge(&client.setup.desk.get(id)?)?;
        }
        Ok::<_, Problem>(())
    });
    let _ = desk_call.await;
}

/// Acknowledges the earlier answers of the caller's thread.
pub(crate) async fn ack_earlier_answers(server: &McpServer, caller: &McpCaller) {
    let ids = server.desk_client.unconfirmed_answers.take_of_thread(caller.thread_id.as_deref());
    if !ids.is_empty() {
        acknowledge_all(server, ids).await;
    }
}

/// Records that the answer of this ask is returned to a thread.
pub(crate) fn record_answer(server: &McpServer, id: AskId, thread_id: Option<String>) {
    server.desk_client.unconfirmed_answers.record(id, thread_id);
    let server = server.clone();
    tokio::spawn(async move {
        let unconfirmed = &server.desk_client.unconfirmed_answers;
        tokio::select! {
            biased;
            () = server.disconnected.cancelled() => {}
            () = tokio::time::sleep(unconfirmed.ack_delay) => {
                if unconfirmed.remove(id) {
                    acknowledge_all(&server, vec![id]).await;
                }
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mcp::desk_client::unconfirmed_answers::UnconfirmedAnswers;
    use crate::mcp::{McpConfig, SealKey, ToolSet};
    use crate::notify::change_notifier::ChangeNotifier;
    use jiff::Timestamp;
    use sayso_core::{Asker, NewAsk, Questionnaire};
    use sayso_desk::{Desk, Interest, StoreDesk};
    use serde_json::json;
    use std::sync::Arc;
    use std::time::Duration;
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
