//! The agents behind threads: package, command and configuration of each. A new agent is one row in [`AGENTS`].

use std::path::Path;

use serde_json::json;

use crate::conformance::NODE;
use crate::hosts::host::{COPILOT, GEMINI, OPENCODE, OPENCODE_OFFLINE, opencode_config};
use crate::hosts::package::NpmPackage;
use crate::hosts::sandbox::Sandbox;

/// Start of an agent, as `sayso agent` takes it.
pub(super) struct AgentLaunch {
    pub(super) command: Vec<String>,
    pub(super) variables: Vec<(&'static str, String)>,
}

/// All that the start of an agent depends on.
#[derive(Clone, Copy)]
pub(super) struct LaunchContext<'a> {
    pub(super) sandbox: &'a Sandbox,
    /// Folder of the agent's packages.
    pub(super) packages: &'a Path,
    /// Address of the simulated model.
    pub(super) model: &'a str,
}

/// Program that speaks the Agent Client Protocol, in one version.
#[derive(Debug, Clone, Copy)]
pub(in crate::hosts) struct ThreadAgent {
    pub(in crate::hosts) name: &'static str,
    pub(in crate::hosts) package: NpmPackage,
    /// True if its model has a tool that asks the person.
    pub(super) has_questions: bool,
    /// Writes its configuration, and returns its start.
    configure: fn(LaunchContext<'_>, &str) -> anyhow::Result<AgentLaunch>,
}

/// All agents.
pub(in crate::hosts) const AGENTS: &[ThreadAgent] = &[
    ThreadAgent {
        name: "claude-agent-acp",
        package: CLAUDE_AGENT,
        has_questions: true,
        configure: claude_agent,
    },
    ThreadAgent { name: "codex-acp", package: CODEX_AGENT, has_questions: true, configure: codex },
    ThreadAgent { name: "opencode-acp", package: OPENCODE, has_questions: true, configure: opencode },
    ThreadAgent { name: "copilot-acp", package: COPILOT, has_questions: true, configure: copilot },
    // With `--acp` it leaves out all tools with the name `ask_user`, also those of MCP servers.
    ThreadAgent { name: "gemini-acp", package: GEMINI, has_questions: false, configure: gemini },
];

const CLAUDE_AGENT: NpmPackage = NpmPackage {
    folder: "claude-agent-acp",
    name: "@agentclientprotocol/claude-agent-acp",
    version: "0.101.0",
    program: ".bin/claude-agent-acp",
    node: Some(NODE),
};
const CODEX_AGENT: NpmPackage = NpmPackage {
    folder: "codex-acp",
    name: "@agentclientprotocol/codex-acp",
    version: "2.6.0",
    program: ".bin/codex-acp",
    node: None,
};

impl ThreadAgent {
    /// Returns the agent in any version.
    pub(in crate::hosts) fn with_version(self, version: &str) -> Self {
        Self { package: self.package.with_version(version), ..self }
    }

    /// Writes its configuration, and returns its start.
    pub(super) fn launch(&self, context: LaunchContext<'_>) -> anyhow::Result<AgentLaunch> {
        let program = context.packages.join(self.package.program).display().to_string();
        (self.configure)(context, &program)
    }
}

fn claude_agent(context: LaunchContext<'_>, program: &str) -> anyhow::Result<AgentLaunch> {
    let LaunchContext { model, .. } = context;
    Ok(AgentLaunch {
        command: vec![program.to_owned()],
        variables: vec![
            ("ANTHROPIC_BASE_URL", model.to_owned()),
            ("ANTHROPIC_API_KEY", "stand-in".to_owned()),
            ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1".to_owned()),
            ("DISABLE_AUTOUPDATER", "1".to_owned()),
        ],
    })
}

fn codex(context: LaunchContext<'_>, program: &str) -> anyhow::Result<AgentLaunch> {
    let address = format!("{}/v1", context.model);
    let provider = json!({ "name": "stand-in", "base_url": address, "wire_api": "responses" });
    let config = json!({ "model": "stand-in", "model_provider": "stand-in",
        "model_providers": { "stand-in": provider } });
    let variables = vec![("CODEX_CONFIG", config.to_string())];
    Ok(AgentLaunch { command: vec![program.to_owned()], variables })
}

fn opencode(context: LaunchContext<'_>, program: &str) -> anyhow::Result<AgentLaunch> {
    let mut config = opencode_config(context.model);
    if let Some(config) = config.as_object_mut() {
        config.insert("model".to_owned(), json!("stand-in/stand-in"));
    }
    let offline = OPENCODE_OFFLINE.map(|(name, value)| (name, value.to_owned()));
    let config = ("OPENCODE_CONFIG_CONTENT", config.to_string());
    Ok(AgentLaunch {
        command: [program, "acp"].map(str::to_owned).into(),
        variables: offline.into_iter().chain([config]).collect(),
    })
}

fn copilot(context: LaunchContext<'_>, program: &str) -> anyhow::Result<AgentLaunch> {
    let variables = vec![
        ("COPILOT_PROVIDER_BASE_URL", context.model.to_owned()),
        ("COPILOT_PROVIDER_TYPE", "anthropic".to_owned()),
        ("COPILOT_PROVIDER_API_KEY", "stand-in".to_owned()),
        ("COPILOT_MODEL", "stand-in".to_owned()),
    ];
    Ok(AgentLaunch { command: [program, "--acp"].map(str::to_owned).into(), variables })
}

fn gemini(context: LaunchContext<'_>, program: &str) -> anyhow::Result<AgentLaunch> {
    let settings = json!({
        "security": { "auth": { "selectedType": "gemini-api-key" } },
        "privacy": { "usageStatisticsEnabled": false },
        "general": { "enableAutoUpdate": false },
    });
    let settings = context.sandbox.write("gemini.json", &settings.to_string())?;
    let variables = vec![
        ("GOOGLE_GEMINI_BASE_URL", context.model.to_owned()),
        ("GEMINI_API_KEY", "stand-in".to_owned()),
        ("GEMINI_CLI_TRUST_WORKSPACE", "true".to_owned()),
        ("GEMINI_CLI_SYSTEM_SETTINGS_PATH", settings.display().to_string()),
    ];
    let command = [program, "--acp", "--model", "stand-in"].map(str::to_owned).into();
    Ok(AgentLaunch { command, variables })
}
