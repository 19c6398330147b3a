//! Copilot on its screen.

use serde_json::json;

use super::{DialogChoice, HostInterface, LaunchContext};
use crate::hosts::screen::Screen;

/// Text that only the dialog of a permission shows.
const DIALOG: &str = "Do you want to run this command?";

/// Writes the settings of a user who trusts the folder.
pub(super) fn write_files(context: LaunchContext<'_>) -> anyhow::Result<()> {
    let config = json!({ "trusted_folders": [context.sandbox.path("work")], "banner": "never" });
    context.sandbox.write("home/.copilot/config.json", &config.to_string()).map(drop)
}

/// Starts Copilot with a prompt.
pub(super) fn start(context: LaunchContext<'_>, prompt: &str) -> anyhow::Result<Copilot> {
    let mut command = context.sandbox.host(context.program);
    command.args(["-i", prompt]);
    command.envs([("COPILOT_PROVIDER_BASE_URL", context.model), ("COPILOT_PROVIDER_TYPE", "anthropic")]);
    command.envs([("COPILOT_PROVIDER_API_KEY", "stand-in"), ("COPILOT_MODEL", "stand-in")]);
    Ok(Copilot(Screen::open(&command)?))
}

/// Running Copilot.
pub(super) struct Copilot(Screen);

impl HostInterface for Copilot {
    fn choose(&mut self, choice: DialogChoice) -> anyhow::Result<()> {
        self.wait_for_dialog(choice)?;
        let keys = if choice == DialogChoice::Deny { "\x1b" } else { "1" };
        self.0.press_until_gone(keys, DIALOG)
    }

    fn wait_for_dialog(&mut self, _: DialogChoice) -> anyhow::Result<()> {
        self.0.wait_for(DIALOG)
    }

    fn kill(&mut self) -> anyhow::Result<()> {
        self.0.kill()
    }
}
