//! `sayso hook` as agents' hosts start it, once for every call of a tool.

use crate::Run;
use crate::figures::Times;
use crate::floor;
use crate::request::person;
use crate::rows::commands::{lived_in, sayso};
use crate::table::{Reference, Table};
use anyhow::Context as _;
use sayso_core::AskCommand;
use sayso_desk::{Desk as _, Interest, StoreDesk, WatchEvent};
use serde_json::{Value, json};
use std::io::Write as _;
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

/// Longest time until an ask of a hook is at the desk.
const LONGEST: Duration = Duration::from_secs(10);

/// Event of a host about a call.
fn event(name: &str, tool: &str, input: &Value) -> Value {
    json!({
        "session_id": "0b0c1a3e-59d1-4d0c-8f0c-5f3c7a4de901",
        "transcript_path": "/home/ana/.claude/projects/-srv/0b0c1a3e.jsonl",
        "cwd": "/srv",
        "permission_mode": "default",
        "hook_event_name": name,
        "tool_name": tool,
        "tool_input": input,
    })
}

fn start(run: &Run, home: &Path, event: &Value) -> anyhow::Result<Child> {
    let mut command = sayso(run, home);
    let mut hook = command.args(["hook", "claude-code"]).stdin(Stdio::piped()).spawn()?;
    let mut stdin = hook.stdin.take().context("no stdin")?;
    stdin.write_all(event.to_string().as_bytes())?;
    Ok(hook)
}

/// The hook from its start to its end, and to its ask, beside a program that only greets.
pub(crate) fn hooks(run: &Run, table: &mut Table) -> anyhow::Result<()> {
    let home = lived_in(run, "hooks")?;
    let path = home.join("desk.db");
    let desk = StoreDesk::open(&path)?;
    let hello = floor::hello(run.folder.path())?;
    let hello = floor::program(run.times(300), &hello, &[])?;
    let hello = || vec![Reference::from_times("hello", &hello)];
    // A call of our own tool, and the end of one that nobody is asked about: the host waits only for the hook's end.
    let passed = event("PermissionRequest", "mcp__sayso__ask", &json!({}));
    let read = event("PostToolUse", "Read", &json!({ "file_path": "/srv/notes.md" }));
    for (event, row) in [
        (passed, "`sayso hook` for a call that it passes over"),
        (read, "`sayso hook` after a tool that only reads"),
    ] {
        let times = Times::of(run.times(300), || {
            anyhow::ensure!(start(run, &home, &event)?.wait()?.success(), "the hook failed");
            Ok(())
        })?;
        table.times(row, &times, hello());
    }
    let mut times = Times::default();
    for number in 0..run.times(300) {
        times.push(asked(run, &home, &desk, number)?);
    }
    table.times("`sayso hook` until its ask is at the desk, durable", &times, hello());
    Ok(())
}

/// Measures the time until another program has read the ask of a hook, and declines it.
fn asked(run: &Run, home: &Path, desk: &StoreDesk, number: usize) -> anyhow::Result<Duration> {
    let call = json!({ "command": format!("make release-{number}"), "description": "Prepare the release" });
    let event = event("PermissionRequest", "Bash", &call);
    let mut watch = desk.watch(Interest::All, None)?;
    let begun = Instant::now();
    let mut hook = start(run, home, &event)?;
    let ask = loop {
        let changes = watch.wait(LONGEST)?.into_iter().filter_map(WatchEvent::into_change);
        let asks = changes.map(|change| desk.get(change.id)).collect::<Result<Vec<_>, _>>()?;
        if let Some(ask) = asks.into_iter().find(|ask| ask.outcome().is_none()) {
            break ask;
        }
        anyhow::ensure!(begun.elapsed() < LONGEST, "no ask");
    };
    let time = begun.elapsed();
    desk.act(&person(), ask.id, None, AskCommand::Decline { reason: None, shown: ask.request.digest })?;
    anyhow::ensure!(hook.wait()?.success(), "the hook failed");
    Ok(time)
}
