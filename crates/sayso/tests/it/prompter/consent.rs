//! Tests that consent goes to its asker for the asked action, and to no one else.

use crate::mcp::host::McpHost;
use crate::support::program::TestProgram;
use crate::support::test_world::TestWorld;
use serde_json::{Value, json};

const MAY_I: &str = r#"{"questions": [{"kind": "confirm", "id": "go", "prompt": "Delete it?"}]}"#;

/// Starts a program that asks, and returns it with the id of its ask.
fn start_asker(world: &TestWorld) -> (TestProgram, String) {
    let program = world.sayso(["ask", "--elsewhere", MAY_I]).start();
    let pid = program.pid.to_string();
    let ask = world.wait_for_ask(|ask| format!("{:?}", ask.state.presence).contains(&pid));
    (program, ask.id.to_string())
}

fn answer(world: &TestWorld, id: &str, go: bool) {
    let answers = json!({ "answers": { "go": go } }).to_string();
    assert_eq!(world.sayso(["answer", id, "--answers", &answers]).run().exit, 0);
}

#[test]
#[cfg(target_os = "linux")]
fn parallel_callers_get_separate_consent() {
    let world = TestWorld::new();
    world.allow_scripted_answers();
    let (one, first) = start_asker(&world);
    // A poll does not change the owner of an ask.
    assert_eq!(world.sayso(["wait", &first, "--timeout", "50ms"]).run().exit, 4);
    let (two, second) = start_asker(&world);
    assert_ne!(first, second, "one yes would let both of them act");
    answer(&world, &first, true);
    assert!(one.wait().stdout.contains("true"));
    assert_eq!(world.show(&second)["state"], "open");
    assert_eq!(world.sayso(["cancel", &second]).run().exit, 0);
    assert_eq!(two.wait().exit, 6);
}

#[test]
fn refused_consent_stops_the_command() {
    let world = TestWorld::new();
    world.allow_scripted_answers();
    let both = r#"{"questions": [{"id": "go", "prompt": "Which?", "kind": "confirm"}, {"id": "why", "prompt": "Why?",
        "required": false}]}"#;
    for (request, go, exit) in [(MAY_I, true, 0), (MAY_I, false, 3), (both, false, 0)] {
        let program = world.sayso(["ask", "--elsewhere", request]).start();
        let ask = world.wait_for_ask(|ask| ask.outcome().is_none());
        answer(&world, &ask.id.to_string(), go);
        let ended = program.wait();
        assert_eq!(ended.exit, exit, "{request} {go}: {ended:?}");
        assert!(ended.stdout.contains("\"outcome\":\"answered\""), "{ended:?}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn killed_caller_finds_its_own_ask() {
    let world = TestWorld::new();
    let (one, first) = start_asker(&world);
    let (_two, second) = start_asker(&world);
    one.kill_9();
    let (_again, found) = start_asker(&world);
    assert_eq!(found, first);
    let (_three, third) = start_asker(&world);
    assert!(third != first && third != second);
}

#[test]
fn earlier_consent_is_not_reused() {
    let world = TestWorld::new();
    world.allow_scripted_answers();
    let mut request: Value = serde_json::from_str(MAY_I).unwrap();
    let mut older = McpHost::without_forms(&world);
    let before = older.leave_ask(&request);
    older.kill_9();
    request["questions"][0]["prompt"] = json!("Delete all of it?");
    let mut host = McpHost::without_forms(&world);
    let now = host.leave_ask(&request);
    answer(&world, &before, true);
    let waited = &host.call("wait_for_answer", &json!({ "max_wait_s": 0 }))["structuredContent"];
    let value = [&waited["status"], &waited["ask_id"], &waited["more"][0]];
    assert_eq!(value, [&json!("pending"), &json!(now), &json!(before)]);
    answer(&world, &now, false);
    let waited = &host.call("wait_for_answer", &json!({}))["structuredContent"];
    assert_eq!([&waited["status"], &waited["ask_id"]], ["answered", now.as_str()], "{waited}");
    // By its id, or without an ask of its own, it gets the earlier outcome.
    let confirmed = json!({ "received": [now] });
    let waited = &host.call("wait_for_answer", &confirmed)["structuredContent"];
    assert_eq!([&waited["status"], &waited["ask_id"]], ["answered", before.as_str()], "{waited}");
}
