//! Threads whose person and agent are at different nodes, or change them.

use super::nodes::TwoNodes;
use crate::threads::client::{ThreadClient, new_thread, unnamed};
use crate::threads::turns::{ScriptedAgent, execute, rest, send_message, text};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::thread;

/// Returns a person and an agent at both nodes.
fn parties(two: &TwoNodes) -> [[ThreadClient; 2]; 2] {
    [("person", "ada"), ("asker", "bot")].map(|(role, account)| {
        two.caller(role, account)
            .map(|caller| ThreadClient::at(&caller.address, caller.token.as_deref().unwrap()))
    })
}

/// Returns the data of events without their ids.
fn data(events: &[(String, Value)]) -> Vec<Value> {
    events.iter().map(|(_, event)| event["data"].clone()).collect()
}

#[test]
fn stream_goes_on_at_other_node() {
    let two = TwoNodes::start(&["--rate", "0"]);
    let [ada, bot] = parties(&two);
    let thread = new_thread(&ada[0]);
    let path = format!("/api/stream/{thread}?envelope=1");
    let (begin, _) = unnamed(&ada[0].get(&path).text()).remove(0);
    let mut chat = send_message(&ada[0], &thread, "Go.");
    // The agent is at the other node, and changes it within the turn.
    let (agent, taken) = ScriptedAgent::take_turn(&bot[1], &json!({}));
    assert_eq!((&taken["message"], &taken["again"]), (&json!("Go."), &json!(false)));
    agent.say_text("One, ");
    assert_eq!(chat.next(), Some(text("One, ")));
    agent.at(&bot[0]).say_text("two.");
    assert_eq!(chat.next(), Some(text("two.")));
    agent.ask_calls(&[execute("c1", "ls")]);
    let names: Vec<_> = rest(chat).into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["interrupt", "end"]);

    // A browser reads the same at both nodes, with the same ids.
    let [first, second] = ada.each_ref().map(|ada| unnamed(&ada.after_event(&begin).get(&path).text()));
    assert_eq!(first, second);
    let texts = [json!({ "content": "One, " }), json!({ "content": "two." })];
    assert_eq!(data(&first[..2]), texts);
    two.kill_9(0);
    assert_eq!(unnamed(&ada[1].after_event(&first[0].0).get(&path).text()), first[1..]);
    let follows = ada[1].after_event(&first[2].0).send_for_head("GET", &path, None, "Bearer");
    let resumed = ada[1].stream(&format!("/api/resume/{thread}"), &json!({ "action": "continue" }));
    assert_eq!(agent.wait_for_decision(&[execute("c1", "ls")])[0]["decision"], "continue");
    agent.say_text("Three.");
    agent.end_turn();
    assert_eq!(rest(resumed)[0], text("Three."));
    let followed = unnamed(&follows.read_whole().text());
    assert_eq!(data(&followed)[0], json!({ "content": "Three." }));
    let history = ada[1].get(&format!("/api/history/{thread}")).value();
    let contents =
        history["messages"].as_array().unwrap().iter().map(|message| message["content"].as_str().unwrap());
    assert_eq!(contents.collect::<Vec<_>>(), ["Go.", "One, two.", "Three."], "{history}");
}

#[test]
fn turn_is_handed_out_once() {
    const THREADS: usize = 12;
    let two = TwoNodes::start(&["--rate", "0"]);
    let [ada, bot] = parties(&two);
    let threads: BTreeSet<_> = (0..THREADS)
        .map(|number| {
            let thread = new_thread(&ada[number % 2]);
            drop(send_message(&ada[number % 2], &thread, "Go."));
            thread
        })
        .collect();
    // Three workers at each node take turns until none is left.
    let taken = thread::scope(|scope| {
        let worker = |number: usize| {
            let bot = &bot[number % 2];
            move || -> Vec<String> {
                let next = || bot.post("/v1/threads/next", &json!({ "worker": format!("{number}") }));
                let turns = std::iter::from_fn(|| Some(next()).filter(|reply| reply.status == 200));
                turns.map(|reply| reply.value()["thread_id"].as_str().unwrap().to_owned()).collect()
            }
        };
        let workers: Vec<_> = (0..6).map(|number| scope.spawn(worker(number))).collect();
        workers.into_iter().flat_map(|worker| worker.join().unwrap()).collect::<Vec<_>>()
    });
    assert_eq!(taken.len(), THREADS, "{taken:?}");
    assert_eq!(taken.into_iter().collect::<BTreeSet<_>>(), threads);
}
