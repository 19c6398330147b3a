//! Tests of turns whose agent is missing, stops or fails: the person gets a notice, and the turns end.

use crate::support::network_desk::NetworkDesk;
use crate::support::program::TestProgram;
use crate::support::program::python_program::python;
use crate::support::served_desk::in_process::InProcessServer;
use crate::support::served_desk::new_token;
use crate::support::test_world::TestWorld;
use crate::threads::client::{ThreadClient, TurnStream, new_thread};
use crate::threads::turns::{
    ScriptedAgent, end, execute, read_and_resume, send_message, start_parties, text,
};
use sayso_desk::token::TokenRole;
use sayso_server::http::ServerDelays;
use serde_json::{Value, json};
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

fn status(state: &str) -> Option<(String, Value)> {
    Some(("status".to_owned(), json!({ "state": state })))
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
    let world = TestWorld::new();
    let delays = ServerDelays {
        turn_notice: Duration::from_millis(100),
        turn_silence: Duration::from_secs(2),
        ..ServerDelays::default()
    };
    let served = InProcessServer::start(world.desk(), &world.path("work"), delays);
    let [ada, bot] = [(TokenRole::Person, "ada"), (TokenRole::Asker, "bot")]
        .map(|(role, account)| ThreadClient::at(&served.address, &new_token(&world, role, account)));
    let id = new_thread(&ada);
    let mut stream = send_message(&ada, &id, "hello");
    assert_eq!(stream.next_of_any(), status("no_agent"));
    must_fail(&mut stream, "not responded for 2 seconds");
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
    assert!(detail.contains("\"bot\", \"other\""), "{detail}");
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
    [new_thread(&ada), new_thread(&ada)].iter().for_each(|id| drop(send_message(&ada, id, "hello")));
    let short = json!({ "lease_seconds": 1 });
    let [(publishing, _), (asking, taken)] =
        [&short, &short].map(|short| ScriptedAgent::take_turn(&bot, short));
    let calls = [execute("c", "ls")];
    std::thread::scope(|scope| {
        let waiting = scope.spawn(|| asking.wait_for_decision(&calls));
        let (sender, polled) = channel();
        // No one else gets a turn, longer than its lease.
        scope.spawn(move || {
            let reply = bot.post("/v1/threads/next?wait=2", &json!({ "worker": "other" }));
            sender.send(reply.status).unwrap();
        });
        // One turn has a request that waits. Each request with the other one keeps it, also one that publishes nothing.
        let status = loop {
            publishing.publish(&json!([]));
            if let Ok(status) = polled.recv_timeout(Duration::from_millis(200)) {
                break status;
            }
        };
        assert_eq!(status, 204);
        let id = taken["thread_id"].as_str().unwrap();
        drop(read_and_resume(&ada, id, &json!({ "action": "continue" })));
        assert_eq!(waiting.join().unwrap()[0]["decision"], "continue");
    });
    [publishing, asking].iter().for_each(ScriptedAgent::end_turn);
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
