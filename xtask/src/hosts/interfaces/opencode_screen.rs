//! OpenCode on its own screen, as `opencode` starts it: without a server at an address.

use super::{DialogChoice, HostInterface, LaunchContext};
use crate::hosts::host::OPENCODE_OFFLINE;
use crate::hosts::screen::Screen;

/// Starts OpenCode, and types the prompt once its screen takes one.
pub(super) fn start(context: LaunchContext<'_>, prompt: &str) -> anyhow::Result<OpenCodeScreen> {
    let mut command = context.sandbox.host(context.program);
    command.args(["--model", "stand-in/stand-in"]).envs(OPENCODE_OFFLINE);
    let mut screen = Screen::open(&command)?;
    screen.wait_for("Ask anything")?;
    screen.submit(prompt)?;
    Ok(OpenCodeScreen(screen))
}

/// Running OpenCode.
pub(super) struct OpenCodeScreen(Screen);

/// Text that only the dialog of a choice shows.
fn dialog_text(choice: DialogChoice) -> &'static str {
    match choice {
        DialogChoice::SecondOption => "enter submit",
        DialogChoice::Allow | DialogChoice::Deny => "Permission required",
    }
}

impl HostInterface for OpenCodeScreen {
    fn choose(&mut self, choice: DialogChoice) -> anyhow::Result<()> {
        self.wait_for_dialog(choice)?;
        let keys = match choice {
            DialogChoice::SecondOption => "2",
            DialogChoice::Allow => "\r",
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
