//! Codex on a screen. Its user reviews the hooks before they run. Its turns run in a program of their own, which lives
//! on after the screen.

use std::path::{Path, PathBuf};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;

use super::{DialogChoice, Front, Place};
use crate::hosts::screen::Screen;

/// Says which model it talks to, and that it may work in its folder.
pub(super) fn write_files(place: Place<'_>) -> anyhow::Result<()> {
    let Place { stage, model, .. } = place;
    let work = json!(stage.path("work"));
    let config = format!(
        "model = \"stand-in\"\nmodel_provider = \"stand-in\"\napproval_policy = \"on-request\"\n\n\
         [model_providers.stand-in]\nname = \"stand-in\"\nbase_url = \"{model}/v1\"\nwire_api = \"responses\"\n\n\
         [projects.{work}]\ntrust_level = \"trusted\"\n"
    );
    stage.write("home/.codex/config.toml", &config).map(drop)
}

/// Starts it, and reviews its hooks unless they were reviewed before.
pub(super) fn start(place: Place<'_>, prompt: &str) -> anyhow::Result<Codex> {
    let mut screen = Screen::open(&place.stage.host(place.program))?;
    let config = std::fs::read_to_string(place.stage.path("home/.codex/config.toml"))?;
    if !config.contains("trusted_hash") {
        screen.wait_for("1. Review hooks")?;
        screen.press_until("\r", "t trust all")?;
        // The person reads which command it is.
        screen.press_until("\r", "hook codex")?;
        screen.press("t")?;
        screen.wait_for("Trusted")?;
        screen.press("\x1b")?;
        screen.wait_for("t trust all")?;
        screen.press("t")?;
        screen.wait_until_gone("review")?;
        screen.press("\x1b")?;
    }
    screen.wait_for("Ask Codex to do anything")?;
    screen.press(prompt)?;
    screen.wait_for(prompt)?;
    screen.press("\r")?;
    Ok(Codex { screen, home: place.stage.path("home") })
}

/// Codex, until it is dropped.
pub(super) struct Codex {
    screen: Screen,
    home: PathBuf,
}

/// Kills the programs that run in a folder.
fn kill_all_in(folder: &Path) {
    for process in std::fs::read_dir("/proc").into_iter().flatten().flatten() {
        // Others end meanwhile, or are not ours to read.
        let Ok(program) = std::fs::read_link(process.path().join("exe")) else { continue };
        let id = process.file_name().to_str().and_then(|id| id.parse().ok()).and_then(Pid::from_raw);
        if let Some(id) = id.filter(|_| program.starts_with(folder)) {
            let _ = kill_process(id, Signal::KILL);
        }
    }
}

impl Drop for Codex {
    fn drop(&mut self) {
        kill_all_in(&self.home);
    }
}

impl Front for Codex {
    fn choose(&mut self, choice: DialogChoice) -> anyhow::Result<()> {
        self.wait_for_dialog(choice)?;
        self.screen.press(if choice == DialogChoice::Deny { "\x1b" } else { "y" })
    }

    fn wait_for_dialog(&mut self, _: DialogChoice) -> anyhow::Result<()> {
        self.screen.wait_for("Would you like to run the following command?")
    }

    fn kill(&mut self) -> anyhow::Result<()> {
        self.screen.kill()?;
        kill_all_in(&self.home);
        Ok(())
    }
}
