//! OpenCode: the MCP server, and a plugin that hands questions and permissions to `sayso hook opencode`.

use super::HostFolders;
use crate::commands::setup::change::{FileChange, FileContent, HostFile};
use sayso_core::wire::json;
use serde_json::json;
use std::path::{Path, PathBuf};

/// The plugin. OpenCode loads it from its folder at the start.
const PLUGIN: &str = include_str!("opencode_plugin.js");
/// Word of the plugin that stands for our program.
const PROGRAM: &str = "\"sayso\"; // set by sayso setup";
/// Milliseconds of a call of our tools, which wait for a person.
const TOOL_TIMEOUT_MS: u32 = 120_000;

pub(super) fn files(folders: &HostFolders) -> Vec<HostFile> {
    let folder = folders.config.join("opencode");
    let settings = settings_file(&folder);
    let server = json!({
        "type": "local",
        "command": [folders.program, "mcp"],
        "enabled": true,
        "timeout": TOOL_TIMEOUT_MS,
    });
    let plugin = PLUGIN.replace(PROGRAM, &format!("{};", json::write(&folders.program)));
    vec![
        HostFile {
            path: settings,
            content: FileContent::Json(vec![FileChange::member(vec!["mcp", "sayso"], server)]),
        },
        HostFile { path: folder.join("plugins/sayso.js"), content: FileContent::Whole(plugin) },
    ]
}

/// Returns the file for our server. OpenCode reads two, and creates the one with comments if both are missing; what an
/// earlier setup wrote stays in the other one.
fn settings_file(folder: &Path) -> PathBuf {
    let [plain, with_comments] = ["opencode.json", "opencode.jsonc"].map(|name| folder.join(name));
    let is_ours = std::fs::read_to_string(&plain).is_ok_and(|text| text.contains("\"sayso\""));
    if with_comments.exists() && !is_ours { with_comments } else { plain }
}
