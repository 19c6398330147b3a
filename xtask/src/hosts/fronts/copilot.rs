//! Copilot on a screen.

use serde_json::json;

use super::{DialogChoice, Front, Place};
use crate::hosts::screen::Screen;

/// Says that it may work in its folder.
pub(super) fn write_files(place: Place<'_>) -> anyhow::Result<()> {
    let config = json!({ "trusted_folders": [place.stage.path("work")], "banner": "never" });
    place.stage.write("home/.copilot/config.json", &config.to_string()).map(drop)
}

/// Starts it.
pub(super) fn start(place: Place<'_>, prompt: &str) -> anyhow::Result<Copilot> {
    let mut command = place.stage.host(place.program);
    command.args(["-i", prompt]);
    command.envs([("COPILOT_PROVIDER_BASE_URL", place.model), ("COPILOT_PROVIDER_TYPE", "anthropic")]);
    command.envs([("COPILOT_PROVIDER_API_KEY", "stand-in"), ("COPILOT_MODEL", "stand-in")]);
    Ok(Copilot(Screen::open(&command)?))
}

/// Copilot, until it is dropped.
pub(super) struct Copilot(Screen);

impl Front for Copilot {
    fn choose(&mut self, choice: DialogChoice) -> anyhow::Result<()> {
        self.wait_for_dialog(choice)?;
        self.0.press(if choice == DialogChoice::Deny { "\x1b" } else { "1" })
    }

    fn wait_for_dialog(&mut self, _: DialogChoice) -> anyhow::Result<()> {
        self.0.wait_for("Do you want to run this command?")
    }

    fn kill(&mut self) -> anyhow::Result<()> {
        self.0.kill()
    }
}
