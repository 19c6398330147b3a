//! Scenes without a terminal, in which the host asks for permission to run a command and its hook asks at the desk.

use std::fs;

use anyhow::bail;
use serde_json::{Value, json};

use super::commands::{FILES, REASON, run_one_command, run_two_commands};
use super::{HostProcess, Scene, SceneRun};
use crate::hosts::host::Host;
use crate::hosts::interfaces::InterfaceKind;
use crate::hosts::open_inbox::OpenInbox;
use crate::hosts::sandbox::{DESK, poll_until};

/// All scenes, in the order in which they are run.
pub(super) const SCENES: &[Scene] = &[
    Scene { name: "permission given at the desk", run: allowed, ..PERMISSION },
    Scene { name: "permission denied with words", run: denied, ..PERMISSION },
    Scene { name: "two permissions at once", script: run_two_commands, run: two_at_once, ..PERMISSION },
    Scene { name: "host killed before the answer", run: killed, ..PERMISSION },
    Scene {
        name: "permission prompt tool next to hooks",
        run: with_prompt_tool,
        fits: has_prompt_tool,
        ..PERMISSION
    },
    Scene { name: "no desk", run: no_desk, ..PERMISSION },
];

/// Base of these scenes.
const PERMISSION: Scene =
    Scene { name: "", limit: None, fits: Host::asks_without_terminal, script: run_one_command, run: allowed };

fn allowed(run: &SceneRun<'_>) -> anyhow::Result<()> {
    let (_inbox, mut host) = start(run)?;
    let ask = run.sandbox.wait_for_ask(&mut host.child)?;
    check_action(run, &ask, FILES[0])?;
    run.sandbox.answer_with(&ask, &json!({ "allow": true }))?;
    host.ends_well()?;
    run.check_files(&FILES[..1])
}

fn denied(run: &SceneRun<'_>) -> anyhow::Result<()> {
    let (_inbox, mut host) = start(run)?;
    let ask = run.sandbox.wait_for_ask(&mut host.child)?;
    run.sandbox.decline(&ask, REASON)?;
    host.ends()?;
    run.check_files(&[])?;
    if !run.last_tool_result().is_some_and(|result| result.contains(REASON)) {
        bail!("the model did not get the reason: {:?}", run.last_tool_result());
    }
    Ok(())
}

/// Allows the first command before it denies the second one: some hosts ask for the second only then, and some deny
/// all open calls with one.
fn two_at_once(run: &SceneRun<'_>) -> anyhow::Result<()> {
    let (_inbox, host) = start(run)?;
    run.sandbox.answer_with(&run.wait_for_ask_about(FILES[0])?, &json!({ "allow": true }))?;
    run.sandbox.decline(&run.wait_for_ask_about(FILES[1])?, REASON)?;
    host.ends()?;
    run.check_files(&FILES[..1])
}

fn killed(run: &SceneRun<'_>) -> anyhow::Result<()> {
    let (_inbox, mut host) = start(run)?;
    let ask = run.sandbox.wait_for_ask(&mut host.child)?;
    host.kill()?;
    poll_until("end of the ask", || {
        let state = run.sandbox.ask(&ask)?.get("state").and_then(Value::as_str).map(str::to_owned);
        Ok(state.filter(|state| state != "open"))
    })?;
    run.check_files(&[])
}

/// Only Claude Code has a tool that answers permissions.
fn has_prompt_tool(host: &Host) -> bool {
    host.asks_without_terminal() && host.interface == Some(InterfaceKind::ClaudeCode)
}

/// The hook and the tool are asked at once; one ask stays.
fn with_prompt_tool(run: &SceneRun<'_>) -> anyhow::Result<()> {
    run.sandbox.set_up(run.host.name)?;
    let _inbox = run.sandbox.open_inbox()?;
    let mut host = run.start_with(|command| {
        let (server, arguments) = run.sandbox.mcp_server();
        let arguments: Vec<String> =
            arguments.into_iter().chain(["--tools", "permission"].map(str::to_owned)).collect();
        let servers = json!({ "mcpServers": { "desk": { "command": server, "args": arguments } } });
        let servers = run.sandbox.write("prompt_tool.json", &servers.to_string())?;
        command.arg("--mcp-config").arg(servers).args(["--permission-prompt-tool", "mcp__desk__permission"]);
        Ok(())
    })?;
    poll_until("ask of the tool alone", || {
        if let Some(status) = host.child.try_wait()? {
            bail!("the host ended with {status}");
        }
        let asks = run.sandbox.asks_if_any()?;
        let mut open = asks.iter().filter(|ask| ask.get("state").and_then(Value::as_str) == Some("open"));
        Ok((asks.len() > 1 && open.next().is_some() && open.next().is_none()).then_some(()))
    })?;
    run.sandbox.answer_with(&run.wait_for_ask_about(FILES[0])?, &json!({ "allow": true }))?;
    host.ends_well()?;
    run.check_files(&FILES[..1])
}

fn no_desk(run: &SceneRun<'_>) -> anyhow::Result<()> {
    // A folder in place of the desk's file.
    fs::create_dir_all(run.sandbox.path(DESK))?;
    run.sandbox.set_up(run.host.name)?;
    run.start()?.ends()?;
    run.check_files(&[])
}

/// Sets the host up, and starts it while a person has the inbox open.
fn start(run: &SceneRun<'_>) -> anyhow::Result<(OpenInbox, HostProcess)> {
    run.sandbox.set_up(run.host.name)?;
    Ok((run.sandbox.open_inbox()?, run.start()?))
}

/// Checks that the ask shows the command.
fn check_action(run: &SceneRun<'_>, ask: &str, file: &str) -> anyhow::Result<()> {
    let shown = run.sandbox.ask(ask)?.to_string();
    if !shown.contains(&format!("touch {file}")) {
        bail!("the ask does not show the command: {shown}");
    }
    Ok(())
}
