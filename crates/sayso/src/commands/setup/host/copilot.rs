//! Copilot CLI: the MCP server, and a file of hooks.

use super::HostFolders;
use crate::commands::setup::change::{FileChange, FileContent, HostFile};
use serde_json::json;

/// Seconds of a permission: Copilot shows nothing meanwhile, so the hook gives way earlier.
const REQUEST_TIMEOUT: u32 = 600;
/// Seconds of a hook that waits for no one.
const EVENT_TIMEOUT: u32 = 10;
/// Milliseconds of a call of our tools, which wait for a person.
const TOOL_TIMEOUT_MS: u32 = 180_000;
/// Events, each with its time.
const EVENTS: [(&str, u32); 5] = [
    ("permissionRequest", REQUEST_TIMEOUT),
    ("postToolUse", EVENT_TIMEOUT),
    ("userPromptSubmitted", EVENT_TIMEOUT),
    ("agentStop", EVENT_TIMEOUT),
    ("sessionEnd", EVENT_TIMEOUT),
];

pub(super) fn files(folders: &HostFolders) -> Vec<HostFile> {
    let folder = folders.home.join(".copilot");
    let server = json!({
        "type": "local",
        "command": folders.program,
        "args": ["mcp"],
        "tools": ["*"],
        "timeout": TOOL_TIMEOUT_MS,
    });
    let mut hooks = serde_json::Map::new();
    for (event, timeout) in EVENTS {
        // Copilot takes a hook that was killed for a no.
        let command = folders.command(&format!("hook copilot {event} || true"));
        let hook = json!([{ "type": "command", "bash": command, "timeoutSec": timeout }]);
        hooks.insert(event.to_owned(), hook);
    }
    let hooks = json!({ "version": 1, "hooks": hooks });
    vec![
        HostFile {
            path: folder.join("mcp-config.json"),
            content: FileContent::Json(vec![FileChange::member(vec!["mcpServers", "sayso"], server)]),
        },
        HostFile {
            path: folder.join("hooks/sayso.json"),
            content: FileContent::Whole(format!("{hooks:#}\n")),
        },
    ]
}
