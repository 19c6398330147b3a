//! Claude Code on a screen.

use serde_json::json;

use super::{DialogChoice, Front, Place};
use crate::hosts::screen::Screen;

/// Says that everything was seen that a new user is shown, so that the prompt comes at once.
pub(super) fn write_files(place: Place<'_>) -> anyhow::Result<()> {
    let work = place.stage.path("work").display().to_string();
    let seen = json!({
        "hasCompletedOnboarding": true,
        "theme": "dark",
        "customApiKeyResponses": { "approved": ["stand-in"], "rejected": [] },
        "projects": { work: { "hasTrustDialogAccepted": true, "hasCompletedProjectOnboarding": true } },
    });
    place.stage.write("home/.claude.json", &seen.to_string()).map(drop)
}

/// Starts it.
pub(super) fn start(place: Place<'_>, prompt: &str) -> anyhow::Result<ClaudeCode> {
    let mut command = place.stage.host(place.program);
    // In its own mode it judges commands itself.
    command.args(["--permission-mode", "default", prompt]);
    command.envs([("ANTHROPIC_BASE_URL", place.model), ("ANTHROPIC_API_KEY", "stand-in")]);
    command.envs([("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"), ("DISABLE_AUTOUPDATER", "1")]);
    Ok(ClaudeCode(Screen::open(&command)?))
}

/// Claude Code, until it is dropped.
pub(super) struct ClaudeCode(Screen);

impl Front for ClaudeCode {
    fn choose(&mut self, choice: DialogChoice) -> anyhow::Result<()> {
        self.wait_for_dialog(choice)?;
        self.0.press(match choice {
            DialogChoice::SecondOption => "2",
            DialogChoice::Allow => "1",
            DialogChoice::Deny => "\x1b",
        })
    }

    fn wait_for_dialog(&mut self, choice: DialogChoice) -> anyhow::Result<()> {
        self.0.wait_for(match choice {
            DialogChoice::SecondOption => "Enter to select",
            DialogChoice::Allow | DialogChoice::Deny => "Do you want to proceed?",
        })
    }

    fn kill(&mut self) -> anyhow::Result<()> {
        self.0.kill()
    }
}
