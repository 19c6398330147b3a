//! The hosts: package, versions, configuration and start of each. A new host is one row in [`HOSTS`].

use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use super::interfaces::InterfaceKind;
use super::package::NpmPackage;
use super::sandbox::Sandbox;

/// Program that runs agents, in one version.
#[derive(Debug, Clone, Copy)]
pub(super) struct Host {
    pub(super) name: &'static str,
    /// Its package, in the newest version that was run, or in the one of this run.
    pub(super) package: NpmPackage,
    /// Oldest version that passes, found by trying older ones.
    pub(super) oldest: &'static str,
    /// Oldest version whose hooks are asked for permission without a terminal too.
    permissions_without_terminal: Option<&'static str>,
    /// Interface with dialogs, if the scenes can use one.
    pub(super) interface: Option<InterfaceKind>,
    /// Another such interface. Only the scenes with dialogs are run with it.
    pub(super) second_interface: Option<InterfaceKind>,
    /// Writes its configuration, and returns the command that runs a prompt without a terminal.
    start: fn(&Sandbox, &Path, &str, &str) -> anyhow::Result<Command>,
}

pub(super) const CLAUDE_CODE: NpmPackage = NpmPackage {
    folder: "claude-code",
    name: "@anthropic-ai/claude-code",
    version: "2.1.332",
    program: "@anthropic-ai/claude-code-linux-x64/claude",
    node: None,
};
const CODEX: NpmPackage = NpmPackage {
    folder: "codex",
    name: "@openai/codex",
    version: "0.171.0",
    program: "@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex",
    node: None,
};
pub(super) const COPILOT: NpmPackage = NpmPackage {
    folder: "copilot",
    name: "@github/copilot",
    version: "1.0.102",
    program: "@github/copilot-linux-x64/copilot",
    node: None,
};
pub(super) const OPENCODE: NpmPackage = NpmPackage {
    folder: "opencode",
    name: "opencode-ai",
    version: "1.18.33",
    program: "opencode-linux-x64/bin/opencode",
    node: None,
};
pub(super) const GEMINI: NpmPackage = NpmPackage {
    folder: "gemini",
    name: "@google/gemini-cli",
    version: "0.61.0",
    program: "@google/gemini-cli/bundle/gemini.js",
    node: None,
};

/// All hosts.
pub(super) const HOSTS: &[Host] = &[
    Host {
        name: "claude-code",
        package: CLAUDE_CODE,
        oldest: "2.1.169",
        // Its changelog: "Fixed PermissionRequest hooks not firing in `--print` mode".
        permissions_without_terminal: Some("2.1.268"),
        interface: Some(InterfaceKind::ClaudeCode),
        second_interface: None,
        start: claude_code,
    },
    Host {
        name: "codex",
        package: CODEX,
        oldest: "0.156.0",
        // `codex exec` never asks for permission.
        permissions_without_terminal: None,
        interface: Some(InterfaceKind::Codex),
        second_interface: None,
        start: codex,
    },
    Host {
        name: "copilot",
        package: COPILOT,
        oldest: "1.0.34",
        permissions_without_terminal: Some("1.0.34"),
        interface: Some(InterfaceKind::Copilot),
        second_interface: None,
        start: copilot,
    },
    Host {
        name: "opencode",
        package: OPENCODE,
        oldest: "1.17.18",
        // `opencode run` rejects each permission by itself.
        permissions_without_terminal: None,
        interface: Some(InterfaceKind::OpenCode),
        second_interface: Some(InterfaceKind::OpenCodeScreen),
        start: opencode,
    },
    Host {
        name: "gemini",
        package: GEMINI,
        // 0.39.1 did not ask.
        oldest: "0.61.0",
        // Its hooks cannot allow anything.
        permissions_without_terminal: None,
        interface: None,
        second_interface: None,
        start: gemini,
    },
];

impl Host {
    /// Returns the host in its newest version, and in its oldest one unless only the newest is wanted.
    pub(super) fn versions(self, newest_only: bool) -> Vec<Self> {
        let has_older = !newest_only && self.oldest != self.package.version;
        let older = has_older.then(|| self.with_version(self.oldest));
        std::iter::once(self).chain(older).collect()
    }

    /// Returns the host in any version.
    pub(super) fn with_version(self, version: &str) -> Self {
        Self { package: self.package.with_version(version), ..self }
    }

    /// Returns true if this version asks its hooks for permission without a terminal.
    pub(super) fn asks_without_terminal(&self) -> bool {
        let numbers = |version: &str| version.split('.').map(|number| number.parse().ok()).collect();
        let version: Vec<Option<u32>> = numbers(self.package.version);
        self.permissions_without_terminal.is_some_and(|oldest| version >= numbers(oldest))
    }

    /// Returns the host with each of its interfaces.
    pub(super) fn with_each_interface(self) -> impl Iterator<Item = Self> {
        let second = self.second_interface.map(|interface| Self { interface: Some(interface), ..self });
        std::iter::once(self).chain(second)
    }

    /// Returns true if the host is run with its second interface.
    pub(super) fn has_second_interface(&self) -> bool {
        self.interface.is_some() && self.interface == self.second_interface
    }

    /// Returns the command that runs a prompt without a terminal, with the model at this address.
    pub(super) fn command(
        &self,
        packages: &Path,
        sandbox: &Sandbox,
        model: &str,
        prompt: &str,
    ) -> anyhow::Result<Command> {
        (self.start)(sandbox, &packages.join(self.package.program), model, prompt)
    }
}

fn claude_code(sandbox: &Sandbox, program: &Path, model: &str, prompt: &str) -> anyhow::Result<Command> {
    let mut command = sandbox.host(program);
    command.args(["-p", prompt]);
    if sandbox.is_set_up() {
        // In its default mode it allows commands by its own judgment, without a prompt.
        command.args(["--permission-mode", "default"]);
    } else {
        let (server, arguments) = sandbox.mcp_server();
        let servers = json!({ "mcpServers": { "sayso": { "command": server, "args": arguments } } });
        let servers = sandbox.write("mcp.json", &servers.to_string())?;
        command.args(["--strict-mcp-config", "--mcp-config"]).arg(servers);
        command.args(["--allowedTools", "mcp__sayso"]);
    }
    command.envs([("ANTHROPIC_BASE_URL", model), ("ANTHROPIC_API_KEY", "stand-in")]);
    command.envs([("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"), ("DISABLE_AUTOUPDATER", "1")]);
    if let Some(limit) = sandbox.limit {
        command.env("MCP_TOOL_TIMEOUT", limit.as_millis().to_string());
    }
    Ok(command)
}

fn codex(sandbox: &Sandbox, program: &Path, model: &str, prompt: &str) -> anyhow::Result<Command> {
    let (server, arguments) = sandbox.mcp_server();
    let limit = sandbox.limit.map_or(120, |limit| limit.as_secs());
    // Strings and lists of JSON are valid TOML.
    let (server, arguments) = (json!(server), json!(arguments));
    let config = format!(
        "model = \"stand-in\"\nmodel_provider = \"stand-in\"\napproval_policy = \"never\"\n\n\
         [model_providers.stand-in]\nname = \"stand-in\"\nbase_url = \"{model}/v1\"\nwire_api = \"responses\"\n\n\
         [mcp_servers.sayso]\ncommand = {server}\nargs = {arguments}\ntool_timeout_sec = {limit}\n"
    );
    sandbox.write("home/.codex/config.toml", &config)?;
    let mut command = sandbox.host(program);
    command.args(["exec", "--skip-git-repo-check", prompt]);
    Ok(command)
}

fn copilot(sandbox: &Sandbox, program: &Path, model: &str, prompt: &str) -> anyhow::Result<Command> {
    let mut command = sandbox.host(program);
    command.args(["-p", prompt]);
    if !sandbox.is_set_up() {
        let (server, arguments) = sandbox.mcp_server();
        let mut entry = json!({ "type": "local", "command": server, "args": arguments, "tools": ["*"] });
        set_limit(&mut entry, sandbox);
        let servers = json!({ "mcpServers": { "sayso": entry } });
        sandbox.write("home/.copilot/mcp-config.json", &servers.to_string())?;
        command.args(["--allow-tool", "sayso"]);
    }
    command.envs([("COPILOT_PROVIDER_BASE_URL", model), ("COPILOT_PROVIDER_TYPE", "anthropic")]);
    command.envs([("COPILOT_PROVIDER_API_KEY", "stand-in"), ("COPILOT_MODEL", "stand-in")]);
    Ok(command)
}

fn opencode(sandbox: &Sandbox, program: &Path, model: &str, prompt: &str) -> anyhow::Result<Command> {
    sandbox.write("work/opencode.json", &opencode_config(model).to_string())?;
    if !sandbox.is_set_up() {
        let (server, arguments) = sandbox.mcp_server();
        let line: Vec<String> = std::iter::once(server).chain(arguments).collect();
        let mut entry = json!({ "type": "local", "command": line, "enabled": true });
        set_limit(&mut entry, sandbox);
        let servers = json!({ "mcp": { "sayso": entry } });
        sandbox.write("home/.config/opencode/opencode.json", &servers.to_string())?;
    }
    let mut command = sandbox.host(program);
    command.args(["run", "--model", "stand-in/stand-in", prompt]);
    command.envs(OPENCODE_OFFLINE);
    Ok(command)
}

fn gemini(sandbox: &Sandbox, program: &Path, model: &str, prompt: &str) -> anyhow::Result<Command> {
    let (server, arguments) = sandbox.mcp_server();
    let mut entry = json!({ "command": server, "args": arguments, "trust": true });
    set_limit(&mut entry, sandbox);
    let settings = json!({
        "security": { "auth": { "selectedType": "gemini-api-key" } },
        "privacy": { "usageStatisticsEnabled": false },
        "general": { "enableAutoUpdate": false },
        "mcpServers": { "sayso": entry },
    });
    sandbox.write("home/.gemini/settings.json", &settings.to_string())?;
    let mut command = sandbox.host(program);
    command.args(["--model", "stand-in", "-p", prompt]);
    command.envs([("GOOGLE_GEMINI_BASE_URL", model), ("GEMINI_API_KEY", "stand-in")]);
    command.env("GEMINI_CLI_TRUST_WORKSPACE", "true");
    Ok(command)
}

/// Variables that let OpenCode start without a network. It downloads a list of models, and installs the package that
/// plugins import; each failed download would be retried for a minute.
pub(super) const OPENCODE_OFFLINE: [(&str, &str); 2] =
    [("OPENCODE_DISABLE_MODELS_FETCH", "1"), ("npm_config_fetch_retries", "0")];

/// Returns OpenCode's settings for its folder: the model, and that it asks before it runs a command.
pub(super) fn opencode_config(model: &str) -> Value {
    let provider = json!({ "npm": "@ai-sdk/anthropic", "models": { "stand-in": {} },
        "options": { "baseURL": format!("{model}/v1"), "apiKey": "stand-in" } });
    json!({ "provider": { "stand-in": provider }, "permission": { "bash": "ask", "edit": "ask", "webfetch": "ask" },
        "autoupdate": false, "share": "disabled" })
}

/// Sets the time limit of a call in a server's entry, in milliseconds.
fn set_limit(entry: &mut Value, sandbox: &Sandbox) {
    if let (Some(limit), Some(entry)) = (sandbox.limit, entry.as_object_mut()) {
        entry.insert("timeout".to_owned(), json!(limit.as_millis()));
    }
}
