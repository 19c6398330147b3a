//! What keeps a host from asking at the desk although setup has written its files: switches in the host's own
//! settings, and a program that is not found.

use super::{HostFolders, SetupHost};
use crate::commands::setup::change::split_byte_order_mark;
use crate::commands::setup::{json_document, toml_document};
use sayso_core::i18n::own;
use sayso_core::{LocalizedText, Message};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// Something that keeps a host from asking at the desk.
pub(in crate::commands::setup) struct Obstacle {
    pub(in crate::commands::setup) message: LocalizedText,
    /// True if nothing that setup wrote works; false if a part of it does.
    pub(in crate::commands::setup) is_fatal: bool,
}

/// Setting that switches off what setup wrote: the names of its members, and whether a value does it.
type Switch = (&'static [&'static str], fn(&Value) -> bool);

const CLAUDE_CODE: [Switch; 2] =
    [(&["disableAllHooks"], is_true), (&["permissions", "deny"], denies_our_tools)];
/// Switches that count in an administrator's file alone.
const MANAGED_ONLY: [Switch; 1] = [(&["allowManagedHooksOnly"], is_true)];
const CODEX: [Switch; 4] = [
    (&["features", "hooks"], is_false),
    (&["features", "codex_hooks"], is_false),
    (&["mcp_servers", "sayso", "enabled"], is_false),
    (&["approval_policy"], |value| value == "never"),
];
/// Copilot 1.0.102 documents `disableAllHooks`, and a `defaultPermissionMode` that allows all, but runs the user's hooks
/// all the same.
const COPILOT: [Switch; 1] = [(&["disabledMcpServers"], |servers| has_item(servers, "sayso"))];
const OPENCODE: [Switch; 1] = [(&["mcp", "sayso", "enabled"], is_false)];
const GEMINI: [Switch; 2] = [
    (&["mcp", "excluded"], |servers| has_item(servers, "sayso")),
    (&["mcp", "allowed"], |servers| servers.is_array() && !has_item(servers, "sayso")),
];

/// File in which an administrator sets what no user of Claude Code can change.
const MANAGED_CLAUDE_CODE: &str = "/etc/claude-code/managed-settings.json";
/// Modes of Claude Code in which it asks no person for permissions.
const MODES_WITHOUT_PROMPTS: [&str; 3] = ["auto", "bypassPermissions", "dontAsk"];
/// Mode in which Claude Code starts if no setting names one.
const AUTO_MODE: &str = "auto";

impl SetupHost {
    /// Returns what keeps this host from asking at the desk.
    pub(in crate::commands::setup) fn obstacles(self, folders: &HostFolders) -> Vec<Obstacle> {
        let mut obstacles = Vec::new();
        // The editors are started from a menu.
        if !matches!(self, Self::Cursor | Self::VsCode) && !folders.has_program(self) {
            let message = Message::SetupNotOnPath.with([own(self.display_name()), own(self.program_name())]);
            obstacles.push(Obstacle { message, is_fatal: false });
        }
        let mut documents = Vec::new();
        for (path, switches) in self.switches(folders) {
            let Some(document) = read(&path) else { continue };
            for (names, is_off) in switches {
                if let Some(value) = member(&document, names)
                    && is_off(value)
                {
                    let details = [own(self.display_name()), own(names.join(".")), own(path.display())];
                    obstacles
                        .push(Obstacle { message: Message::SetupSwitchedOff.with(details), is_fatal: true });
                }
            }
            documents.push(document);
        }
        if self == Self::ClaudeCode
            && let Some(mode) = mode_without_prompts(&documents)
        {
            let files = self.files(folders);
            let settings = files.last().map(|file| file.path.display().to_string()).unwrap_or_default();
            let message = Message::SetupNoPrompts.with([own(mode), own(settings)]);
            obstacles.push(Obstacle { message, is_fatal: false });
        }
        obstacles
    }

    /// Returns the files of settings, the weakest last, each with the settings in it that switch us off.
    fn switches(self, folders: &HostFolders) -> Vec<(PathBuf, &'static [Switch])> {
        let mut files: Vec<(PathBuf, &'static [Switch])> = Vec::new();
        let own_switches: &'static [Switch] = match self {
            Self::ClaudeCode => {
                files.push((MANAGED_CLAUDE_CODE.into(), &MANAGED_ONLY));
                files.push((MANAGED_CLAUDE_CODE.into(), &CLAUDE_CODE));
                &CLAUDE_CODE
            }
            Self::Codex => &CODEX,
            Self::Copilot => return vec![(folders.home.join(".copilot/settings.json"), &COPILOT)],
            Self::OpenCode => &OPENCODE,
            Self::Gemini => &GEMINI,
            Self::Cursor | Self::VsCode | Self::Pi => return files,
        };
        for file in self.files(folders) {
            files.push((file.path, own_switches));
        }
        files
    }
}

/// Returns the mode in which Claude Code starts, if it asks no person for permissions there. The files are the
/// strongest first.
fn mode_without_prompts(files: &[Value]) -> Option<String> {
    let find = |names: &[&str]| files.iter().find_map(|file| member(file, names)?.as_str());
    if let Some(mode) = find(&["permissions", "defaultMode"]) {
        return if MODES_WITHOUT_PROMPTS.contains(&mode) { Some(mode.to_owned()) } else { None };
    }
    let auto_mode = find(&["disableAutoMode"]).or(find(&["permissions", "disableAutoMode"]));
    if auto_mode == Some("disable") { None } else { Some(AUTO_MODE.to_owned()) }
}

/// Returns the content of a file; `None` if it does not exist or can't be parsed, which the plan reports.
fn read(path: &Path) -> Option<Value> {
    let text = std::fs::read_to_string(path).ok()?;
    let (_, text) = split_byte_order_mark(&text);
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("toml") => toml_document::read(text),
        _ => json_document::read(text),
    }
}

fn member<'v>(value: &'v Value, names: &[&str]) -> Option<&'v Value> {
    let mut value = value;
    for name in names {
        value = value.get(name)?;
    }
    Some(value)
}

fn is_true(value: &Value) -> bool {
    value == &Value::Bool(true)
}

fn is_false(value: &Value) -> bool {
    value == &Value::Bool(false)
}

fn has_item(list: &Value, text: &str) -> bool {
    list.as_array().is_some_and(|items| items.iter().any(|item| item == text))
}

/// Returns true if a list of Claude Code's rules has one for the tools of our server.
fn denies_our_tools(rules: &Value) -> bool {
    let is_ours =
        |rule: &str| matches!(rule, "*" | "mcp__*" | "mcp__sayso") || rule.starts_with("mcp__sayso__");
    rules.as_array().is_some_and(|rules| rules.iter().filter_map(Value::as_str).any(is_ours))
}
