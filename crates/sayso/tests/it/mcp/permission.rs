//! Tests of the permission prompt tool, which Claude Code calls in runs without a dialog.

use crate::hooks::event::{answer, call_event, database_question, decline, start_hook};
use crate::mcp::host::{LEGACY, McpHost};
use crate::support::test_world::TestWorld;
use serde_json::{Value, json};

/// Starts the server as `claude -p --permission-prompt-tool mcp__desk__permission` does.
fn host(world: &TestWorld) -> McpHost {
    let call = world.sayso(["mcp", "--tools", "permission"]).env("CLAUDE_CODE_SESSION_ID", "s1");
    McpHost::with_name("claude-code", call, LEGACY[1], &json!({}))
}

fn begin(host: &mut McpHost, tool: &str, input: &Value) -> u64 {
    host.begin("permission", &json!({ "tool_name": tool, "input": input, "tool_use_id": "toolu_1" }))
}

/// Returns the decision of a call.
fn decision(host: &mut McpHost, call: u64) -> Value {
    let result = host.response(call)["result"].clone();
    assert!(result.get("isError").is_none(), "{result}");
    serde_json::from_str(result["content"][0]["text"].as_str().unwrap()).unwrap()
}

#[test]
fn prompt_tool_allows_and_denies() {
    let world = TestWorld::new();
    world.allow_scripted_answers();
    let mut host = host(&world);
    let tools = host.request("tools/list", json!({}))["result"]["tools"].clone();
    assert_eq!(tools.as_array().unwrap().len(), 1, "{tools}");
    let input = json!({ "command": "rm -rf /srv/data", "description": "Clean up" });
    let call = begin(&mut host, "Bash", &input);
    let shown = world.show(&world.first_ask().1);
    assert_eq!(shown["questionnaire"]["action"]["act"]["shell"]["command"], "rm -rf /srv/data", "{shown}");
    answer(&world, &json!({ "allow": true }));
    assert_eq!(decision(&mut host, call), json!({ "behavior": "allow", "updatedInput": input }));
    let call = begin(&mut host, "Bash", &input);
    decline(&world, "not on a Friday");
    assert_eq!(decision(&mut host, call), json!({ "behavior": "deny", "message": "not on a Friday" }));
}

#[test]
fn hook_steps_back_for_prompt_tool() {
    let input = json!({ "command": "touch x" });
    let mut event = call_event("PermissionRequest", "Bash", &input);
    event["session_id"] = json!("s1");
    for is_hook_first in [true, false] {
        let world = TestWorld::new();
        world.allow_scripted_answers();
        let mut host = host(&world);
        let start = || start_hook(&world, "claude-code", &event);
        let early = is_hook_first.then(|| (start(), world.first_ask()).0);
        let call = begin(&mut host, "Bash", &input);
        let is_of_tool = |ask: &sayso_core::Ask| sayso_dialects::hook::is_of_prompt_tool(ask);
        let asked = world.wait_for_ask(|ask| is_of_tool(ask) && ask.outcome().is_none());
        assert_eq!(early.unwrap_or_else(start).wait().parts(), (0, "", ""));
        assert_eq!(world.show(&asked.id.to_string())["state"], "open");
        answer(&world, &json!({ "allow": true }));
        assert_eq!(decision(&mut host, call)["behavior"], "allow");
    }
}

#[test]
fn prompt_tool_answers_questions() {
    let world = TestWorld::new();
    world.allow_scripted_answers();
    let mut host = host(&world);
    let call = begin(&mut host, "AskUserQuestion", &database_question());
    answer(&world, &json!({ "q0": "Mongo" }));
    let mut answered = database_question();
    answered["answers"] = json!({ "Which database?": "Mongo" });
    assert_eq!(decision(&mut host, call), json!({ "behavior": "allow", "updatedInput": answered }));
}

#[test]
fn own_tools_need_no_permission() {
    let world = TestWorld::new();
    let mut host = host(&world);
    let call = begin(&mut host, "mcp__sayso__ask", &json!({ "questions": [] }));
    assert_eq!(decision(&mut host, call)["behavior"], "allow");
    assert!(!world.desk_file().exists());
}

#[test]
fn interrupted_prompt_ends_its_ask() {
    let world = TestWorld::new();
    let input = json!({ "command": "touch x" });
    let mut cancelled = host(&world);
    let call = begin(&mut cancelled, "Bash", &input);
    let id = world.first_ask().1;
    cancelled.cancel(call);
    world.wait_for_ask(|ask| ask.id.to_string() == id && ask.outcome().is_some());
    assert_eq!(world.show(&id)["phase"]["settled"]["reason"], "session_ended");

    begin(&mut cancelled, "Bash", &input);
    let open = world.wait_for_ask(|ask| ask.outcome().is_none()).id.to_string();
    cancelled.end();
    let ended = world.show(&open);
    assert_eq!(ended["state"], "cancelled", "{ended}");
}

#[test]
fn silent_prompt_is_no_denial() {
    let world = TestWorld::new();
    let call = world.sayso(["mcp", "--tools", "permission", "--hold", "1ms"]);
    let mut host = McpHost::with_name("claude-code", call, LEGACY[1], &json!({}));
    let call = begin(&mut host, "Bash", &json!({ "command": "touch x" }));
    let result = host.response(call)["result"].clone();
    assert_eq!(result["isError"], true, "{result}");
    assert_eq!(world.show(&world.first_ask().1)["state"], "cancelled");
}
