//! Interfaces of hosts in which a person sees dialogs: a screen, or the host's own HTTP.

mod claude_code;
mod codex;
mod copilot;
mod dialog_screen;
mod opencode;
mod opencode_screen;

use std::path::Path;

use anyhow::bail;

use super::sandbox::Sandbox;

/// Choice of a person in a host's own dialog.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum DialogChoice {
    /// The second option of a question.
    SecondOption,
    /// Yes to a permission, once.
    Allow,
    /// No to a permission.
    Deny,
    /// Yes to a plan, after which each edit is asked about.
    AllowPlan,
}

/// Running host with its dialogs. It is killed when this value is dropped.
pub(super) trait HostInterface {
    /// Waits for a dialog, and chooses in it.
    fn choose(&mut self, choice: DialogChoice) -> anyhow::Result<()>;

    /// Waits for the dialog in which this choice can be made.
    fn wait_for_dialog(&mut self, choice: DialogChoice) -> anyhow::Result<()>;

    /// Waits for a page of a form with this text, and returns what the screen shows.
    fn form_page(&mut self, _text: &str) -> anyhow::Result<String> {
        bail!("the host shows no forms")
    }

    /// Enters a text into the field of the page, or accepts the chosen option if there is none.
    fn fill_in(&mut self, _text: &str) -> anyhow::Result<()> {
        bail!("the host shows no forms")
    }

    /// Submits another prompt.
    fn submit(&mut self, prompt: &str) -> anyhow::Result<()>;

    /// Kills the host alone, not what it has started.
    fn kill(&mut self) -> anyhow::Result<()>;
}

/// All that the start of a host depends on.
#[derive(Clone, Copy)]
pub(super) struct LaunchContext<'a> {
    pub(super) sandbox: &'a Sandbox,
    pub(super) program: &'a Path,
    /// Address of the simulated model.
    pub(super) model: &'a str,
    /// The agent is to present a plan before it does anything.
    pub(super) is_planning: bool,
}

/// Kind of an interface.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum InterfaceKind {
    ClaudeCode,
    Codex,
    Copilot,
    /// OpenCode's server, whose HTTP has the dialogs.
    OpenCode,
    OpenCodeScreen,
}

impl InterfaceKind {
    /// Writes the files that the host needs in addition to those of `sayso setup`, and runs `sayso setup`.
    pub(super) fn prepare(self, context: LaunchContext<'_>, name: &str) -> anyhow::Result<()> {
        match self {
            Self::ClaudeCode => claude_code::write_files(context)?,
            Self::Codex => codex::write_files(context)?,
            Self::Copilot => copilot::write_files(context)?,
            Self::OpenCode | Self::OpenCodeScreen => opencode::write_files(context)?,
        }
        context.sandbox.set_up(name)
    }

    /// Starts the prepared host with a prompt.
    pub(super) fn start(
        self,
        context: LaunchContext<'_>,
        prompt: &str,
    ) -> anyhow::Result<Box<dyn HostInterface>> {
        Ok(match self {
            Self::ClaudeCode => Box::new(claude_code::start(context, prompt)?),
            Self::Codex => Box::new(codex::start(context, prompt)?),
            Self::Copilot => Box::new(copilot::start(context, prompt)?),
            Self::OpenCode => Box::new(opencode::start(context, prompt)?),
            Self::OpenCodeScreen => Box::new(opencode_screen::start(context, prompt)?),
        })
    }

    /// Returns true if the host shows its dialog while its hook runs, so that the first answer wins.
    pub(super) fn races(self) -> bool {
        ![Self::Codex, Self::Copilot].contains(&self)
    }
}
