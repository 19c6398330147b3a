//! Hosts with their own dialogs open to a person: on a screen, or over the host's own HTTP.

mod claude_code;
mod codex;
mod copilot;
mod opencode;

use std::path::Path;

use super::stage::Stage;

/// Choice of a person in a host's own dialog.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum DialogChoice {
    /// The second option of a question.
    SecondOption,
    /// Yes to a permission, for this time.
    Allow,
    /// No to a permission.
    Deny,
}

/// A host that runs, with its dialogs. It ends with this value.
pub(super) trait Front {
    /// Waits for a dialog, and chooses.
    fn choose(&mut self, choice: DialogChoice) -> anyhow::Result<()>;

    /// Waits for a dialog.
    fn wait_for_dialog(&mut self, choice: DialogChoice) -> anyhow::Result<()>;

    /// Kills the host alone.
    fn kill(&mut self) -> anyhow::Result<()>;
}

/// Place of a host: its stage, its program and its model.
#[derive(Clone, Copy)]
pub(super) struct Place<'a> {
    pub(super) stage: &'a Stage,
    pub(super) program: &'a Path,
    pub(super) model: &'a str,
}

/// Kind of a host's front.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum FrontKind {
    ClaudeCode,
    Codex,
    Copilot,
    OpenCode,
}

impl FrontKind {
    /// Writes the files that the host needs besides those of `sayso setup`, and connects it.
    pub(super) fn prepare(self, place: Place<'_>, name: &str) -> anyhow::Result<()> {
        match self {
            Self::ClaudeCode => claude_code::write_files(place)?,
            Self::Codex => codex::write_files(place)?,
            Self::Copilot => copilot::write_files(place)?,
            Self::OpenCode => opencode::write_files(place)?,
        }
        place.stage.set_up(name)
    }

    /// Starts the prepared host with a prompt.
    pub(super) fn start(self, place: Place<'_>, prompt: &str) -> anyhow::Result<Box<dyn Front>> {
        Ok(match self {
            Self::ClaudeCode => Box::new(claude_code::start(place, prompt)?),
            Self::Codex => Box::new(codex::start(place, prompt)?),
            Self::Copilot => Box::new(copilot::start(place, prompt)?),
            Self::OpenCode => Box::new(opencode::start(place, prompt)?),
        })
    }

    /// True if its dialog is open while its hook runs.
    pub(super) fn races(self) -> bool {
        ![Self::Codex, Self::Copilot].contains(&self)
    }
}
