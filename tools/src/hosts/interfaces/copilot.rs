//! Copilot on its screen.

use serde_json::json;

use super::dialog_screen::DialogScreen;
use super::{DialogChoice, LaunchContext};
use crate::hosts::screen::{Page, Screen};

/// Text that only the dialog of a permission shows.
const DIALOG: &str = "Do you want to run this command?";

/// Writes the settings of a user who trusts the folder.
pub(super) fn write_files(context: LaunchContext<'_>) -> anyhow::Result<()> {
    let config = json!({ "trusted_folders": [context.sandbox.path("work")], "banner": "never" });
    context.sandbox.write("home/.copilot/config.json", &config.to_string()).map(drop)
}

/// Starts Copilot, and types the prompt once its screen takes one: 1.0.34 drops the prompt of `-i` if nobody is signed
/// in.
pub(super) fn start(context: LaunchContext<'_>, prompt: &str) -> anyhow::Result<DialogScreen> {
    let mut command = context.sandbox.host(context.program);
    command.envs([("COPILOT_PROVIDER_BASE_URL", context.model), ("COPILOT_PROVIDER_TYPE", "anthropic")]);
    command.envs([("COPILOT_PROVIDER_API_KEY", "stand-in"), ("COPILOT_MODEL", "stand-in")]);
    if context.is_planning {
        command.arg("--plan");
    }
    let mut screen = Screen::open(&command)?;
    screen.wait_for("/ commands")?;
    screen.submit(prompt)?;
    Ok(DialogScreen { screen, dialog })
}

/// Returns the dialog of a choice.
fn dialog(choice: DialogChoice) -> Page {
    Page { text: DIALOG, keys: if choice == DialogChoice::Deny { "\x1b" } else { "1" } }
}
