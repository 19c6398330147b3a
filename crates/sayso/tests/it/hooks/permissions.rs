//! Tests of permission prompts of hosts.

use super::event::{SESSION, answer, call_event, decision, decline, report_event, start_hook};
use crate::inbox::person::open_inbox;
use crate::support::test_world::TestWorld;
use serde_json::{Value, json};

fn bash(command: &str) -> Value {
    call_event("PermissionRequest", "Bash", &json!({ "command": command, "description": "Clean up" }))
}

#[test]
fn permission_shows_exact_command() {
    let world = TestWorld::new();
    let hook = start_hook(&world, "claude-code", &bash("rm -rf /srv/data && echo gone"));
    let (_, id) = world.first_ask();
    let shown = world.show(&id);
    let action = json!({
        "tool": "Bash",
        "act": { "shell": { "command": "rm -rf /srv/data && echo gone", "folder": "/srv" } },
    });
    assert_eq!(shown["questionnaire"]["action"], action, "{shown}");
    assert_eq!(shown["presence"]["attached"]["process"]["pid"], hook.pid, "{shown}");
}

#[test]
fn permission_is_allowed_or_denied() {
    let world = TestWorld::new();
    world.allow_scripted_answers();
    let hook = start_hook(&world, "claude-code", &bash("touch x"));
    answer(&world, &json!({ "allow": true }));
    assert_eq!(decision(hook), json!({ "behavior": "allow" }));
    // The same command again is another permission.
    let hook = start_hook(&world, "claude-code", &bash("touch x"));
    decline(&world, "not on a Friday");
    assert_eq!(decision(hook), json!({ "behavior": "deny", "message": "not on a Friday" }));
}

#[test]
fn codex_and_copilot_wait_for_person() {
    let world = TestWorld::new();
    world.allow_scripted_answers();
    let event = json!({
        "session_id": SESSION, "turn_id": "t1", "cwd": "/srv", "hook_event_name": "PermissionRequest",
        "tool_name": "Bash", "tool_input": { "command": "touch x" },
    });
    report_event(&world, "codex", &event);
    report_event(&world, "copilot", &event);
    assert!(!world.desk_file().exists());
    // A person looks at the desk.
    let _inbox = open_inbox(&world);
    let hook = start_hook(&world, "codex", &event);
    answer(&world, &json!({ "allow": true }));
    assert_eq!(decision(hook), json!({ "behavior": "allow" }));
    let copilot =
        json!({ "sessionId": "s", "cwd": "/srv", "toolName": "bash", "toolArgs": "{\"command\":\"ls\"}" });
    let mut hook = world.sayso(["hook", "copilot", "permissionRequest"]).start_piped();
    hook.write(copilot.to_string().as_bytes());
    hook.end_input();
    decline(&world, "no");
    assert_eq!(hook.wait().parts(), (0, "{\"behavior\":\"deny\",\"message\":\"no\"}\n", ""));
}

#[test]
fn hook_gives_way_after_limit() {
    let world = TestWorld::new();
    world.write("config/sayso/config.toml", "[hooks]\ngive_way_seconds = 0\n");
    world.write("data/sayso/desk.db.person", "");
    let event = bash("touch x");
    report_event(&world, "codex", &event);
    let (_, id) = world.first_ask();
    assert_eq!(world.show(&id)["state"], "cancelled");
}

#[test]
fn settings_choose_tools() {
    let world = TestWorld::new();
    let read = call_event("PermissionRequest", "Read", &json!({ "file_path": "/etc/passwd" }));
    report_event(&world, "claude-code", &read);
    world.write("config/sayso/config.toml", "[hooks]\ntools = [\"Read\"]\n");
    report_event(&world, "claude-code", &bash("touch x"));
    assert!(!world.desk_file().exists());
    let hook = start_hook(&world, "claude-code", &read);
    world.first_ask();
    assert!(hook.is_running());
}

#[test]
fn own_calls_are_passed_over() {
    let world = TestWorld::new();
    for event in [
        bash("sayso ask '{\"questions\":[]}'"),
        call_event("PermissionRequest", "mcp__sayso__ask", &json!({ "questions": [] })),
        call_event("PostToolUse", "mcp__sayso__ask", &json!({ "questions": [] })),
    ] {
        report_event(&world, "claude-code", &event);
    }
    assert!(!world.desk_file().exists());
    let hook = start_hook(&world, "claude-code", &bash("sayso ask x; rm -rf /"));
    world.first_ask();
    assert!(hook.is_running());
}
