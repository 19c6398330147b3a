//! Tests of turns whose asks or threads are purged or reassigned at the desk: other turns continue.

use crate::network::Network;
use crate::python::at_desk;
use crate::threads::{Agent, ask_user, end, parties, rest, resumes, says};
use crate::threads_client::{Speaker, events_of, thread};
use serde_json::{Value, json};

/// Purges settled asks, and restarts the server.
fn purge(served: &mut Network) {
    served.kill_9();
    served.world.write("config/sayso/config.toml", "[retention]\nsettled_days = 0\n");
    at_desk(&served.world, "UPDATE chore SET value = value - 86400000001 WHERE name = 'purged'");
    // Commands purge asks that have no waiter.
    assert_eq!(served.world.sayso(["list"]).run().exit, 0);
    assert_eq!(served.world.json(&["list", "--json", "--state", "all"])["asks"], json!([]));
    served.restart();
}

/// Creates a thread whose agent asked and exited; the decided ask is purged.
fn left_alone() -> (Network, Speaker, Speaker, String, Agent) {
    let (mut served, ada, bot) = parties();
    let id = thread(&ada);
    drop(says(&ada, &id, "hello"));
    let (agent, _) = Agent::takes(&bot, &json!({}));
    agent.asks(&[ask_user("c1")]);
    drop(resumes(&ada, &id, &json!({ "action": "answer", "answers": ["red"] })));
    purge(&mut served);
    (served, ada, bot, id, agent)
}

#[test]
fn thread_continues_after_purge() {
    let (_served, ada, _bot, id, agent) = left_alone();
    let sessions = ada.get("/api/sessions");
    assert_eq!(sessions.value()["sessions"][0]["status"], "running", "{sessions:?}");
    let status = ada.get(&format!("/api/status/{id}")).value();
    assert_eq!((&status["status"], &status["interrupt_info"]), (&json!("running"), &Value::Null));
    let late = events_of(&ada.post(&format!("/api/resume/{id}"), &json!({ "action": "cancel" })));
    let said = json!({ "message": "Thread is not waiting for a decision" });
    assert_eq!(late, [("error".to_owned(), said), end("error")]);
    let followed = ada.begin("GET", &format!("/api/chat/{id}"), None, "Bearer");
    let next = says(&ada, &id, "and now?");
    // A returning agent asks again if the outcome is purged.
    assert_eq!(agent.asks(&[ask_user("c1")])["decided"], false);
    assert_eq!(followed.whole().text().matches("event: interrupt").count(), 1);
    agent.ends();
    drop(next);
    assert_eq!(ada.get(&format!("/api/status/{id}")).value()["status"], "running");
}

#[test]
fn purged_thread_can_be_deleted() {
    let (_served, ada, bot, id, agent) = left_alone();
    agent.ends();
    assert_eq!(ada.get(&format!("/api/status/{id}")).value()["status"], "idle");
    let (_served, ada, _, id, _) = left_alone();
    assert_eq!(ada.send("DELETE", &format!("/api/sessions/{id}"), None).status, 200);
    assert_eq!(ada.get("/api/sessions").value(), json!({ "sessions": [] }));
    drop(bot);
}

#[test]
fn missing_turn_blocks_no_other() {
    let (served, ada, bot) = parties();
    let (gone, id) = (thread(&ada), thread(&ada));
    let read = says(&ada, &gone, "to nobody");
    served.world.desk().delete_thread(&gone).unwrap();
    drop(says(&ada, &id, "hello"));
    let (agent, taken) = Agent::takes(&bot, &json!({}));
    assert_eq!(taken["message"], "hello");
    agent.ends();
    // The order in which the two are checked is undefined.
    assert_eq!(bot.post("/v1/threads/next", &json!({})).status, 204);
    assert_eq!(rest(read), [end("")]);
}

#[test]
fn turn_goes_to_stored_agent() {
    let (served, ada, bot) = parties();
    let other = Speaker::of(&served, "asker", "other");
    let begun = ada.send("POST", "/api/sessions", Some("{\"agent\":\"other\"}")).value();
    let id = begun["thread_id"].as_str().unwrap().to_owned();
    drop(says(&ada, &id, "hello"));
    // The thread was reassigned to bot, and this server does not know yet.
    at_desk(&served.world, &format!("UPDATE thread SET agent = 'bot' WHERE id = '{id}'"));
    assert_eq!(other.post("/v1/threads/next", &json!({})).status, 204);
    let (agent, taken) = Agent::takes(&bot, &json!({}));
    assert_eq!((&taken["message"], &taken["again"]), (&json!("hello"), &json!(false)));
    agent.ends();
}
