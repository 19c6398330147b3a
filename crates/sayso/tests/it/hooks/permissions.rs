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
fn permission_has_the_readers_language() {
    let world = TestWorld::new();
    let _hook = start_hook(&world, "claude-code", &bash("make"));
    let (_, id) = world.first_ask();
    let plan = call_event("PermissionRequest", "ExitPlanMode", &json!({ "plan": "1. Count." }));
    let _hook = start_hook(&world, "claude-code", &plan);
    world.wait_for_ask(|ask| ask.request.questionnaire.action.is_none());
    for (lang, sentence, title) in
        [("en", "Allow \"Bash\"?", "Go ahead with this plan?"), ("zh", "允许“Bash”吗？", "按此计划进行吗？")]
    {
        let shown = world.sayso(["show", "--lang", lang, &id]).run().stdout;
        // It is our sentence, so it has no mark of the agent's words.
        assert!(shown.lines().filter(|line| *line == sentence).count() == 2, "{shown}");
        let listed = world.sayso(["list", "--lang", lang]).run().stdout;
        assert!(listed.contains(title), "{listed}");
    }
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
fn plan_is_shown_from_its_file_and_accepted() {
    let world = TestWorld::new();
    world.allow_scripted_answers();
    let file = world.write("herons.md", "# Herons\n\n1. Count them\n");
    let input = json!({ "planFilePath": file });
    let hook = start_hook(&world, "claude-code", &call_event("PermissionRequest", "ExitPlanMode", &input));
    let (_, id) = world.first_ask();
    let shown = world.show(&id);
    assert_eq!(shown["questionnaire"]["context"], "# Herons\n\n1. Count them\n", "{shown}");
    assert_eq!(shown["questionnaire"]["action"], Value::Null);
    answer(&world, &json!({ "allow": true }));
    assert_eq!(decision(hook), json!({ "behavior": "allow", "updatedInput": input }));
}

#[test]
fn file_outside_the_folder_is_marked() {
    let world = TestWorld::new();
    let file = world.write("notes.txt", "old");
    let folder = world.write("work/a", "").parent().unwrap().to_owned();
    let mut event = call_event("PermissionRequest", "Write", &json!({ "file_path": file, "content": "new" }));
    event["cwd"] = json!(folder);
    let _hook = start_hook(&world, "claude-code", &event);
    let (_, id) = world.first_ask();
    let shown = world.sayso(["show", &id]).run().stdout;
    let (file, folder) = (file.display(), folder.display());
    let lines = format!(
        "It overwrites this file:\n| {file}\nIt is outside of the folder in which the agent works:\n| {folder}\n"
    );
    assert!(shown.contains(&lines), "{shown}");
}

#[test]
fn web_fetch_shows_its_prompt() {
    let world = TestWorld::new();
    let input = json!({ "url": "https://herons.example", "prompt": "Count the herons." });
    let _hook = start_hook(&world, "claude-code", &call_event("PermissionRequest", "WebFetch", &input));
    let (_, id) = world.first_ask();
    let shown = world.sayso(["show", &id]).run().stdout;
    assert!(shown.contains("The agent says:\n| Count the herons."), "{shown}");
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
    // Copilot has no list of tools that need no permission.
    let copilot = json!({ "sessionId": "s", "cwd": "/srv", "toolName": "sayso/ask", "toolArgs": {} });
    let allowed = world.sayso(["hook", "copilot", "permissionRequest"]).run_with(copilot.to_string());
    assert_eq!(allowed.parts(), (0, "{\"behavior\":\"allow\"}\n", ""));
    assert!(!world.desk_file().exists());
    let hook = start_hook(&world, "claude-code", &bash("sayso ask x; rm -rf /"));
    world.first_ask();
    assert!(hook.is_running());
}
