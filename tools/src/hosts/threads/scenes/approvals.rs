//! Scenes in which the agent asks for permission to run a command.

use std::fs;
use std::sync::Mutex;

use anyhow::bail;
use serde_json::{Value, json};

use super::questions::has_result;
use super::{PROMPT, ThreadRun, ThreadScene};
use crate::hosts::model_calls::command_call;
use crate::hosts::protocol::{ModelReply, ModelRequest};

/// All scenes, in the order in which they are run.
pub(super) const SCENES: &[ThreadScene] = &[
    ThreadScene { name: "command allowed in a thread", run: allowed, ..APPROVAL },
    ThreadScene { name: "command refused in a thread", run: refused, ..APPROVAL },
    ThreadScene { name: "ordinary command in a thread", script: list_files, run: ordinary, ..APPROVAL },
];

/// Base of the scenes with a permission.
pub(super) const APPROVAL: ThreadScene =
    ThreadScene { name: "", fits: |_| true, script: run_command, run: allowed };

/// Command of the model, its file, and its output, which the command does not contain.
const COMMAND: &str = "printf heron-%d 0x2a | tee seen.txt";
const FILE: &str = "work/seen.txt";
const OUTPUT: &str = "heron-42";

fn run_command(request: &ModelRequest, tool_results: &Mutex<Vec<String>>) -> ModelReply {
    if has_result(request, tool_results) {
        return ModelReply::Text("done".to_owned());
    }
    match command_call(request, COMMAND) {
        Some(call) => ModelReply::Calls(vec![call]),
        None => ModelReply::Text("There is no tool that runs commands.".to_owned()),
    }
}

fn list_files(request: &ModelRequest, tool_results: &Mutex<Vec<String>>) -> ModelReply {
    if has_result(request, tool_results) {
        return ModelReply::Text("done".to_owned());
    }
    match command_call(request, "ls") {
        Some(call) => ModelReply::Calls(vec![call]),
        None => ModelReply::Text("There is no tool that runs commands.".to_owned()),
    }
}

/// Runs `ls`, which an agent may run without asking.
fn ordinary(run: &mut ThreadRun<'_>) -> anyhow::Result<()> {
    fs::write(run.setup.sandbox.path("work/grey-heron.txt"), "")?;
    let events = run.person.send_message(PROMPT)?;
    run.decide_all(events, |_| Ok(json!({ "action": "continue" })))?;
    run.check_result("grey-heron.txt")
}

/// Allows the command, after it was shown.
pub(super) fn allow(asked: &Value) -> anyhow::Result<Value> {
    check_shown(asked)?;
    Ok(json!({ "action": "continue" }))
}

fn refuse(asked: &Value) -> anyhow::Result<Value> {
    check_shown(asked)?;
    Ok(json!({ "action": "cancel" }))
}

/// Checks that the person sees the command: as such, or in the title of the call if the agent sends no more.
fn check_shown(asked: &Value) -> anyhow::Result<()> {
    let arguments = asked.pointer("/data/action_requests/0/args");
    let shown = ["command", "title"].map(|name| arguments?.get(name)?.as_str());
    if shown.contains(&Some(COMMAND)) {
        return Ok(());
    }
    bail!("the approval does not show the command: {asked}")
}

fn allowed(run: &mut ThreadRun<'_>) -> anyhow::Result<()> {
    let events = run.send_until_interrupt()?;
    if has_run(run) {
        bail!("the command ran before it was allowed");
    }
    let events = run.decide_all(events, allow)?;
    if !events.errors().is_empty() {
        bail!("the person read an error: {events:?}");
    }
    check_run(run)
}

fn refused(run: &mut ThreadRun<'_>) -> anyhow::Result<()> {
    let events = run.send_until_interrupt()?;
    run.decide_all(events, refuse)?;
    if has_run(run) {
        bail!("the command ran although it was refused");
    }
    Ok(())
}

fn has_run(run: &ThreadRun<'_>) -> bool {
    run.setup.sandbox.path(FILE).exists()
}

/// Checks that the command has run, and that the model has its output.
pub(super) fn check_run(run: &ThreadRun<'_>) -> anyhow::Result<()> {
    if !has_run(run) {
        bail!("the command did not run");
    }
    run.check_result(OUTPUT)
}
