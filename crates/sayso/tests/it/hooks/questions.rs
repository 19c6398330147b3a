//! Tests of questions that agents ask with their host's own tool.

use super::event::{answer, call_event, database_question, decision, decline, report_event, start_hook};
use crate::support::test_world::TestWorld;
use serde_json::json;

#[test]
fn question_is_answered_at_desk() {
    let world = TestWorld::new();
    world.allow_scripted_answers();
    let input = database_question();
    let hook = start_hook(&world, "claude-code", &call_event("PermissionRequest", "AskUserQuestion", &input));
    let id = answer(&world, &json!({ "q0": "Mongo" }));
    let mut answered = input;
    answered["answers"] = json!({ "Which database?": "Mongo" });
    assert_eq!(decision(hook), json!({ "behavior": "allow", "updatedInput": answered }));
    let shown = world.show(&id);
    assert_eq!(shown["asker"]["name"], "Claude Code", "{shown}");
    assert_eq!(shown["delivery"].as_object().unwrap().keys().collect::<Vec<_>>(), ["acked"]);
}

#[test]
fn own_text_and_note_reach_host() {
    let world = TestWorld::new();
    world.allow_scripted_answers();
    let event = call_event("PermissionRequest", "AskUserQuestion", &database_question());
    let hook = start_hook(&world, "claude-code", &event);
    answer(&world, &json!({ "q0": { "picks": [{ "other": "SQLite" }], "note": "small enough" } }));
    let decision = decision(hook);
    assert_eq!(decision["updatedInput"]["answers"], json!({ "Which database?": "SQLite" }));
    let notes = json!({ "Which database?": { "notes": "small enough" } });
    assert_eq!(decision["updatedInput"]["annotations"], notes, "{decision}");
}

#[test]
fn declined_question_denies_with_words() {
    let world = TestWorld::new();
    world.allow_scripted_answers();
    let event = call_event("PermissionRequest", "AskUserQuestion", &database_question());
    let hook = start_hook(&world, "claude-code", &event);
    decline(&world, "ask me on Monday");
    assert_eq!(decision(hook), json!({ "behavior": "deny", "message": "ask me on Monday" }));
}

#[test]
fn secret_question_stays_in_host() {
    let world = TestWorld::new();
    let mut input = database_question();
    input["questions"][0]["isSecret"] = json!(true);
    report_event(&world, "claude-code", &call_event("PermissionRequest", "AskUserQuestion", &input));
    assert!(!world.desk_file().exists());
}

#[test]
fn opencode_gets_bodies_of_replies() {
    let world = TestWorld::new();
    world.allow_scripted_answers();
    let mut properties = database_question();
    properties["id"] = json!("que_1");
    properties["sessionID"] = json!("ses_1");
    let asked = json!({ "type": "question.asked", "directory": "/srv", "properties": properties });
    let hook = start_hook(&world, "opencode", &asked);
    answer(&world, &json!({ "q0": "Mongo" }));
    assert_eq!(hook.wait().parts(), (0, "{\"answers\":[[\"Mongo\"]]}\n", ""));
    let permission = json!({
        "type": "permission.asked",
        "directory": "/srv",
        "properties": {
            "id": "per_1", "sessionID": "ses_1", "permission": "bash",
            "patterns": ["rm *"], "metadata": { "command": "rm -rf x" }, "always": [],
        },
    });
    let hook = start_hook(&world, "opencode", &permission);
    answer(&world, &json!({ "allow": true }));
    assert_eq!(hook.wait().parts(), (0, "{\"reply\":\"once\"}\n", ""));
}

#[test]
fn opencode_dialog_answer_ends_ask() {
    let world = TestWorld::new();
    let mut properties = database_question();
    properties["id"] = json!("que_1");
    properties["sessionID"] = json!("ses_1");
    let asked = json!({ "type": "question.asked", "directory": "/srv", "properties": properties });
    let hook = start_hook(&world, "opencode", &asked);
    let (_, id) = world.first_ask();
    let replied = json!({ "sessionID": "ses_1", "requestID": "que_1", "answers": [["Mongo"]] });
    report_event(&world, "opencode", &json!({ "type": "question.replied", "properties": replied }));
    assert_eq!(hook.wait().parts(), (0, "", ""));
    assert_eq!(world.show(&id)["state"], "cancelled");
}
