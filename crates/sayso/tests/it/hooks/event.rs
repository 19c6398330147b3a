//! Events in the shapes in which Claude Code 2.1.331 and Codex 0.169.0 write them to their hooks. They are made by hand
//! from notes about these versions, and are no recordings.

use crate::support::program::TestProgram;
use crate::support::test_world::TestWorld;
use serde_json::{Value, json};

/// Session of the events.
pub(crate) const SESSION: &str = "0b0c1a3e-59d1-4d0c-8f0c-5f3c7a4de901";

/// Returns an event about a tool call in Claude Code.
pub(crate) fn call_event(name: &str, tool: &str, input: &Value) -> Value {
    let mut event = session_event(name);
    event["tool_name"] = tool.into();
    event["tool_input"] = input.clone();
    event
}

/// Returns an event of a whole session.
pub(crate) fn session_event(name: &str) -> Value {
    json!({
        "session_id": SESSION,
        "transcript_path": "/home/ada/.claude/projects/-srv/0b0c1a3e.jsonl",
        "cwd": "/srv",
        "prompt_id": "5f2d7c6e-1f8e-4a53-a1f2-92b1f5a7a4c1",
        "permission_mode": "default",
        "hook_event_name": name,
    })
}

/// Returns the input of Claude Code's question tool.
pub(crate) fn database_question() -> Value {
    json!({ "questions": [{
        "question": "Which database?",
        "header": "Database",
        "options": [
            { "label": "Postgres", "description": "Relational" },
            { "label": "Mongo", "description": "Documents" },
        ],
        "multiSelect": false,
    }] })
}

/// Starts the hook with an event.
pub(crate) fn start_hook(world: &TestWorld, host: &str, event: &Value) -> TestProgram {
    let mut hook = world.sayso(["hook", host]).start_piped();
    hook.write(event.to_string().as_bytes());
    hook.end_input();
    hook
}

/// Runs the hook with an event to its end, and checks that it succeeds silently.
pub(crate) fn report_event(world: &TestWorld, host: &str, event: &Value) {
    let ended = world.sayso(["hook", host]).run_with(event.to_string());
    assert_eq!(ended.parts(), (0, "", ""), "{event}");
}

/// Answers the first open ask as a person's program does.
pub(crate) fn answer(world: &TestWorld, answers: &Value) -> String {
    let ask = world.wait_for_ask(|ask| ask.outcome().is_none());
    let id = ask.id.to_string();
    let ended = world.sayso(["answer", &id, "--answers", &answers.to_string()]).run();
    assert_eq!(ended.exit, 0, "{ended:?}");
    id
}

/// Declines the first open ask with a reason.
pub(crate) fn decline(world: &TestWorld, reason: &str) {
    let ask = world.wait_for_ask(|ask| ask.outcome().is_none());
    let ended = world.sayso(["answer", &ask.id.to_string(), "--decline", "--reason", reason]).run();
    assert_eq!(ended.exit, 3, "{ended:?}");
}

/// Returns the decision that the hook printed for Claude Code.
pub(crate) fn decision(hook: TestProgram) -> Value {
    let ended = hook.wait();
    assert_eq!((ended.exit, ended.stderr.as_str()), (0, ""), "{ended:?}");
    let printed: Value = serde_json::from_str(&ended.stdout).unwrap();
    assert_eq!(printed["hookSpecificOutput"]["hookEventName"], "PermissionRequest");
    printed["hookSpecificOutput"]["decision"].clone()
}
