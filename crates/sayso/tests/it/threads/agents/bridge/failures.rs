//! Tests of agents that do not start, stop, say too much or nothing, and of a server that stops.

use super::{AgentDesk, agent_text, command};
use crate::threads::client::new_thread;
use crate::threads::turns::{end, rest};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// Time in which a person is told that something is wrong: a second, and what a loaded machine adds.
const TOLD_IN: Duration = Duration::from_secs(10);

fn errors(events: &[(String, Value)]) -> Vec<&str> {
    let errors = events.iter().filter(|(name, _)| name == "error");
    errors.filter_map(|(_, data)| data["message"].as_str()).collect()
}

/// Asserts that a stream has one `end`, which is its last event.
fn assert_ends(events: &[(String, Value)], last: &(String, Value)) {
    assert_eq!(events.iter().filter(|(name, _)| name == "end").count(), 1, "{events:?}");
    assert_eq!(events.last(), Some(last), "{events:?}");
}

#[test]
fn failed_start_ends_with_error() {
    std::thread::scope(|scope| {
        for (options, retries, expected) in [
            ("--exit", 2, "The agent has stopped (exit status: 3)."),
            ("--signed-out", 0, "The agent is not signed in: \"Authentication required\""),
            ("--fixed-mode", 0, "The agent reports an error: \"Method not found\""),
        ] {
            scope.spawn(move || assert_start_fails(options, retries, expected));
        }
    });
}

fn assert_start_fails(options: &str, retries: usize, expected: &str) {
    let desk = AgentDesk::start(options, &[]);
    let thread = new_thread(&desk.ada);
    let began = Instant::now();
    let mut stream = desk.send(&thread, &json!("hello"));
    let first = stream.next().unwrap();
    assert!(began.elapsed() < TOLD_IN, "{options}: {:?}", began.elapsed());
    let events = [vec![first], rest(stream)].concat();
    let messages = errors(&events);
    assert_eq!(messages.len(), retries + 1, "{options}: {events:?}");
    assert_eq!(messages.last(), Some(&expected), "{events:?}");
    assert_ends(&events, &end("error"));
    // The thread goes on.
    assert_ends(&rest(desk.send(&thread, &json!("hello"))), &end("error"));
}

#[test]
fn crashed_agent_continues_with_session() {
    let desk = AgentDesk::start("", &[]);
    let steps = json!([{ "say": "One. " }, { "crash_once": 7 }, { "say": "Two." }]);
    let events = desk.run(&steps);
    assert_eq!(
        errors(&events),
        ["The agent has stopped (exit status: 7). It is started again: attempt 2 of 3."]
    );
    // The messages that a loaded session repeats are not the agent's new words.
    assert_eq!(agent_text(&events), "One. One. Two.");
    assert_ends(&events, &("end".to_owned(), json!({})));
    let desk = AgentDesk::start("--no-load", &[]);
    let run_events = desk.run(&steps);
    assert_eq!(
        errors(&run_events)[1],
        "The agent was started again and does not remember this conversation."
    );
    let desk = AgentDesk::start("", &[]);
    let events = desk.run(&json!([{ "say": "One. " }, { "crash": 7 }]));
    assert_eq!((errors(&events).len(), agent_text(&events).as_str()), (3, "One. One. One. "), "{events:?}");
    assert_ends(&events, &end("error"));
}

#[test]
fn decision_reaches_agent_once() {
    let desk = AgentDesk::start("", &[]);
    let thread = new_thread(&desk.ada);
    // It crashes after it was allowed to run, and asks again: so does the desk.
    let steps = json!([{ "run": command("make") }, { "crash_once": 1 }]);
    assert_eq!(rest(desk.send(&thread, &steps))[0].0, "interrupt");
    let events = rest(desk.resume(&thread, &json!({ "action": "continue" })));
    assert_eq!((agent_text(&events).as_str(), errors(&events).len()), ("[allow_once]", 1), "{events:?}");
    assert_eq!(events[events.len() - 2].0, "interrupt", "{events:?}");
    let events = rest(desk.resume(&thread, &json!({ "action": "cancel" })));
    assert_eq!(agent_text(&events), "[reject_once]");
}

#[test]
fn decision_survives_server_and_bridge() {
    for restart in [AgentDesk::restart_server, |mut desk: AgentDesk| {
        desk.restart_bridge();
        desk
    }] {
        let desk = AgentDesk::start("", &[]);
        let thread = new_thread(&desk.ada);
        assert_eq!(rest(desk.send(&thread, &json!([{ "run": command("make") }])))[0].0, "interrupt");
        let desk = restart(desk);
        // The agent asks again and finds the same ask, which is still open.
        let events = rest(desk.resume(&thread, &json!({ "action": "continue" })));
        assert_eq!(agent_text(&events), "[allow_once]", "{events:?}");
        assert_ends(&events, &end("continue"));
        let history = desk.ada.get(&format!("/api/history/{thread}")).value();
        let asks = history["events"].as_array().unwrap().iter().filter(|event| event["type"] == "approval");
        assert_eq!(asks.count(), 1, "{history}");
    }
}

#[test]
fn flood_and_noise_end_turn() {
    let desk = AgentDesk::start("", &[]);
    let events = desk.run(&json!([{ "flood": 1_000_000 }]));
    assert_eq!(errors(&events).last(), Some(&"A turn can publish at most 16777216 bytes."));
    assert_ends(&events, &end("error"));
    let events = desk.run(&json!([{ "raw": "no JSON\n" }, { "say": "Still here." }]));
    assert_eq!(agent_text(&events), "Still here.", "{events:?}");
    let events = desk.run(&json!([{ "fail": "no credit" }]));
    assert_eq!(errors(&events), ["The agent reports an error: \"Internal error: no credit\""]);
    assert_ends(&events, &end("error"));
}

#[test]
fn silent_agent_is_cancelled() {
    let desk = AgentDesk::start("", &["--silence", "1s"]);
    let thread = new_thread(&desk.ada);
    let events = rest(desk.send(&thread, &json!([{ "hang": "cancelled" }])));
    assert_eq!(errors(&events).len(), 1, "{events:?}");
    assert_ends(&events, &end("error"));
    assert_eq!(agent_text(&rest(desk.send(&thread, &json!([{ "read": "cancelled" }])))), "[cancelled]");
}

#[test]
fn random_agent_ends_once() {
    let steps = prop_oneof![
        Just(json!({ "say": "Well. " })),
        Just(json!({ "run": command("make") })),
        Just(json!({ "form": { "type": "object", "properties": { "a": { "type": "boolean" } } } })),
        Just(json!({ "raw": "{\"jsonrpc\":\"2.0\",\"method\":\"session/update\",\"params\":7}\n[]\n\n" })),
        Just(json!({ "raw": "{\"jsonrpc\":\"2.0\",\"id\":99,\"result\":{}}\n" })),
        Just(json!({ "crash_once": 9 })),
        Just(json!({ "fail": "no credit" })),
    ];
    let desk = AgentDesk::start("", &[]);
    let mut runner =
        TestRunner::new(ProptestConfig { cases: 12, failure_persistence: None, ..ProptestConfig::default() });
    let ran = runner.run(&(vec(steps, 1..6), any::<bool>()), |(steps, agrees)| {
        let thread = new_thread(&desk.ada);
        let mut stream = desk.send(&thread, &json!(steps));
        loop {
            let events = rest(stream);
            let ends = events.iter().filter(|(name, _)| name == "end").count();
            prop_assert!(ends == 1 && events.last().unwrap().0 == "end", "{events:?}");
            let Some((_, asked)) = events.iter().find(|(name, _)| name == "interrupt") else { break };
            let resume = match (&asked["questions"], agrees) {
                (_, false) => json!({ "action": "cancel" }),
                (Value::Null, true) => json!({ "action": "continue" }),
                (_, true) => json!({ "action": "answer", "answers": ["true"] }),
            };
            stream = desk.resume(&thread, &resume);
        }
        let status = desk.ada.get(&format!("/api/status/{thread}")).value();
        prop_assert_eq!(&status["status"], "idle");
        Ok(())
    });
    ran.unwrap();
}
