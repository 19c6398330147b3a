//! Tests of pi's extension, run by Node.

use super::event::decline;
use crate::support::program::node_program::plain_node_call;
use crate::support::test_world::TestWorld;
use serde_json::json;
use std::path::Path;

/// Calls the extension's tool while a person decides, and returns what it prints.
fn call_tool(decide: impl Fn(&TestWorld)) -> String {
    let world = TestWorld::new();
    world.allow_scripted_answers();
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../integrations/pi/sayso.ts");
    let extension = world.write("sayso.mjs", std::fs::read_to_string(source).unwrap());
    let questions = json!({ "questions": [{ "id": "go", "type": "confirm", "label": "Go", "prompt": "Deploy?",
        "children": [{ "id": "why", "type": "text", "label": "Why", "prompt": "Why not?", "showIf": { "value": "false" } }] }] });
    let args = [extension.to_str().unwrap(), &questions.to_string()];
    let call =
        plain_node_call(&world, "pi_extension.mjs", &args).env("SAYSO_PROGRAM", env!("CARGO_BIN_EXE_sayso"));
    let pi = call.start();
    decide(&world);
    let ended = pi.wait();
    assert_eq!((ended.exit, ended.stderr.as_str()), (0, ""), "{ended:?}");
    ended.stdout
}

#[test]
fn pi_tool_has_the_whole_schema_and_needs_no_server() {
    let printed = call_tool(|world| {
        let ask = world.wait_for_ask(|ask| ask.outcome().is_none());
        let answers =
            json!({ "answers": { "go": { "confirmed": false }, "why": { "text": "Friday" } } }).to_string();
        assert_eq!(world.sayso(["answer", &ask.id.to_string(), "--answers", &answers]).run().exit, 0);
    });
    let (tool, outcome) = printed.split_once('\n').unwrap();
    let types = "SelectQuestion MultiSelectQuestion TextQuestion ConfirmQuestion RatingQuestion";
    assert_eq!(tool, format!("questionnaire {types}"));
    assert!(outcome.contains(r#""why":{"text":"Friday"}"#), "{outcome}");
}

#[test]
fn pi_learns_of_a_decline() {
    let printed = call_tool(|world| decline(world, "not on a Friday"));
    assert!(printed.contains(r#""cancelled":true"#) && printed.contains("not on a Friday"), "{printed}");
}
