//! Commands that the simulated model runs, each of which creates a file, and checks of these files.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use anyhow::{Context, bail};
use serde_json::Value;

use super::SceneRun;
use crate::hosts::model_calls::command_call;
use crate::hosts::protocol::{ModelReply, ModelRequest};
use crate::hosts::sandbox::{id, poll_until};

/// Files that the commands create.
pub(super) const FILES: [&str; 2] = ["first.txt", "second.txt"];
/// Words of the person who denies.
pub(super) const REASON: &str = "not on a Friday, ask the heron";

/// Stores the results in a request; returns true if there are none yet.
pub(super) fn is_first(request: &ModelRequest, tool_results: &Mutex<Vec<String>>) -> bool {
    if !request.results.is_empty() {
        tool_results.lock().unwrap_or_else(PoisonError::into_inner).clone_from(&request.results);
    }
    request.results.is_empty()
}

/// Runs the first command, and then stops.
pub(super) fn run_one_command(request: &ModelRequest, tool_results: &Mutex<Vec<String>>) -> ModelReply {
    run_commands(request, tool_results, &FILES[..1])
}

/// Runs both commands in one reply, and then stops.
pub(super) fn run_two_commands(request: &ModelRequest, tool_results: &Mutex<Vec<String>>) -> ModelReply {
    run_commands(request, tool_results, &FILES)
}

fn run_commands(request: &ModelRequest, tool_results: &Mutex<Vec<String>>, files: &[&str]) -> ModelReply {
    let calls = files.iter().map(|file| command_call(request, &format!("touch {file}")));
    match calls.collect::<Option<Vec<_>>>() {
        Some(calls) if is_first(request, tool_results) => ModelReply::Calls(calls),
        _ => ModelReply::Text("done".to_owned()),
    }
}

impl SceneRun<'_> {
    /// Waits for the open ask about the command that creates a file, and returns its id.
    pub(super) fn wait_for_ask_about(&self, file: &str) -> anyhow::Result<String> {
        poll_until("question of the host", || {
            for ask in self.sandbox.asks_if_any()? {
                let is_open = ask.get("state").and_then(Value::as_str) == Some("open");
                let ask = id(&ask).context("an ask has an id")?;
                if is_open && self.sandbox.ask(&ask)?.to_string().contains(file) {
                    return Ok(Some(ask));
                }
            }
            Ok(None)
        })
    }

    /// Waits until the first command has run.
    pub(super) fn wait_for_file(&self) -> anyhow::Result<()> {
        poll_until("file of the command", || Ok(self.has_file(FILES[0]).then_some(())))
    }

    /// Checks that these files exist, and no other one of a command.
    pub(super) fn check_files(&self, expected: &[&str]) -> anyhow::Result<()> {
        for file in FILES {
            let is_created = self.has_file(file);
            if is_created != expected.contains(&file) {
                bail!("{file} was {}created", if is_created { "" } else { "not " });
            }
        }
        Ok(())
    }

    /// Returns the path of the file that the first command creates.
    pub(super) fn first_file(&self) -> PathBuf {
        self.sandbox.path("work").join(FILES[0])
    }

    fn has_file(&self, file: &str) -> bool {
        self.sandbox.path("work").join(file).exists()
    }
}
