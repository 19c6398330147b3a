//! Tests of the ends of a host's ask: its own dialog, its session, its process, and faults of ours.

use super::event::{
    SESSION, answer, call_event, database_question, decline, report_event, session_event, start_hook,
};
use crate::support::program::{TestProgram, kill_9, signal};
use crate::support::test_world::TestWorld;
use serde_json::{Value, json};

fn bash() -> Value {
    call_event("PermissionRequest", "Bash", &json!({ "command": "touch x" }))
}

/// Starts a hook whose ask is open.
fn open_ask(world: &TestWorld, event: &Value, host: &str) -> (TestProgram, String) {
    let hook = start_hook(world, host, event);
    let id = world.wait_for_ask(|ask| ask.outcome().is_none()).id.to_string();
    (hook, id)
}

/// Returns the reason for which an ask was cancelled.
fn end_of(world: &TestWorld, id: &str) -> Value {
    let shown = world.show(id);
    assert_eq!(shown["state"], "cancelled", "{shown}");
    shown["phase"]["settled"]["reason"].clone()
}

#[test]
fn dialog_answer_ends_ask() {
    let world = TestWorld::new();
    let input = database_question();
    let (hook, id) =
        open_ask(&world, &call_event("PermissionRequest", "AskUserQuestion", &input), "claude-code");
    let mut answered = input;
    answered["answers"] = json!({ "Which database?": "Postgres" });
    report_event(&world, "claude-code", &call_event("PostToolUse", "AskUserQuestion", &answered));
    assert_eq!(hook.wait().parts(), (0, "", ""));
    assert_eq!(end_of(&world, &id), json!("answered_in_host"));
    let shown = world.sayso(["show", &id]).run().stdout;
    assert!(shown.contains("It was answered in \"Claude Code\"."), "{shown}");
}

#[test]
fn host_answer_is_kept_beside_another() {
    let question = database_question();
    let mut asked = question.clone();
    asked["id"] = json!("que_1");
    asked["sessionID"] = json!("ses_1");
    let asked = json!({ "type": "question.asked", "directory": "/srv", "properties": asked });
    let end = |picked: &str| {
        let properties = json!({ "sessionID": "ses_1", "requestID": "que_1", "answers": [[picked]] });
        json!({ "type": "question.replied", "properties": properties })
    };
    let call = |picked: Option<&str>| {
        let mut input = question.clone();
        let Some(picked) = picked else { return call_event("PermissionRequest", "AskUserQuestion", &input) };
        input["answers"] = json!({ "Which database?": picked });
        call_event("PostToolUse", "AskUserQuestion", &input)
    };
    let hosts = [
        ("claude-code", call(None), call(Some("Postgres")), call(Some("Mongo")), "Claude Code"),
        ("opencode", asked, end("Postgres"), end("Mongo"), "OpenCode"),
    ];
    for (host, asked, same, other, name) in hosts {
        let world = TestWorld::new();
        world.allow_scripted_answers();
        let (hook, _) = open_ask(&world, &asked, host);
        let id = answer(&world, &json!({ "q0": "Postgres" }));
        assert_ne!(hook.wait().stdout, "");
        report_event(&world, host, &same);
        assert_eq!(world.show(&id)["late"], Value::Null, "{host} used the desk's");
        report_event(&world, host, &other);
        let late = world.show(&id)["late"][0].clone();
        assert_eq!([&late["surface"], &late["assurance"]], ["dialog", "relayed"], "{late}");
        let shown = world.sayso(["show", &id]).run().stdout;
        let parts = shown.split_once(&format!("\"{name}\" went on with the answer of its own dialog"));
        assert!(parts.is_some_and(|(_, used)| used.contains("Mongo")), "{shown}");
    }
}

#[test]
fn host_decision_is_kept_beside_another() {
    let world = TestWorld::new();
    world.allow_scripted_answers();
    let permission = json!({ "type": "permission.asked", "directory": "/srv", "properties": {
        "id": "per_1", "sessionID": "ses_1", "permission": "bash", "metadata": { "command": "rm -rf x" } } });
    let (hook, id) = open_ask(&world, &permission, "opencode");
    decline(&world, "not on a Friday");
    assert_ne!(hook.wait().stdout, "");
    let is_told = |id: &str| {
        let shown = world.sayso(["show", id]).run().stdout;
        shown.contains("went on with the answer of its own dialog")
    };
    for (reply, expected) in [("reject", false), ("once", true)] {
        let properties = json!({ "sessionID": "ses_1", "requestID": "per_1", "reply": reply });
        report_event(&world, "opencode", &json!({ "type": "permission.replied", "properties": properties }));
        assert_eq!(is_told(&id), expected, "{reply}");
    }
    // Claude Code shows only that the command has run.
    for (command, is_denied) in [("touch x", false), ("touch y", true)] {
        let call = |name: &str| call_event(name, "Bash", &json!({ "command": command }));
        let (hook, id) = open_ask(&world, &call("PermissionRequest"), "claude-code");
        if is_denied {
            decline(&world, "not on a Friday");
        } else {
            answer(&world, &json!({ "allow": true }));
        }
        assert_ne!(hook.wait().stdout, "");
        report_event(&world, "claude-code", &call("PostToolUse"));
        assert_eq!(is_told(&id), is_denied, "{command}");
    }
}

#[test]
fn written_answer_is_no_other_answer() {
    let mut asked = database_question();
    asked["id"] = json!("que_1");
    asked["sessionID"] = json!("ses_1");
    let asked = json!({ "type": "question.asked", "directory": "/srv", "properties": asked });
    let noted = json!({ "q0": { "picks": [{ "option": "o2" }], "note": "on the big machine" } });
    for is_declined in [true, false] {
        let world = TestWorld::new();
        world.allow_scripted_answers();
        let (hook, id) = open_ask(&world, &asked, "opencode");
        if is_declined {
            decline(&world, "not on a Friday");
        } else {
            answer(&world, &noted);
        }
        let sent: Value = serde_json::from_str(&hook.wait().stdout).unwrap();
        let properties = json!({ "sessionID": "ses_1", "requestID": "que_1", "answers": sent["answers"] });
        report_event(&world, "opencode", &json!({ "type": "question.replied", "properties": properties }));
        assert_eq!(world.show(&id)["late"], Value::Null, "{sent}");
    }
}

#[test]
fn answer_is_taken_once_opencode_says_so() {
    let world = TestWorld::new();
    world.allow_scripted_answers();
    let permission = json!({ "type": "permission.asked", "directory": "/srv", "properties": {
        "id": "per_1", "sessionID": "ses_1", "permission": "bash", "metadata": { "command": "rm -rf x" } } });
    let (hook, id) = open_ask(&world, &permission, "opencode");
    answer(&world, &json!({ "allow": true }));
    assert_ne!(hook.wait().stdout, "");
    let shown = || world.sayso(["show", &id]).run().stdout;
    assert!(shown().contains("not taken by the agent"), "{}", shown());
    let reply = json!({ "sessionID": "ses_1", "requestID": "per_1", "reply": "once" });
    report_event(&world, "opencode", &json!({ "type": "permission.replied", "properties": reply }));
    assert!(!shown().contains("not taken by the agent"), "{}", shown());
}

#[test]
fn plan_accepted_in_dialog_ends_ask() {
    let world = TestWorld::new();
    world.allow_scripted_answers();
    let plan = call_event("PermissionRequest", "ExitPlanMode", &json!({ "plan": "Count the herons." }));
    let (hook, id) = open_ask(&world, &plan, "claude-code");
    report_event(&world, "claude-code", &call_event("PostToolUse", "ExitPlanMode", &json!({})));
    assert_eq!(hook.wait().parts(), (0, "", ""));
    assert_eq!(end_of(&world, &id), json!("answered_in_host"));
}

#[test]
fn next_event_ends_ask_of_ended_hook() {
    let world = TestWorld::new();
    let (hook, id) = open_ask(&world, &bash(), "claude-code");
    kill_9(hook.pid);
    hook.wait();
    let other = call_event("PostToolUse", "Bash", &json!({ "command": "touch y" }));
    report_event(&world, "claude-code", &other);
    assert_eq!(end_of(&world, &id), json!("session_ended"));
}

#[test]
fn end_matches_only_its_call() {
    let world = TestWorld::new();
    let (hook, id) = open_ask(&world, &bash(), "claude-code");
    let other = call_event("PostToolUse", "Bash", &json!({ "command": "touch y" }));
    report_event(&world, "claude-code", &other);
    let mut elsewhere = call_event("PostToolUse", "Bash", &json!({ "command": "touch x" }));
    elsewhere["session_id"] = json!("another");
    report_event(&world, "claude-code", &elsewhere);
    assert_eq!(world.show(&id)["state"], "open");
    elsewhere["session_id"] = json!(SESSION);
    // The agent's shell has moved since.
    elsewhere["cwd"] = json!("/srv/data");
    report_event(&world, "claude-code", &elsewhere);
    assert_eq!(world.show(&id)["state"], "cancelled");
    assert_eq!(hook.wait().parts(), (0, "", ""));
}

#[test]
fn session_events_end_all_asks() {
    for name in ["UserPromptSubmit", "Stop", "SessionEnd"] {
        let world = TestWorld::new();
        let (hook, id) = open_ask(&world, &bash(), "claude-code");
        report_event(&world, "claude-code", &session_event(name));
        assert_eq!(end_of(&world, &id), json!("session_ended"), "{name}");
        assert_eq!(hook.wait().parts(), (0, "", ""));
    }
}

#[test]
fn agent_outlives_turn_that_started_it() {
    let world = TestWorld::new();
    let mut event = bash();
    event["agent_id"] = json!("a6afa973ba4968296");
    // Claude Code shows no dialog for it while the hook runs: without a person the hook asks no one.
    report_event(&world, "claude-code", &event);
    assert!(!world.desk_file().exists());
    world.write("data/sayso/desk.db.person", "");
    let (hook, id) = open_ask(&world, &event, "claude-code");
    for name in ["UserPromptSubmit", "Stop"] {
        report_event(&world, "claude-code", &session_event(name));
    }
    assert_eq!(world.show(&id)["state"], "open");
    let mut end = session_event("SubagentStop");
    end["agent_id"] = json!("a6afa973ba4968296");
    report_event(&world, "claude-code", &end);
    assert_eq!(end_of(&world, &id), json!("session_ended"));
    assert_eq!(hook.wait().parts(), (0, "", ""));
}

#[test]
fn dead_host_ends_ask() {
    let world = TestWorld::new();
    let mut host = world.sayso(["hook", "claude-code"]).by_shell("\"$0\" \"$@\"; :").start_piped();
    host.write(bash().to_string().as_bytes());
    host.end_input();
    let ask = world.wait_for_ask(|ask| ask.outcome().is_none());
    assert!(host.kill_9());
    world.wait_for_ask(|now| now.id == ask.id && now.outcome().is_some());
    assert_eq!(end_of(&world, &ask.id.to_string()), json!("host_ended"));
}

#[test]
fn stopped_hook_gives_ask_back() {
    let world = TestWorld::new();
    let (hook, id) = open_ask(&world, &bash(), "claude-code");
    // Claude Code stops its hook when its dialog is closed, and when the hook's time is over.
    signal(hook.pid, "TERM");
    assert_eq!(hook.wait().parts(), (0, "", ""));
    assert_eq!(end_of(&world, &id), json!("given_back"));
}

#[test]
fn ask_of_killed_hook_is_swept() {
    let world = TestWorld::new();
    let (hook, id) = open_ask(&world, &bash(), "claude-code");
    kill_9(hook.pid);
    hook.wait();
    let mut event = call_event("PermissionRequest", "Bash", &json!({ "command": "touch y" }));
    event["session_id"] = json!("restarted");
    let next = start_hook(&world, "claude-code", &event);
    world.wait_for_ask(|ask| ask.id.to_string() == id && ask.outcome().is_some());
    assert_eq!(end_of(&world, &id), json!("host_ended"));
    assert!(next.is_running());
}

#[test]
fn parallel_calls_are_separate_asks() {
    let world = TestWorld::new();
    let first = start_hook(&world, "claude-code", &bash());
    let id = world.first_ask().1;
    let second = start_hook(&world, "claude-code", &bash());
    world.wait_for_ask(|ask| ask.id.to_string() != id);
    assert!(first.is_running() && second.is_running());
}

#[test]
fn faults_leave_host_alone() {
    let world = TestWorld::new();
    for input in ["", "{", "[]", "null", "{\"session_id\":7}", "{\"hook_event_name\":\"PermissionRequest\"}"]
    {
        let ended = world.sayso(["hook", "claude-code"]).run_with(input);
        assert_eq!(ended.parts(), (0, "", ""), "{input}");
    }
    // A desk that can't be opened.
    world.write("data/sayso/desk.db", "this is no desk");
    let ended = world.sayso(["hook", "claude-code"]).run_with(bash().to_string());
    assert_eq!(ended.parts(), (0, "", ""));
    world.write("config/sayso/config.toml", "broken = ");
    let ended = world.sayso(["hook", "claude-code"]).run_with(bash().to_string());
    assert_eq!(ended.parts(), (0, "", ""));
}

#[test]
fn end_of_reading_opens_no_desk() {
    let mut world = TestWorld::new();
    world.set_var("SAYSO_LOG", "warn");
    // A desk that can't be opened tells by a fault that it was to be.
    world.write("data/sayso/desk.db", "no desk");
    let faults = |world: &TestWorld, event: &str, tool: &str| {
        let event = call_event(event, tool, &json!({ "file_path": "/srv/a" }));
        let ended = world.sayso(["hook", "claude-code"]).run_with(event.to_string());
        assert_eq!((ended.exit, ended.stdout.as_str()), (0, ""), "{ended:?}");
        ended.stderr
    };
    for event in ["PostToolUse", "PostToolUseFailure"] {
        for tool in ["Read", "Grep", "Glob"] {
            assert_eq!(faults(&world, event, tool), "", "{event} {tool}");
        }
        assert_ne!(faults(&world, event, "Edit"), "");
    }
    // What comes to the desk since a setting names it, ends there too.
    world.write("config/sayso/config.toml", "[hooks]\ntools = [\"Read\"]\n");
    assert_ne!(faults(&world, "PostToolUse", "Read"), "");
    assert_eq!(faults(&world, "PostToolUse", "Edit"), "");
}
