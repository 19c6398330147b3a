//! OpenCode on its own screen, as `opencode` starts it: without a server at an address.

use super::dialog_screen::DialogScreen;
use super::{DialogChoice, LaunchContext};
use crate::hosts::host::OPENCODE_OFFLINE;
use crate::hosts::screen::{Page, Screen};

/// Text that only the dialog of a permission shows.
const PERMISSION: &str = "Permission required";

/// Starts OpenCode, and types the prompt once its screen takes one.
pub(super) fn start(context: LaunchContext<'_>, prompt: &str) -> anyhow::Result<DialogScreen> {
    let mut command = context.sandbox.host(context.program);
    command.args(["--model", "stand-in/stand-in"]).envs(OPENCODE_OFFLINE);
    if context.is_planning {
        command.args(["--agent", "plan"]);
    }
    let mut screen = Screen::open(&command)?;
    screen.wait_for("Ask anything")?;
    screen.submit(prompt)?;
    Ok(DialogScreen { screen, dialog })
}

/// Returns the dialog of a choice.
const fn dialog(choice: DialogChoice) -> Page {
    match choice {
        DialogChoice::SecondOption => Page { text: "enter submit", keys: "2" },
        DialogChoice::AllowPlan => Page { text: "enter submit", keys: "1" },
        DialogChoice::Allow => Page { text: PERMISSION, keys: "\r" },
        DialogChoice::Deny => Page { text: PERMISSION, keys: "\x1b" },
    }
}
