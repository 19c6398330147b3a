//! Tests of turns whose asks or threads are purged or reassigned at the desk: other turns continue.

use crate::support::network_desk::NetworkDesk;
use crate::support::program::program_output::LIMIT;
use crate::support::program::python_program::change_desk;
use crate::threads::client::{ThreadClient, events_of, new_thread};
use crate::threads::turns::{
    ScriptedAgent, ask_user, end, read_and_resume, rest, send_message, start_parties,
};
use sayso_core::model::ask_summary::AskStatus;
use serde_json::{Value, json};
use std::time::Instant;

/// Purges settled asks, and restarts the server.
pub(crate) fn purge_settled(served: &mut NetworkDesk) {
    served.kill_9();
    served.world.write("config/sayso/config.toml", "[retention]\nsettled_days = 0\n");
    change_desk(&served.world, "UPDATE chore SET value = value - 86400000001 WHERE name = 'purged'");
    // Commands purge asks that have no waiter, each a little.
    let until = Instant::now() + LIMIT;
    while served.world.json(&["list", "--json", "--state", "all"])["asks"] != json!([]) {
        assert!(Instant::now() < until, "the asks are still there");
    }
    served.restart();
}

/// Creates a thread whose agent asked and exited; the decided ask is purged.
fn thread_with_purged_ask() -> (NetworkDesk, ThreadClient, ThreadClient, String, ScriptedAgent) {
    let (mut served, ada, bot) = start_parties();
    let id = new_thread(&ada);
    drop(send_message(&ada, &id, "hello"));
    let (agent, _) = ScriptedAgent::take_turn(&bot, &json!({}));
    agent.ask_calls(&[ask_user("c1")]);
    drop(read_and_resume(&ada, &id, &json!({ "action": "answer", "answers": ["red"] })));
    purge_settled(&mut served);
    (served, ada, bot, id, agent)
}

#[test]
fn thread_continues_after_purge() {
    let (_served, ada, _bot, id, agent) = thread_with_purged_ask();
    let sessions = ada.get("/api/sessions");
    assert_eq!(sessions.value()["sessions"][0]["status"], "running", "{sessions:?}");
    let status = ada.get(&format!("/api/status/{id}")).value();
    assert_eq!((&status["status"], &status["interrupt_info"]), (&json!("running"), &Value::Null));
    let late = events_of(&ada.post(&format!("/api/resume/{id}"), &json!({ "action": "cancel" })));
    let problem = json!({ "message": "Thread is not waiting for a decision" });
    assert_eq!(late, [("error".to_owned(), problem), end("error")]);
    let followed = ada.send_for_head("GET", &format!("/api/chat/{id}"), None, "Bearer");
    let next = send_message(&ada, &id, "and now?");
    // A returning agent asks again if the outcome is purged.
    assert_eq!(agent.ask_calls(&[ask_user("c1")])["decided"], false);
    assert_eq!(followed.read_whole().text().matches("event: interrupt").count(), 1);
    agent.end_turn();
    drop(next);
    assert_eq!(ada.get(&format!("/api/status/{id}")).value()["status"], "running");
}

#[test]
fn purged_thread_can_be_deleted() {
    let (_served, ada, bot, id, agent) = thread_with_purged_ask();
    agent.end_turn();
    assert_eq!(ada.get(&format!("/api/status/{id}")).value()["status"], "idle");
    let (_served, ada, _, id, _) = thread_with_purged_ask();
    assert_eq!(ada.send("DELETE", &format!("/api/sessions/{id}"), None).status, 200);
    assert_eq!(ada.get("/api/sessions").value(), json!({ "sessions": [] }));
    drop(bot);
}

#[test]
fn missing_turn_blocks_no_other() {
    let (served, ada, bot) = start_parties();
    let (gone, id) = (new_thread(&ada), new_thread(&ada));
    let read = send_message(&ada, &gone, "to nobody");
    served.world.desk().delete_thread(&gone).unwrap();
    drop(send_message(&ada, &id, "hello"));
    let (agent, taken) = ScriptedAgent::take_turn(&bot, &json!({}));
    assert_eq!(taken["message"], "hello");
    agent.end_turn();
    // The order in which the two are checked is undefined.
    assert_eq!(bot.post("/v1/threads/next", &json!({})).status, 204);
    assert_eq!(rest(read), [end("")]);
}

#[test]
fn turn_goes_to_stored_agent() {
    let (served, ada, bot) = start_parties();
    let other = ThreadClient::of(&served, "asker", "other");
    let begun = ada.send("POST", "/api/sessions", Some("{\"agent\":\"other\"}")).value();
    let id = begun["thread_id"].as_str().unwrap().to_owned();
    drop(send_message(&ada, &id, "hello"));
    // The thread was reassigned to bot, and this server does not know yet.
    change_desk(&served.world, &format!("UPDATE thread SET agent = 'bot' WHERE id = '{id}'"));
    assert_eq!(other.post("/v1/threads/next", &json!({})).status, 204);
    let (agent, taken) = ScriptedAgent::take_turn(&bot, &json!({}));
    assert_eq!((&taken["message"], &taken["again"]), (&json!("hello"), &json!(false)));
    agent.end_turn();
}

#[test]
fn deleted_thread_declines_its_ask() {
    let (served, ada, bot) = start_parties();
    let id = new_thread(&ada);
    drop(send_message(&ada, &id, "hello"));
    let (agent, _) = ScriptedAgent::take_turn(&bot, &json!({}));
    agent.ask_calls(&[ask_user("c1")]);
    assert_eq!(ada.send("DELETE", &format!("/api/sessions/{id}"), None).status, 200);
    let asked = served.world.wait_for_ask(|_| true);
    assert_eq!(AskStatus::from_phase(&asked.state.phase), AskStatus::Declined);
}
