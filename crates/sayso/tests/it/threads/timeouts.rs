//! Tests of turns whose agent is missing, stops or fails: the person gets a notice, and the turns end.

use crate::support::network_desk::NetworkDesk;
use crate::support::program::TestProgram;
use crate::support::program::python_program::python;
use crate::support::test_world::TestWorld;
use crate::threads::client::{ThreadClient, TurnStream, new_thread};
use crate::threads::turns::{
    ScriptedAgent, end, execute, read_and_resume, send_message, start_parties, text,
};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

fn status(state: &str) -> Option<(String, Value)> {
    Some(("status".to_owned(), json!({ "state": state })))
}

/// Creates the parties of a desk at which a turn ends after this many seconds of silence.
fn start_impatient(seconds: u32) -> (NetworkDesk, ThreadClient, ThreadClient) {
    let world = TestWorld::new();
    world.write("config/sayso/config.toml", format!("[server]\nturn_silence_seconds = {seconds}\n"));
    let served = NetworkDesk::start_in(world);
    let (ada, bot) = (ThreadClient::of(&served, "person", "ada"), ThreadClient::of(&served, "asker", "bot"));
    (served, ada, bot)
}

fn must_fail(stream: &mut TurnStream, words: &str) {
    // The reason for the silence may be reported first.
    let (name, data) = loop {
        let event = stream.next_of_any().unwrap();
        if event.0 != "status" {
            break event;
        }
    };
    assert_eq!(name, "error", "{data}");
    assert!(data["message"].as_str().unwrap().contains(words), "{data}");
    assert_eq!((stream.next_of_any(), stream.next_of_any()), (Some(end("error")), None));
}

#[test]
fn person_hears_of_missing_agent() {
    let (_served, ada, bot) = start_impatient(12);
    let id = new_thread(&ada);
    let begun = Instant::now();
    let mut stream = send_message(&ada, &id, "hello");
    assert_eq!(stream.next_of_any(), status("no_agent"));
    assert!(begun.elapsed() < Duration::from_secs(8), "{:?}", begun.elapsed());
    must_fail(&mut stream, "not responded for 12 seconds");
    assert_eq!(ada.get(&format!("/api/status/{id}")).value()["status"], "idle");
    // The thread continues with the next message.
    let mut stream = send_message(&ada, &id, "again");
    let (agent, taken) = ScriptedAgent::take_turn(&bot, &json!({}));
    assert_eq!(taken["message"], "again");
    agent.say_text("here");
    agent.end_turn();
    assert_eq!((stream.next_of_any(), stream.next_of_any()), (Some(text("here")), Some(end(""))));
}

#[test]
fn turn_is_tried_three_times() {
    let (_served, ada, bot) = start_parties();
    let id = new_thread(&ada);
    let mut stream = send_message(&ada, &id, "hello");
    let again = json!({ "restarted": true });
    for is_first in [true, false, false] {
        drop(ScriptedAgent::take_turn(&bot, &again));
        if !is_first {
            assert_eq!(stream.next_of_any(), status("retrying"));
        }
    }
    assert_eq!(bot.post("/v1/threads/next", &again).status, 204);
    must_fail(&mut stream, "failed 3 times");
}

#[test]
fn person_hears_of_killed_agent() {
    let (served, ada, _) = start_parties();
    let agent = started(&served, "agent.py");
    let id = new_thread(&ada);
    let script = json!({ "steps": [{ "calls": [execute("c", "ls")] }] }).to_string();
    let asked: Vec<_> = std::iter::from_fn({
        let mut stream = send_message(&ada, &id, &script);
        move || stream.next()
    })
    .collect();
    assert_eq!(asked[1].0, "interrupt", "{asked:?}");
    assert!(agent.kill_9());
    let begun = Instant::now();
    let mut stream = read_and_resume(&ada, &id, &json!({ "action": "continue" }));
    assert_eq!(stream.next_of_any(), status("agent_stopped"));
    assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
    let _again = started(&served, "agent.py");
    assert_eq!(stream.next_of_any(), status("retrying"));
    assert_eq!(stream.next().unwrap().0, "messages/partial");
}

#[test]
fn thread_without_one_agent_is_refused() {
    let (served, ada, bot) = start_parties();
    let id = new_thread(&ada);
    let other = ThreadClient::of(&served, "asker", "other");
    let refused = ada.post(&format!("/api/chat/{id}"), &json!({ "message": "hello" }));
    let detail = refused.value()["detail"].as_str().unwrap().to_owned();
    assert_eq!(refused.status, 409, "{detail}");
    assert!(detail.contains("bot, other"), "{detail}");
    for agent in [&bot, &other] {
        assert_eq!(agent.post("/v1/threads/next", &json!({})).status, 204, "nobody gets it");
    }
    let lonely = NetworkDesk::new();
    let eve = ThreadClient::of(&lonely, "person", "eve");
    let refused = eve.post(&format!("/api/chat/{}", new_thread(&eve)), &json!({ "message": "hello" }));
    assert!(refused.status == 409 && refused.text().contains("token new"), "{refused:?}");
}

fn started(served: &NetworkDesk, agent: &str) -> TestProgram {
    let agent = format!("{}/../../examples/{agent}", env!("CARGO_MANIFEST_DIR"));
    let bot = served.token("asker", "bot");
    python(&served.world, &[&agent]).env("SAYSO_DESK", &served.address).env("SAYSO_TOKEN_FILE", &bot).start()
}

#[test]
fn example_agent_survives_refusal() {
    let (served, ada, _) = start_parties();
    let _agent = started(&served, "agent.py");
    let id = new_thread(&ada);
    let bad = json!({ "steps": [{ "calls": [{ "name": "ask_user", "args": { "questions": [] } }] }] });
    let events: Vec<_> = std::iter::from_fn({
        let mut stream = send_message(&ada, &id, &bad.to_string());
        move || stream.next()
    })
    .collect();
    assert!(events.iter().any(|(name, _)| name == "error"), "{events:?}");
    assert_eq!(events.last(), Some(&end("")), "{events:?}");
    let mut stream = send_message(&ada, &id, "hello");
    assert_eq!(stream.next(), Some(text("你")));
}

#[test]
fn short_lease_reports_dead_agent() {
    let (_served, ada, bot) = start_parties();
    let id = new_thread(&ada);
    let mut stream = send_message(&ada, &id, "hello");
    let short = json!({ "worker": "one", "lease_seconds": 1 });
    let (agent, _) = ScriptedAgent::take_turn(&bot, &short);
    let begun = Instant::now();
    assert_eq!(stream.next_of_any(), status("agent_stopped"));
    assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
    // Another process gets it without the word of the first.
    let (other, taken) = ScriptedAgent::take_turn(&bot, &json!({ "worker": "two" }));
    assert_eq!((&taken["message"], &taken["again"]), (&json!("hello"), &json!(true)));
    assert_eq!(stream.next_of_any(), status("retrying"));
    assert_eq!(agent.post_step("events", json!({ "events": [] })).0, 409);
    other.end_turn();
    assert_eq!(stream.next_of_any(), Some(end("")));
    for wrong in [0, 121] {
        let refused = bot.post("/v1/threads/next", &json!({ "lease_seconds": wrong }));
        assert_eq!(
            (refused.status, &refused.value()["path"]),
            (422, &json!(["lease_seconds"])),
            "{refused:?}"
        );
    }
}

#[test]
fn requests_keep_short_lease() {
    let (_served, ada, bot) = start_parties();
    let id = new_thread(&ada);
    drop(send_message(&ada, &id, "hello"));
    let (agent, _) = ScriptedAgent::take_turn(&bot, &json!({ "lease_seconds": 4 }));
    let other = json!({ "worker": "other" });
    // Each request with the turn keeps it, also one that tells nothing.
    for _ in 0..3 {
        agent.publish(&json!([]));
        assert_eq!(bot.post("/v1/threads/next?wait=1", &other).status, 204);
    }
    let calls = [execute("c", "ls")];
    std::thread::scope(|scope| {
        let waiting = scope.spawn(|| agent.wait_for_decision(&calls));
        // Nobody else gets it while its request waits, longer than its lease.
        assert_eq!(bot.post("/v1/threads/next?wait=6", &other).status, 204);
        drop(read_and_resume(&ada, &id, &json!({ "action": "continue" })));
        assert_eq!(waiting.join().unwrap()[0]["decision"], "continue");
    });
    agent.end_turn();
}

#[test]
fn tries_survive_restart() {
    let (mut served, ada, bot) = start_parties();
    let id = new_thread(&ada);
    drop(send_message(&ada, &id, "hello"));
    let again = json!({ "restarted": true });
    for _ in 0..3 {
        drop(ScriptedAgent::take_turn(&bot, &again));
        served.kill_9();
        served.restart();
    }
    assert_eq!(bot.post("/v1/threads/next", &again).status, 204, "it was tried three times");
    let mut followed = ada.send_for_head("GET", &format!("/api/chat/{id}"), None, "Bearer");
    must_fail(&mut followed, "failed 3 times");
}
