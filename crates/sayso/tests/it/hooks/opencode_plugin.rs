//! Tests of the plugin that `sayso setup opencode` writes, run by Node.

use super::event::{answer, database_question, decline};
use crate::support::program::node_program::plain_node_call;
use crate::support::test_world::TestWorld;
use serde_json::{Value, json};

fn asked(kind: &str, mut properties: Value) -> Value {
    properties["id"] = json!("req_1");
    properties["sessionID"] = json!("ses_1");
    json!({ "type": format!("{kind}.asked"), "properties": properties })
}

/// Runs the plugin with an event while a person decides, and returns the replies that OpenCode gets.
fn replies(event: &Value, decide: impl Fn(&TestWorld)) -> String {
    let world = TestWorld::new();
    world.allow_scripted_answers();
    assert_eq!(world.sayso(["setup", "opencode", "--yes"]).run().exit, 0);
    let plugin = world.path("config/opencode/plugins/sayso.js");
    let args = [plugin.to_str().unwrap(), &event.to_string()];
    let opencode = plain_node_call(&world, "opencode_plugin.mjs", &args).start();
    decide(&world);
    let ended = opencode.wait();
    assert_eq!((ended.exit, ended.stderr.as_str()), (0, ""), "{ended:?}");
    ended.stdout
}

#[test]
fn answers_reach_opencode_without_server() {
    let question = asked("question", database_question());
    let printed = replies(&question, |world| drop(answer(world, &json!({ "q0": "Mongo" }))));
    assert_eq!(printed, "/srv /question/req_1/reply {\"answers\":[[\"Mongo\"]]}\n");
    let permission = json!({ "permission": "bash", "metadata": { "command": "rm -rf x" } });
    let printed = replies(&asked("permission", permission), |world| decline(world, "not on a Friday"));
    let body = "{\"reply\":\"reject\",\"message\":\"not on a Friday\"}";
    assert_eq!(printed, format!("/srv /permission/req_1/reply {body}\n"));
}

#[test]
fn declined_question_gives_words_to_opencode() {
    let question = asked("question", database_question());
    let printed = replies(&question, |world| decline(world, "not on a Friday"));
    let body = "{\"answers\":[[\"The person declined to answer: not on a Friday\"]]}";
    assert_eq!(printed, format!("/srv /question/req_1/reply {body}\n"));
}
