//! Claude Code on its screen.

use serde_json::json;

use super::dialog_screen::DialogScreen;
use super::{DialogChoice, LaunchContext};
use crate::hosts::screen::{Page, Screen};

/// Text that only the dialog of a permission shows.
const PERMISSION: &str = "Do you want to proceed?";

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
pub(super) fn start(context: LaunchContext<'_>, prompt: &str) -> anyhow::Result<DialogScreen> {
    let mut command = context.sandbox.host(context.program);
    // In its default mode it allows commands by its own judgment, without a prompt.
    let mode = if context.is_planning { "plan" } else { "default" };
    command.args(["--permission-mode", mode, prompt]);
    command.envs([("ANTHROPIC_BASE_URL", context.model), ("ANTHROPIC_API_KEY", "stand-in")]);
    command.envs([("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"), ("DISABLE_AUTOUPDATER", "1")]);
    Ok(DialogScreen { screen: Screen::open(&command)?, dialog })
}

/// Returns the dialog of a choice.
const fn dialog(choice: DialogChoice) -> Page {
    match choice {
        DialogChoice::SecondOption => Page { text: "Enter to select", keys: "2" },
        DialogChoice::Allow => Page { text: PERMISSION, keys: "1" },
        DialogChoice::Deny => Page { text: PERMISSION, keys: "\x1b" },
        DialogChoice::AllowPlan => Page { text: "manually approve edits", keys: "2" },
    }
}
