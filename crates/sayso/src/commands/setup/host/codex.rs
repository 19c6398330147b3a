//! Codex CLI: the MCP server, and the hooks. Codex runs a hook only after its user has reviewed it.

use super::HostFolders;
use crate::commands::setup::change::{FileChange, FileContent, HostFile};
use serde_json::json;

/// Command of our hooks, by which older ones are found.
const MARKER: &str = "hook codex";
/// Seconds of a permission: Codex shows nothing meanwhile, so the hook gives way earlier.
const REQUEST_TIMEOUT: u32 = 600;
/// Seconds of a hook that waits for no one.
const EVENT_TIMEOUT: u32 = 10;
/// Seconds of a call of our tools, which wait for a person.
const TOOL_TIMEOUT: u32 = 120;

pub(super) fn files(folders: &HostFolders) -> Vec<HostFile> {
    let folder = folders.codex.clone().unwrap_or_else(|| folders.home.join(".codex"));
    let server = json!({
        "command": folders.program,
        "args": ["mcp"],
        "tool_timeout_sec": TOOL_TIMEOUT,
        "default_tools_approval_mode": "approve",
    });
    let group = |event: &'static str, timeout: u32| {
        let hook = json!({ "type": "command", "command": folders.command(MARKER), "timeout": timeout });
        FileChange::item(vec!["hooks", event], json!({ "matcher": "*", "hooks": [hook] }), MARKER)
    };
    let changes = vec![
        FileChange::member(vec!["mcp_servers", "sayso"], server),
        group("PermissionRequest", REQUEST_TIMEOUT),
        group("PostToolUse", EVENT_TIMEOUT),
        group("UserPromptSubmit", EVENT_TIMEOUT),
        group("Stop", EVENT_TIMEOUT),
        // Codex shortens a longer time to this one, with a warning.
        group("SessionEnd", 3),
    ];
    vec![HostFile { path: folder.join("config.toml"), content: FileContent::Toml(changes) }]
}
