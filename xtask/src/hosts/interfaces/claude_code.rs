//! Claude Code on its screen.

use serde_json::json;

use super::{DialogChoice, HostInterface, LaunchContext};
use crate::hosts::screen::Screen;

/// Writes the state of a user who has seen the welcome pages and trusts the folder.
pub(super) fn write_files(context: LaunchContext<'_>) -> anyhow::Result<()> {
    let work = context.sandbox.path("work").display().to_string();
    let state = json!({
        "hasCompletedOnboarding": true,
        "theme": "dark",
        "customApiKeyResponses": { "approved": ["stand-in"], "rejected": [] },
        "projects": { work: { "hasTrustDialogAccepted": true, "hasCompletedProjectOnboarding": true } },
    });
    context.sandbox.write("home/.claude.json", &state.to_string()).map(drop)
}

/// Starts Claude Code with a prompt.
pub(super) fn start(context: LaunchContext<'_>, prompt: &str) -> anyhow::Result<ClaudeCode> {
    let mut command = context.sandbox.host(context.program);
    // In its default mode it allows commands by its own judgment, without a prompt.
    command.args(["--permission-mode", "default", prompt]);
    command.envs([("ANTHROPIC_BASE_URL", context.model), ("ANTHROPIC_API_KEY", "stand-in")]);
    command.envs([("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"), ("DISABLE_AUTOUPDATER", "1")]);
    Ok(ClaudeCode(Screen::open(&command)?))
}

/// Running Claude Code.
pub(super) struct ClaudeCode(Screen);

/// Text that only the dialog of a choice shows.
fn dialog_text(choice: DialogChoice) -> &'static str {
    match choice {
        DialogChoice::SecondOption => "Enter to select",
        DialogChoice::Allow | DialogChoice::Deny => "Do you want to proceed?",
    }
}

impl HostInterface for ClaudeCode {
    fn choose(&mut self, choice: DialogChoice) -> anyhow::Result<()> {
        self.wait_for_dialog(choice)?;
        let keys = match choice {
            DialogChoice::SecondOption => "2",
            DialogChoice::Allow => "1",
            DialogChoice::Deny => "\x1b",
        };
        self.0.press_until_gone(keys, dialog_text(choice))
    }

    fn wait_for_dialog(&mut self, choice: DialogChoice) -> anyhow::Result<()> {
        self.0.wait_for(dialog_text(choice))
    }

    fn kill(&mut self) -> anyhow::Result<()> {
        self.0.kill()
    }
}
