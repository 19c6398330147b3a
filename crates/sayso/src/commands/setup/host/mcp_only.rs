//! Programs that get the MCP server alone: their hooks cannot answer for a person.

use super::HostFolders;
use crate::commands::setup::change::{FileChange, FileContent, HostFile};
use serde_json::json;

/// Milliseconds of a call of our tools in Gemini CLI.
const GEMINI_TIMEOUT_MS: u32 = 600_000;

/// Seconds of a call of our tools in pi.
const PI_TIMEOUT: u32 = 600;

/// Returns the file of Gemini CLI. `trust` lets the agent call our tools without a prompt.
pub(super) fn gemini(folders: &HostFolders) -> Vec<HostFile> {
    let server =
        json!({ "command": folders.program, "args": ["mcp"], "timeout": GEMINI_TIMEOUT_MS, "trust": true });
    one_file(folders.home.join(".gemini/settings.json"), "mcpServers", server)
}

/// Returns the file of Cursor.
pub(super) fn cursor(folders: &HostFolders) -> Vec<HostFile> {
    let server = json!({ "command": folders.program, "args": ["mcp"] });
    one_file(folders.home.join(".cursor/mcp.json"), "mcpServers", server)
}

/// Returns the file of VS Code for the user.
pub(super) fn vscode(folders: &HostFolders) -> Vec<HostFile> {
    let server = json!({ "type": "stdio", "command": folders.program, "args": ["mcp"] });
    let mac = folders.home.join("Library/Application Support");
    let settings = if cfg!(target_os = "macos") { &mac } else { &folders.config };
    one_file(settings.join("Code/User/mcp.json"), "servers", server)
}

/// Returns the file of pi. Its tools are declared to the model at once: otherwise an agent has to search for them.
pub(super) fn pi(folders: &HostFolders) -> Vec<HostFile> {
    let server = json!({
        "command": folders.program,
        "args": ["mcp"],
        "timeout": PI_TIMEOUT,
        "exposure": "direct",
    });
    let folder = folders.pi.clone().unwrap_or_else(|| folders.home.join(".pi/agent"));
    one_file(folder.join("mcp.json"), "mcpServers", server)
}

fn one_file(path: std::path::PathBuf, servers: &'static str, server: serde_json::Value) -> Vec<HostFile> {
    let change = FileChange::member(vec![servers, "sayso"], server);
    vec![HostFile { path, content: FileContent::Json(vec![change]) }]
}
