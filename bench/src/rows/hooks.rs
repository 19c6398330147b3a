//! `sayso hook` as agents' hosts start it, once for every call of a tool.

use crate::Run;
use crate::figures::{Times, millis};
use crate::floor;
use crate::rows::commands::{home, lived_in, sayso};
use crate::table::{Table, Target};
use anyhow::Context as _;
use sayso_core::{Actor, AskCommand};
use sayso_desk::{Desk as _, Interest, StoreDesk, WatchEvent};
use serde_json::{Value, json};
use std::io::Write as _;
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

/// Longest wait for an ask.
const LIMIT: Duration = Duration::from_secs(10);

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

/// Calls that are passed over: the host waits for nothing but the end of the hook.
pub(crate) fn passed_over(run: &Run, table: &mut Table) -> anyhow::Result<()> {
    let home = home(run, "hooks-passed")?;
    let hello = floor::hello(run.folder.path())?;
    let beside = format!("hello {}", millis(floor::program(run.times(300), &hello, &[])?.median()));
    for (what, event) in
        [("our own tool", event("mcp__sayso__ask", "")), ("`sayso ask`", event("Bash", "sayso ask '{}'"))]
    {
        let mut times = Times::default();
        for _ in 0..run.times(300) {
            let begun = Instant::now();
            let status = start(run, &home, &event)?.wait()?;
            times.push(begun.elapsed());
            anyhow::ensure!(status.success(), "the hook failed");
        }
        let row = format!("`sayso hook` for a call of {what}, from its start to its end");
        table.row(&row, times.shown(), Target::median(&times, Duration::from_millis(2)), beside.as_str());
    }
    Ok(())
}

/// From the start of a hook to its ask at the desk, as another program there sees it.
pub(crate) fn ask(run: &Run, table: &mut Table) -> anyhow::Result<()> {
    let home = lived_in(run, "hooks-ask")?;
    let desk = StoreDesk::open(&home.join("desk.db"))?;
    let mut watch = desk.watch(Interest::All, None)?;
    let mut times = Times::default();
    for number in 0..run.times(300) {
        let begun = Instant::now();
        let mut hook = start(run, &home, &event("Bash", &format!("make release-{number}")))?;
        let id = loop {
            anyhow::ensure!(begun.elapsed() < LIMIT, "no ask came");
            let events = watch.wait(LIMIT)?;
            let opened = events.into_iter().find_map(|event| match event {
                WatchEvent::Change(change) => Some(change.id),
                WatchEvent::Gap => None,
            });
            if let Some(id) = opened {
                break id;
            }
        };
        times.push(begun.elapsed());
        let ask = desk.get(id)?;
        let who = Actor::Asker(ask.request.asker.clone());
        desk.act(&who, id, None, AskCommand::Cancel { reason: None })?;
        anyhow::ensure!(hook.wait()?.success(), "the hook failed");
        while !watch.wait(Duration::ZERO)?.is_empty() {}
    }
    let row = "`sayso hook` for a permission, from its start to the ask at the desk";
    table.row(row, times.shown(), Target::median(&times, Duration::from_millis(5)), "");
    Ok(())
}
