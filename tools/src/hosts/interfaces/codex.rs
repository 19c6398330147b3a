//! Codex on its screen. Its user reviews the hooks before they run. Its turns run in a background program, which outlives
//! the screen.

use std::path::{Path, PathBuf};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;

use super::{DialogChoice, HostInterface, LaunchContext};
use crate::hosts::sandbox::poll_until;
use crate::hosts::screen::{Page, Screen};

/// Text that only the dialog of a permission shows.
const DIALOG: &str = "Would you like to run the following command?";
/// Settings, in which Codex also stores which hooks were reviewed.
const SETTINGS: &str = "home/.codex/config.toml";
/// Text of the page on which all hooks can be trusted, until they are.
const TRUST: &str = "trust all";
/// Pages of the review of hooks, the last one first: it is drawn over the first one.
const REVIEW: [Page; 2] = [Page { text: TRUST, keys: "t" }, Page { text: "1. Review hooks", keys: "\r" }];
/// Pages that are still open after the review, in 0.169 and in older ones.
const REVIEWED: [Page; 2] =
    [Page { text: "esc close", keys: "\x1b" }, Page { text: "esc to close", keys: "\x1b" }];
/// Setting without which Codex has hooks, in its older and its newer name.
const HOOKS_OFF: &str = "hooks = false";
/// Text of the empty field for a prompt, which none of these pages shows.
const PROMPT_FIELD: &str = "Ask Codex to do anything";

/// Writes the settings of a user who trusts the folder.
pub(super) fn write_files(context: LaunchContext<'_>) -> anyhow::Result<()> {
    let LaunchContext { sandbox, model, .. } = context;
    let work = json!(sandbox.path("work"));
    let config = format!(
        "model = \"stand-in\"\nmodel_provider = \"stand-in\"\napproval_policy = \"on-request\"\n\n\
         [model_providers.stand-in]\nname = \"stand-in\"\nbase_url = \"{model}/v1\"\nwire_api = \"responses\"\n\n\
         [projects.{work}]\ntrust_level = \"trusted\"\n"
    );
    sandbox.write(SETTINGS, &config).map(drop)
}

/// Starts Codex, reviews its hooks unless they were reviewed before, and submits a prompt.
pub(super) fn start(context: LaunchContext<'_>, prompt: &str) -> anyhow::Result<Codex> {
    let screen = Screen::open(&context.sandbox.host(context.program))?;
    let mut codex = Codex { screen, home: context.sandbox.path("home") };
    let settings = context.sandbox.path(SETTINGS);
    // Nothing is reviewed if hooks are switched off.
    let is_reviewed = || {
        std::fs::read_to_string(&settings)
            .is_ok_and(|text| text.contains("trusted_hash") || text.contains(HOOKS_OFF))
    };
    if !is_reviewed() {
        // Codex discards keys before it draws the next page, and ends with an error if an Escape is the last of them.
        codex.screen.go_through(&REVIEW, |shown| is_reviewed() && !shown.contains(TRUST))?;
    }
    codex.screen.go_through(&REVIEWED, |shown| shown.contains(PROMPT_FIELD))?;
    codex.screen.submit(prompt)?;
    Ok(codex)
}

/// Running Codex.
pub(super) struct Codex {
    screen: Screen,
    home: PathBuf,
}

/// Kills the programs whose files are in a folder, until there is none. One of them may start another one meanwhile.
fn kill_all_in(folder: &Path) -> anyhow::Result<()> {
    poll_until("end of the programs in the background", || {
        let mut is_any = false;
        for process in std::fs::read_dir("/proc")?.flatten() {
            // Fails if the process has ended or belongs to another user.
            let Ok(program) = std::fs::read_link(process.path().join("exe")) else { continue };
            let id = process.file_name().to_str().and_then(|id| id.parse().ok()).and_then(Pid::from_raw);
            if let Some(id) = id.filter(|_| program.starts_with(folder)) {
                is_any = true;
                // Fails if it has ended.
                let _ = kill_process(id, Signal::KILL);
            }
        }
        Ok((!is_any).then_some(()))
    })
}

impl Drop for Codex {
    fn drop(&mut self) {
        // Fails if it has ended.
        let _ = self.screen.kill();
        let _ = kill_all_in(&self.home);
    }
}

impl HostInterface for Codex {
    fn choose(&mut self, choice: DialogChoice) -> anyhow::Result<()> {
        self.wait_for_dialog(choice)?;
        let keys = if choice == DialogChoice::Deny { "\x1b" } else { "y" };
        self.screen.press_until_gone(keys, DIALOG)
    }

    fn wait_for_dialog(&mut self, _: DialogChoice) -> anyhow::Result<()> {
        self.screen.wait_for(DIALOG)
    }

    fn form_page(&mut self, text: &str) -> anyhow::Result<String> {
        self.screen.wait_for(text)?;
        Ok(self.screen.text())
    }

    fn fill_in(&mut self, text: &str) -> anyhow::Result<()> {
        if text.is_empty() { self.screen.press("\r") } else { self.screen.submit(text) }
    }

    fn submit(&mut self, prompt: &str) -> anyhow::Result<()> {
        self.screen.submit(prompt)
    }

    fn kill(&mut self) -> anyhow::Result<()> {
        self.screen.kill()?;
        kill_all_in(&self.home)
    }
}
