//! Claude Code: the MCP server for the user, and the hooks.

use super::HostFolders;
use crate::commands::setup::change::{FileChange, FileContent, HostFile};
use serde_json::{Value, json};

/// Command of our hooks, by which older ones are found.
const MARKER: &str = "hook claude-code";
/// Rule that lets the agent call our tools without a prompt.
const ALLOW: &str = "mcp__sayso";
/// Seconds that a permission may wait for a person.
const REQUEST_TIMEOUT: u32 = 86_400;
/// Seconds of a hook that waits for no one.
const EVENT_TIMEOUT: u32 = 10;
/// Events about a tool call: it is asked about, or it has ended.
const CALL_EVENTS: [(&str, u32); 3] = [
    ("PermissionRequest", REQUEST_TIMEOUT),
    ("PostToolUse", EVENT_TIMEOUT),
    ("PostToolUseFailure", EVENT_TIMEOUT),
];
/// Events that end everything that a session or one of its agents asks.
const SESSION_EVENTS: [&str; 4] = ["UserPromptSubmit", "Stop", "SubagentStop", "SessionEnd"];

pub(super) fn files(folders: &HostFolders) -> Vec<HostFile> {
    let (state, settings) = match &folders.claude {
        Some(folder) => (folder.join(".claude.json"), folder.join("settings.json")),
        None => (folders.home.join(".claude.json"), folders.home.join(".claude/settings.json")),
    };
    let server = json!({ "type": "stdio", "command": folders.program, "args": ["mcp"] });
    let command = folders.command(MARKER);
    let hook = |timeout: u32| json!([{ "type": "command", "command": command, "timeout": timeout }]);
    let group = |event: &'static str, group: Value| FileChange::item(vec!["hooks", event], group, MARKER);
    let calls =
        CALL_EVENTS.map(|(event, timeout)| group(event, json!({ "matcher": "*", "hooks": hook(timeout) })));
    let sessions = SESSION_EVENTS.map(|event| group(event, json!({ "hooks": hook(EVENT_TIMEOUT) })));
    let allow = FileChange::item(vec!["permissions", "allow"], ALLOW.into(), ALLOW);
    vec![
        HostFile {
            path: state,
            content: FileContent::Json(vec![FileChange::member(vec!["mcpServers", "sayso"], server)]),
        },
        HostFile {
            path: settings,
            content: FileContent::Json(calls.into_iter().chain(sessions).chain([allow]).collect()),
        },
    ]
}
