//! Scenes in which a setting of the host's own keeps it from asking at the desk. `sayso setup --check` must name the
//! setting, and the host must go on alone.

use std::fs;

use anyhow::{Context, bail};

use super::dialogs::PERMISSION;
use super::own_tools::{NO_TOOLS, ask};
use super::{Scene, SceneRun};
use crate::hosts::host::Host;
use crate::hosts::interfaces::DialogChoice;
use crate::hosts::sandbox::poll_until;

/// All scenes, in the order in which they are run.
pub(super) const SCENES: &[Scene] = &[
    Scene { name: "hooks switched off", run: without_hooks, fits: has_hooks, ..PERMISSION },
    Scene { name: "prompts switched off", run: without_prompts, fits: has_prompts, ..PERMISSION },
    Scene { name: "our tools switched off", script: ask, run: without_tools, fits: has_tools, ..PERMISSION },
];

/// Setting of a host.
struct Switch {
    host: &'static str,
    file: &'static str,
    /// Text of the file that is replaced once.
    before: &'static str,
    after: &'static str,
    /// Name that `sayso setup --check` says.
    name: &'static str,
}

/// Settings with which no hook runs, and the host asks in its own dialog alone.
const HOOKS: [Switch; 3] = [
    Switch {
        host: "claude-code",
        file: "home/.claude/settings.json",
        before: "{",
        after: "{\"disableAllHooks\": true,",
        name: "disableAllHooks",
    },
    Switch {
        host: "codex",
        file: "home/.codex/config.toml",
        before: "[projects.",
        after: "[features]\nhooks = false\n\n[projects.",
        name: "features.hooks",
    },
    Switch {
        host: "codex",
        file: "home/.codex/config.toml",
        before: "[projects.",
        after: "[features]\ncodex_hooks = false\n\n[projects.",
        name: "features.codex_hooks",
    },
];

/// Settings with which the host asks no one for permission.
const PROMPTS: [Switch; 1] = [Switch {
    host: "codex",
    file: "home/.codex/config.toml",
    before: "\"on-request\"",
    after: "\"never\"",
    name: "approval_policy",
}];

/// Settings with which the model has no tools of ours.
const TOOLS: [Switch; 5] = [
    Switch {
        host: "claude-code",
        file: "home/.claude/settings.json",
        before: "\"permissions\": {",
        after: "\"permissions\": {\"deny\": [\"mcp__sayso\"],",
        name: "permissions.deny",
    },
    Switch {
        host: "codex",
        file: "home/.codex/config.toml",
        before: "[mcp_servers.sayso]\n",
        after: "[mcp_servers.sayso]\nenabled = false\n",
        name: "mcp_servers.sayso.enabled",
    },
    Switch {
        host: "opencode",
        file: "home/.config/opencode/opencode.json",
        before: "\"enabled\": true",
        after: "\"enabled\": false",
        name: "mcp.sayso.enabled",
    },
    Switch {
        host: "copilot",
        file: "home/.copilot/settings.json",
        before: "",
        after: "{\"disabledMcpServers\": [\"sayso\"]}",
        name: "disabledMcpServers",
    },
    Switch {
        host: "gemini",
        file: "home/.gemini/settings.json",
        before: "{",
        after: "{\"mcp\": {\"excluded\": [\"sayso\"]},",
        name: "mcp.excluded",
    },
];

fn has_hooks(host: &Host) -> bool {
    HOOKS.iter().any(|switch| switch.is_of(host))
}

fn has_prompts(host: &Host) -> bool {
    PROMPTS.iter().any(|switch| switch.is_of(host))
}

fn has_tools(host: &Host) -> bool {
    TOOLS.iter().any(|switch| switch.is_of(host))
}

fn without_hooks(run: &SceneRun<'_>) -> anyhow::Result<()> {
    let _inbox = run.sandbox.open_inbox()?;
    for switch in HOOKS.iter().filter(|switch| switch.is_of(run.host)) {
        run.prepare()?;
        switch.turn(run)?;
        let mut interface = run.start_prepared()?;
        interface.choose(DialogChoice::Allow).with_context(|| switch.name)?;
        run.wait_for_file()?;
        check_no_asks(run, switch)?;
        fs::remove_file(run.first_file())?;
    }
    Ok(())
}

fn without_prompts(run: &SceneRun<'_>) -> anyhow::Result<()> {
    let _inbox = run.sandbox.open_inbox()?;
    for switch in PROMPTS.iter().filter(|switch| switch.is_of(run.host)) {
        run.prepare()?;
        switch.turn(run)?;
        let _interface = run.start_prepared()?;
        poll_until("result of the command", || Ok(run.last_tool_result()))?;
        check_no_asks(run, switch)?;
    }
    Ok(())
}

fn without_tools(run: &SceneRun<'_>) -> anyhow::Result<()> {
    for switch in TOOLS.iter().filter(|switch| switch.is_of(run.host)) {
        if run.host.interface.is_some() {
            run.prepare()?;
            switch.turn(run)?;
            let mut interface = run.start_prepared()?;
            // The first request may be too early for any tools of servers.
            for _ in 0..2 {
                run.wait_for_result(NO_TOOLS)?;
                run.forget_results();
                interface.submit("Ask the person again.")?;
            }
            run.wait_for_result(NO_TOOLS)?;
        } else {
            run.sandbox.set_up(run.host.name)?;
            switch.turn(run)?;
            run.start_with(|_| switch.edit(run))?.ends()?;
            run.wait_for_result(NO_TOOLS)?;
        }
        check_no_asks(run, switch)?;
    }
    Ok(())
}

fn check_no_asks(run: &SceneRun<'_>, switch: &Switch) -> anyhow::Result<()> {
    match run.sandbox.asks_if_any()?.len() {
        0 => Ok(()),
        count => bail!("{}: {count} asks came to the desk", switch.name),
    }
}

impl Switch {
    fn is_of(&self, host: &Host) -> bool {
        self.host == host.name && !host.has_second_interface()
    }

    /// Changes the setting, and checks that setup names it.
    fn turn(&self, run: &SceneRun<'_>) -> anyhow::Result<()> {
        self.edit(run)?;
        let said = run.sandbox.check_setup(run.host.name)?;
        if !said.contains(self.name) {
            bail!("`sayso setup --check` does not name {}: {said}", self.name);
        }
        Ok(())
    }

    fn edit(&self, run: &SceneRun<'_>) -> anyhow::Result<()> {
        let text = fs::read_to_string(run.sandbox.path(self.file)).unwrap_or_default();
        if !text.contains(self.before) {
            bail!("{} has no {}: {text}", self.file, self.before);
        }
        run.sandbox.write(self.file, &text.replacen(self.before, self.after, 1)).map(drop)
    }
}
