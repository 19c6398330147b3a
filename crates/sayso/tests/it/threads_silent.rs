//! Tests of turns whose agent is missing, stops or fails: the person gets a notice, and the turns end.

use crate::network::Network;
use crate::program::Program;
use crate::python::python;
use crate::threads::{Agent, end, execute, parties, resumes, says, text};
use crate::threads_client::{Speaker, Stream, thread};
use crate::world::World;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

fn status(state: &str) -> Option<(String, Value)> {
    Some(("status".to_owned(), json!({ "state": state })))
}

/// Creates the parties of a desk at which a turn ends after this many seconds of silence.
fn impatient(seconds: u32) -> (Network, Speaker, Speaker) {
    let world = World::new();
    world.write("config/sayso/config.toml", format!("[server]\nturn_silence_seconds = {seconds}\n"));
    let served = Network::of(world);
    let (ada, bot) = (Speaker::of(&served, "person", "ada"), Speaker::of(&served, "asker", "bot"));
    (served, ada, bot)
}

fn must_fail(stream: &mut Stream, words: &str) {
    let (name, data) = stream.next_of_all().unwrap();
    assert_eq!(name, "error", "{data}");
    assert!(data["message"].as_str().unwrap().contains(words), "{data}");
    assert_eq!((stream.next_of_all(), stream.next_of_all()), (Some(end("error")), None));
}

#[test]
fn person_hears_of_missing_agent() {
    let (_served, ada, bot) = impatient(4);
    let id = thread(&ada);
    let begun = Instant::now();
    let mut stream = says(&ada, &id, "hello");
    assert_eq!(stream.next_of_all(), status("no_agent"));
    assert!(begun.elapsed() < Duration::from_secs(3), "{:?}", begun.elapsed());
    must_fail(&mut stream, "said nothing for 4 seconds");
    assert_eq!(ada.get(&format!("/api/status/{id}")).value()["status"], "idle");
    // The thread continues with the next message.
    let mut stream = says(&ada, &id, "again");
    let (agent, taken) = Agent::takes(&bot, &json!({}));
    assert_eq!(taken["message"], "again");
    agent.says("here");
    agent.ends();
    assert_eq!((stream.next_of_all(), stream.next_of_all()), (Some(text("here")), Some(end(""))));
}

#[test]
fn turn_is_tried_three_times() {
    let (_served, ada, bot) = parties();
    let id = thread(&ada);
    let mut stream = says(&ada, &id, "hello");
    let again = json!({ "anew": true });
    for is_first in [true, false, false] {
        drop(Agent::takes(&bot, &again));
        if !is_first {
            assert_eq!(stream.next_of_all(), status("retrying"));
        }
    }
    assert_eq!(bot.post("/v1/threads/next", &again).status, 204);
    must_fail(&mut stream, "stopped 3 times");
}

#[test]
fn person_hears_of_killed_agent() {
    let (served, ada, _) = parties();
    let agent = started(&served, "agent.py");
    let id = thread(&ada);
    let script = json!({ "steps": [{ "calls": [execute("c", "ls")] }] }).to_string();
    let asked: Vec<_> = std::iter::from_fn({
        let mut stream = says(&ada, &id, &script);
        move || stream.next()
    })
    .collect();
    assert_eq!(asked[1].0, "interrupt", "{asked:?}");
    assert!(agent.kill_9());
    let begun = Instant::now();
    let mut stream = resumes(&ada, &id, &json!({ "action": "continue" }));
    assert_eq!(stream.next_of_all(), status("agent_stopped"));
    assert!(begun.elapsed() < Duration::from_secs(4), "{:?}", begun.elapsed());
    let _again = started(&served, "agent.py");
    assert_eq!(stream.next_of_all(), status("retrying"));
    assert_eq!(stream.next().unwrap().0, "messages/partial");
}

#[test]
fn thread_without_one_agent_is_refused() {
    let (served, ada, bot) = parties();
    let id = thread(&ada);
    let other = Speaker::of(&served, "asker", "other");
    let refused = ada.post(&format!("/api/chat/{id}"), &json!({ "message": "hello" }));
    let detail = refused.value()["detail"].as_str().unwrap().to_owned();
    assert_eq!(refused.status, 409, "{detail}");
    assert!(detail.contains("bot, other"), "{detail}");
    for agent in [&bot, &other] {
        assert_eq!(agent.post("/v1/threads/next", &json!({})).status, 204, "nobody gets it");
    }
    let lonely = Network::new();
    let eve = Speaker::of(&lonely, "person", "eve");
    let refused = eve.post(&format!("/api/chat/{}", thread(&eve)), &json!({ "message": "hello" }));
    assert!(refused.status == 409 && refused.text().contains("token new"), "{refused:?}");
}

fn started(served: &Network, agent: &str) -> Program {
    let agent = format!("{}/../../examples/{agent}", env!("CARGO_MANIFEST_DIR"));
    let bot = served.token("asker", "bot");
    python(&served.world, &[&agent]).env("SAYSO_DESK", &served.address).env("SAYSO_TOKEN_FILE", &bot).start()
}

#[test]
fn example_agent_survives_refusal() {
    let (served, ada, _) = parties();
    let _agent = started(&served, "agent.py");
    let id = thread(&ada);
    let bad = json!({ "steps": [{ "calls": [{ "name": "ask_user", "args": { "questions": [] } }] }] });
    let told: Vec<_> = std::iter::from_fn({
        let mut stream = says(&ada, &id, &bad.to_string());
        move || stream.next()
    })
    .collect();
    assert!(told.iter().any(|(name, _)| name == "error"), "{told:?}");
    assert_eq!(told.last(), Some(&end("")), "{told:?}");
    let mut stream = says(&ada, &id, "hello");
    assert_eq!(stream.next(), Some(text("你")));
}
