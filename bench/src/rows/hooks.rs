//! `sayso hook` as agents' hosts start it, once for every call of a tool.

use crate::Run;
use crate::figures::Times;
use crate::floor;
use crate::rows::commands::{home, sayso};
use crate::table::{Reference, Table};
use anyhow::Context as _;
use serde_json::{Value, json};
use std::io::Write as _;
use std::path::Path;
use std::process::{Child, Stdio};

/// Event of a host about a call.
fn event(tool: &str, command: &str) -> Value {
    json!({
        "session_id": "0b0c1a3e-59d1-4d0c-8f0c-5f3c7a4de901",
        "transcript_path": "/home/ana/.claude/projects/-srv/0b0c1a3e.jsonl",
        "cwd": "/srv",
        "permission_mode": "default",
        "hook_event_name": "PermissionRequest",
        "tool_name": tool,
        "tool_input": { "command": command, "description": "Prepare the release" },
    })
}

fn start(run: &Run, home: &Path, event: &Value) -> anyhow::Result<Child> {
    let mut command = sayso(run, home);
    let mut hook = command.args(["hook", "claude-code"]).stdin(Stdio::piped()).spawn()?;
    let mut stdin = hook.stdin.take().context("no stdin")?;
    stdin.write_all(event.to_string().as_bytes())?;
    Ok(hook)
}

/// A call of our own tool: the host waits for nothing but the end of the hook.
pub(crate) fn passed_over(run: &Run, table: &mut Table) -> anyhow::Result<()> {
    let home = home(run, "hooks-passed")?;
    let hello = floor::hello(run.folder.path())?;
    let hello = floor::program(run.times(300), &hello, &[])?;
    let event = event("mcp__sayso__ask", "");
    let times = Times::of(run.times(300), || {
        anyhow::ensure!(start(run, &home, &event)?.wait()?.success(), "the hook failed");
        Ok(())
    })?;
    table.times(
        "`sayso hook` for a call that it passes over",
        &times,
        vec![Reference::from_times("hello", &hello)],
    );
    Ok(())
}
