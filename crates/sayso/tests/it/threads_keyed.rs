//! Tests that a message with a key is delivered once, despite retries and crashes.

use crate::threads::{Agent, ask_user, end, parties, rest, resumes, says, text};
use crate::threads_client::thread;
use serde_json::{Value, json};

#[test]
fn keyed_message_is_delivered_once() {
    let (mut served, ada, bot) = parties();
    let id = thread(&ada);
    let again = ada.keyed("first message");
    drop(says(&again, &id, "go on"));
    served.kill_9();
    served.restart();
    let stream = says(&again, &id, "go on");
    let (agent, _) = Agent::takes(&bot, &json!({}));
    agent.says("Well.");
    agent.asks(&[ask_user("c1")]);
    let told = rest(stream);
    assert_eq!((&told[0], told[1].0.as_str(), &told[2]), (&text("Well."), "interrupt", &end("")));
    // A retry cancels no later question.
    assert_eq!(rest(says(&again, &id, "go on")), told);
    let other = ada.keyed("first message").post(&format!("/api/chat/{id}"), &json!({ "message": "stop" }));
    assert_eq!((other.status, other.value()["detail"].is_string()), (422, true), "{other:?}");
    let stream = resumes(&ada, &id, &json!({ "action": "answer", "answers": ["red"] }));
    assert_eq!(agent.hears(&[ask_user("c1")])[0]["decision"], "answer");
    agent.ends();
    assert_eq!(rest(stream), [end("answer")]);
    assert_eq!(rest(says(&again, &id, "go on")), [end("")]);
    // Another thread has its own keys.
    drop(says(&again, &thread(&ada), "stop"));
    let (agent, taken) = Agent::takes(&bot, &json!({}));
    assert_eq!(taken["message"], "stop");
    agent.ends();
    let history = ada.get(&format!("/api/history/{id}")).value();
    let said: Vec<&Value> =
        history["messages"].as_array().unwrap().iter().map(|said| &said["content"]).collect();
    assert_eq!(said, ["go on", "Well."]);
}

#[test]
fn concurrent_keyed_messages_deliver_one() {
    let (_served, ada, bot) = parties();
    let id = thread(&ada);
    let again = ada.keyed("k");
    let streams: Vec<_> = std::thread::scope(|scope| {
        let sending: Vec<_> = (0..16).map(|_| scope.spawn(|| says(&again, &id, "go on"))).collect();
        sending.into_iter().map(|one| one.join().unwrap()).collect()
    });
    let (agent, _) = Agent::takes(&bot, &json!({}));
    agent.says("Once.");
    agent.ends();
    for stream in streams {
        assert_eq!(rest(stream), [text("Once."), end("")]);
    }
    assert_eq!(bot.post("/v1/threads/next", &json!({})).status, 204);
}
