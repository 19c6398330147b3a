//! Tests that a message with a key is delivered once, despite retries and crashes.

use crate::threads::client::new_thread;
use crate::threads::turns::{
    ScriptedAgent, ask_user, end, read_and_resume, rest, send_message, start_parties, text,
};
use serde_json::{Value, json};

#[test]
fn keyed_message_is_delivered_once() {
    let (mut served, ada, bot) = start_parties();
    let id = new_thread(&ada);
    let again = ada.with_key("first message");
    drop(send_message(&again, &id, "go on"));
    served.kill_9();
    served.restart();
    let stream = send_message(&again, &id, "go on");
    let (agent, _) = ScriptedAgent::take_turn(&bot, &json!({}));
    agent.say_text("Well.");
    agent.ask_calls(&[ask_user("c1")]);
    let events = rest(stream);
    assert_eq!((&events[0], events[1].0.as_str(), &events[2]), (&text("Well."), "interrupt", &end("")));
    // A retry cancels no later question.
    assert_eq!(rest(send_message(&again, &id, "go on")), events);
    let other = ada.with_key("first message").post(&format!("/api/chat/{id}"), &json!({ "message": "stop" }));
    assert_eq!((other.status, other.value()["detail"].is_string()), (422, true), "{other:?}");
    let stream = read_and_resume(&ada, &id, &json!({ "action": "answer", "answers": ["red"] }));
    assert_eq!(agent.wait_for_decision(&[ask_user("c1")])[0]["decision"], "answer");
    agent.end_turn();
    assert_eq!(rest(stream), [end("answer")]);
    assert_eq!(rest(send_message(&again, &id, "go on")), [end("")]);
    // Another thread has its own keys.
    drop(send_message(&again, &new_thread(&ada), "stop"));
    let (agent, taken) = ScriptedAgent::take_turn(&bot, &json!({}));
    assert_eq!(taken["message"], "stop");
    agent.end_turn();
    let history = ada.get(&format!("/api/history/{id}")).value();
    let contents: Vec<&Value> =
        history["messages"].as_array().unwrap().iter().map(|message| &message["content"]).collect();
    assert_eq!(contents, ["go on", "Well."]);
}

#[test]
fn concurrent_keyed_messages_deliver_one() {
    let (_served, ada, bot) = start_parties();
    let id = new_thread(&ada);
    let again = ada.with_key("k");
    let streams: Vec<_> = std::thread::scope(|scope| {
        let sending: Vec<_> = (0..16).map(|_| scope.spawn(|| send_message(&again, &id, "go on"))).collect();
        sending.into_iter().map(|one| one.join().unwrap()).collect()
    });
    let (agent, _) = ScriptedAgent::take_turn(&bot, &json!({}));
    agent.say_text("Once.");
    agent.end_turn();
    for stream in streams {
        assert_eq!(rest(stream), [text("Once."), end("")]);
    }
    assert_eq!(bot.post("/v1/threads/next", &json!({})).status, 204);
}
