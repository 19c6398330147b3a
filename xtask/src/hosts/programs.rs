//! The hosts: where each comes from, what it reads, and how it is started without anybody in front of it. A new host is
//! one row in [`HOSTS`].

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use serde_json::{Value, json};

use super::fronts::FrontKind;
use super::stage::Stage;

/// A program that runs agents.
#[derive(Debug, Clone, Copy)]
pub(super) struct Host {
    pub(super) name: &'static str,
    /// Its npm package.
    pub(super) package: &'static str,
    pub(super) version: &'static str,
    /// The oldest version that was found to pass.
    pub(super) oldest: &'static str,
    /// Path of the program in the folder of packages.
    pub(super) program: &'static str,
    /// Its tool that runs a command, if a permission for it can be asked for without a terminal.
    pub(super) shell_tool: Option<&'static str>,
    /// Command that runs it with its dialogs open, if that is known.
    pub(super) front: Option<FrontKind>,
    /// Writes what it reads, and says how it is started with a prompt.
    start: fn(&Stage, &Path, &str, &str) -> anyhow::Result<Command>,
}

/// All that are known.
pub(super) const HOSTS: &[Host] = &[
    Host {
        name: "claude-code",
        package: "@anthropic-ai/claude-code",
        version: "2.1.332",
        oldest: "2.1.169",
        program: "@anthropic-ai/claude-code-linux-x64/claude",
        shell_tool: Some("Bash"),
        front: Some(FrontKind::ClaudeCode),
        start: claude_code,
    },
    Host {
        name: "codex",
        package: "@openai/codex",
        version: "0.169.0",
        oldest: "0.154.0",
        program: "@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex",
        // `codex exec` never asks.
        shell_tool: None,
        front: Some(FrontKind::Codex),
        start: codex,
    },
    Host {
        name: "copilot",
        package: "@github/copilot",
        version: "1.0.102",
        oldest: "1.0.34",
        program: "@github/copilot-linux-x64/copilot",
        shell_tool: Some("bash"),
        front: Some(FrontKind::Copilot),
        start: copilot,
    },
    Host {
        name: "opencode",
        package: "opencode-ai",
        version: "1.18.33",
        oldest: "1.17.18",
        program: "opencode-linux-x64/bin/opencode",
        // `opencode run` rejects each permission by itself.
        shell_tool: None,
        front: Some(FrontKind::OpenCode),
        start: opencode,
    },
    Host {
        name: "gemini",
        package: "@google/gemini-cli",
        version: "0.61.0",
        // 0.39.1 did not ask.
        oldest: "0.61.0",
        program: "@google/gemini-cli/bundle/gemini.js",
        // Its hooks cannot allow anything.
        shell_tool: None,
        front: None,
        start: gemini,
    },
];

impl Host {
    /// The host in each of its versions, the newest first.
    pub(super) fn versions(self) -> impl Iterator<Item = Self> {
        let older = (self.oldest != self.version).then_some(Self { version: self.oldest, ..self });
        std::iter::once(self).chain(older)
    }

    /// A command that starts it with a prompt and a model.
    pub(super) fn command(
        &self,
        packages: &Path,
        stage: &Stage,
        model: &str,
        prompt: &str,
    ) -> anyhow::Result<Command> {
        (self.start)(stage, &packages.join(self.program), model, prompt)
    }
}

fn milliseconds(limit: Duration) -> u128 {
    limit.as_millis()
}

fn claude_code(stage: &Stage, program: &Path, model: &str, prompt: &str) -> anyhow::Result<Command> {
    let mut command = stage.host(program);
    command.args(["-p", prompt]);
    if stage.is_set_up() {
        // In its own mode it judges commands itself.
        command.args(["--permission-mode", "default"]);
    } else {
        let (server, arguments) = stage.server();
        let servers = json!({ "mcpServers": { "sayso": { "command": server, "args": arguments } } });
        let servers = stage.write("mcp.json", &servers.to_string())?;
        command.args(["--strict-mcp-config", "--mcp-config"]).arg(servers);
        command.args(["--allowedTools", "mcp__sayso"]);
    }
    command.envs([("ANTHROPIC_BASE_URL", model), ("ANTHROPIC_API_KEY", "stand-in")]);
    command.envs([("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"), ("DISABLE_AUTOUPDATER", "1")]);
    if let Some(limit) = stage.limit {
        command.env("MCP_TOOL_TIMEOUT", milliseconds(limit).to_string());
    }
    Ok(command)
}

fn codex(stage: &Stage, program: &Path, model: &str, prompt: &str) -> anyhow::Result<Command> {
    let (server, arguments) = stage.server();
    let limit = stage.limit.map_or(120, |limit| limit.as_secs());
    // JSON's texts and lists are TOML's too.
    let (server, arguments) = (json!(server), json!(arguments));
    let config = format!(
        "model = \"stand-in\"\nmodel_provider = \"stand-in\"\napproval_policy = \"never\"\n\n\
         [model_providers.stand-in]\nname = \"stand-in\"\nbase_url = \"{model}/v1\"\nwire_api = \"responses\"\n\n\
         [mcp_servers.sayso]\ncommand = {server}\nargs = {arguments}\ntool_timeout_sec = {limit}\n"
    );
    stage.write("home/.codex/config.toml", &config)?;
    let mut command = stage.host(program);
    command.args(["exec", "--skip-git-repo-check", prompt]);
    Ok(command)
}

fn copilot(stage: &Stage, program: &Path, model: &str, prompt: &str) -> anyhow::Result<Command> {
    let mut command = stage.host(program);
    command.args(["-p", prompt]);
    if !stage.is_set_up() {
        let (server, arguments) = stage.server();
        let mut entry = json!({ "type": "local", "command": server, "args": arguments, "tools": ["*"] });
        limit(&mut entry, stage);
        let servers = json!({ "mcpServers": { "sayso": entry } });
        stage.write("home/.copilot/mcp-config.json", &servers.to_string())?;
        command.args(["--allow-tool", "sayso"]);
    }
    command.envs([("COPILOT_PROVIDER_BASE_URL", model), ("COPILOT_PROVIDER_TYPE", "anthropic")]);
    command.envs([("COPILOT_PROVIDER_API_KEY", "stand-in"), ("COPILOT_MODEL", "stand-in")]);
    Ok(command)
}

fn opencode(stage: &Stage, program: &Path, model: &str, prompt: &str) -> anyhow::Result<Command> {
    stage.write("work/opencode.json", &opencode_config(model).to_string())?;
    if !stage.is_set_up() {
        let (server, arguments) = stage.server();
        let line: Vec<String> = std::iter::once(server).chain(arguments).collect();
        let mut entry = json!({ "type": "local", "command": line, "enabled": true });
        limit(&mut entry, stage);
        let servers = json!({ "mcp": { "sayso": entry } });
        stage.write("home/.config/opencode/opencode.json", &servers.to_string())?;
    }
    let mut command = stage.host(program);
    command.args(["run", "--model", "stand-in/stand-in", prompt]);
    command.envs(OPENCODE_OFFLINE);
    Ok(command)
}

fn gemini(stage: &Stage, program: &Path, model: &str, prompt: &str) -> anyhow::Result<Command> {
    let (server, arguments) = stage.server();
    let mut entry = json!({ "command": server, "args": arguments, "trust": true });
    limit(&mut entry, stage);
    let settings = json!({
        "security": { "auth": { "selectedType": "gemini-api-key" } },
        "privacy": { "usageStatisticsEnabled": false },
        "general": { "enableAutoUpdate": false },
        "mcpServers": { "sayso": entry },
    });
    stage.write("home/.gemini/settings.json", &settings.to_string())?;
    let mut command = stage.host(program);
    command.args(["--model", "stand-in", "-p", prompt]);
    command.envs([("GOOGLE_GEMINI_BASE_URL", model), ("GEMINI_API_KEY", "stand-in")]);
    command.env("GEMINI_CLI_TRUST_WORKSPACE", "true");
    Ok(command)
}

/// Variables with which OpenCode starts at once without a network: it installs what plugins import by npm, and waits.
pub(super) const OPENCODE_OFFLINE: [(&str, &str); 2] =
    [("OPENCODE_DISABLE_MODELS_FETCH", "1"), ("npm_config_fetch_retries", "0")];

/// File that OpenCode reads in the folder that it works in.
pub(super) fn opencode_config(model: &str) -> Value {
    let provider = json!({ "npm": "@ai-sdk/anthropic", "models": { "stand-in": {} },
        "options": { "baseURL": format!("{model}/v1"), "apiKey": "stand-in" } });
    json!({ "provider": { "stand-in": provider }, "permission": { "bash": "ask" },
        "autoupdate": false, "share": "disabled" })
}

/// Says the host's limit in an entry that has it in milliseconds.
fn limit(entry: &mut Value, stage: &Stage) {
    if let (Some(limit), Some(entry)) = (stage.limit, entry.as_object_mut()) {
        entry.insert("timeout".to_owned(), json!(milliseconds(limit)));
    }
}
