//! OpenCode on its own screen.

use super::{DialogChoice, Front, Place};
use crate::hosts::programs::OPENCODE_OFFLINE;
use crate::hosts::screen::Screen;

/// Starts it.
pub(super) fn start(place: Place<'_>, prompt: &str) -> anyhow::Result<OpenCodeScreen> {
    let mut command = place.stage.host(place.program);
    command.args(["--model", "stand-in/stand-in", "--prompt", prompt]).envs(OPENCODE_OFFLINE);
    Ok(OpenCodeScreen(Screen::open(&command)?))
}

/// OpenCode, until it is dropped.
pub(super) struct OpenCodeScreen(Screen);

impl Front for OpenCodeScreen {
    fn choose(&mut self, choice: DialogChoice) -> anyhow::Result<()> {
        self.wait_for_dialog(choice)?;
        self.0.press(match choice {
            DialogChoice::SecondOption => "2",
            DialogChoice::Allow => "\r",
            DialogChoice::Deny => "\x1b",
        })
    }

    fn wait_for_dialog(&mut self, choice: DialogChoice) -> anyhow::Result<()> {
        self.0.wait_for(match choice {
            DialogChoice::SecondOption => "enter submit",
            DialogChoice::Allow | DialogChoice::Deny => "Permission required",
        })
    }

    fn kill(&mut self) -> anyhow::Result<()> {
        self.0.kill()
    }
}
