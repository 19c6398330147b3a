//! Scenes with a host on its screen, after `sayso setup`, whose model asks with our tool `ask`. The person's answer must
//! be in the host's next request to the model.

use std::sync::{Mutex, PoisonError};

use anyhow::bail;

use super::dialogs::{LIMITED, PERMISSION};
use super::{Scene, SceneRun, mcp};
use crate::hosts::host::{CLAUDE_CODE, Host};
use crate::hosts::interfaces::HostInterface;
use crate::hosts::protocol::{ModelReply, ModelRequest};
use crate::hosts::sandbox::{ANSWER_TEXT, poll_until};

/// All scenes, in the order in which they are run.
pub(super) const SCENES: &[Scene] = &[
    Scene { name: "our tool: answer is the next result", script: ask, run: answered, ..PERMISSION },
    Scene { name: "our tool: answer after the call's end", script: ask, run: answered_later, ..LIMITED },
    Scene {
        name: "our tool: tasks, if switched on, don't wait",
        // Older versions have no tasks.
        fits: |host: &Host| host.package == CLAUDE_CODE,
        script: ask,
        run: task,
        ..LIMITED
    },
];

/// Mark of a request that has the host's tools, but not ours: the host is still connecting.
pub(super) const NO_TOOLS: &str = "no tools of ours";

/// Asks as soon as the host has our tools.
pub(super) fn ask(request: &ModelRequest, tool_results: &Mutex<Vec<String>>) -> ModelReply {
    if !request.tools.is_empty() && request.find_our_tool("ask").is_none() {
        *tool_results.lock().unwrap_or_else(PoisonError::into_inner) = vec![NO_TOOLS.to_owned()];
    }
    mcp::ask(request, tool_results)
}

fn answered(run: &SceneRun<'_>) -> anyhow::Result<()> {
    run.prepare()?;
    let (_interface, ask) = start_and_ask(run)?;
    run.sandbox.answer(&ask)?;
    let results = wait_for_results(run)?;
    check_one_ask(run)?;
    match results.as_slice() {
        [result] if result.contains(ANSWER_TEXT) => Ok(()),
        results => bail!("the next request has {results:?}"),
    }
}

fn answered_later(run: &SceneRun<'_>) -> anyhow::Result<()> {
    run.prepare()?;
    run.sandbox.edit("home/.claude.json", "\"mcp\"", "\"mcp\", \"--hold\", \"2s\"")?;
    let (_interface, ask) = start_and_ask(run)?;
    let results = wait_for_results(run)?;
    if !results.iter().all(|result| result.contains("pending")) {
        bail!("the call did not end as pending: {results:?}");
    }
    run.sandbox.answer(&ask)?;
    run.wait_for_result(ANSWER_TEXT)?;
    check_one_ask(run)
}

/// The reason for which tasks are off: the model goes on without the answer. Once a version gives it the answer as the
/// result of the call, that version may get tasks.
fn task(run: &SceneRun<'_>) -> anyhow::Result<()> {
    run.sandbox.write("home/.config/sayso/config.toml", "[mcp]\ntasks = true\n")?;
    run.prepare()?;
    let (_interface, ask) = start_and_ask(run)?;
    run.wait_for_result("moved to the background")?;
    match run.sandbox.ask_state(&ask)?.as_str() {
        "open" => Ok(()),
        state => bail!("the ask is {state}"),
    }
}

/// Starts the prepared host, and waits for its ask.
fn start_and_ask(run: &SceneRun<'_>) -> anyhow::Result<(Box<dyn HostInterface>, String)> {
    let mut interface = run.start_prepared()?;
    let is_too_early = || run.last_tool_result().is_some_and(|result| result == NO_TOOLS);
    poll_until("tools in a request to the model", || {
        if is_too_early() {
            run.forget_results();
            interface.submit("Ask the person again.")?;
        }
        Ok((!run.sandbox.asks_if_any()?.is_empty()).then_some(()))
    })?;
    let ask = run.wait_for_ask(0)?;
    Ok((interface, ask))
}

/// Waits for the next request with results, and returns these.
fn wait_for_results(run: &SceneRun<'_>) -> anyhow::Result<Vec<String>> {
    poll_until("result of the call", || {
        let results = run.tool_results.lock().unwrap_or_else(PoisonError::into_inner).clone();
        Ok(Some(results).filter(|results| !results.is_empty()))
    })
}

fn check_one_ask(run: &SceneRun<'_>) -> anyhow::Result<()> {
    match run.sandbox.asks()?.len() {
        1 => Ok(()),
        count => bail!("there are {count} asks"),
    }
}
