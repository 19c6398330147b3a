//! Scenes in which the host asks for a permission, and its hook brings that to the desk.

use std::fs;
use std::sync::{Mutex, PoisonError};

use anyhow::{Context, bail};
use serde_json::{Value, json};

use super::{Performance, Running, Scene};
use crate::hosts::person::OpenInbox;
use crate::hosts::programs::Host;
use crate::hosts::speech::{Say, ToolCall, Turn};
use crate::hosts::stage::{id, until};

/// All scenes, in the order in which they are played.
pub(super) const SCENES: &[Scene] = &[
    Scene { name: "permission given at the desk", script: one_call, play: allowed, ..PERMISSION },
    Scene { name: "permission denied with words", script: one_call, play: denied, ..PERMISSION },
    Scene { name: "two permissions at once", script: two_calls, play: two_at_once, ..PERMISSION },
    Scene { name: "host killed before the answer", script: one_call, play: killed, ..PERMISSION },
    Scene { name: "no desk", script: one_call, play: no_desk, ..PERMISSION },
];

/// The parts that these scenes share.
const PERMISSION: Scene = Scene {
    name: "",
    limit: None,
    fits: |host: &Host| host.shell_tool.is_some(),
    script: one_call,
    play: allowed,
};

/// Words of the person who denies.
const REASON: &str = "not on a Friday, ask the heron";
/// Files that the model's commands make.
const FILES: [&str; 2] = ["first.txt", "second.txt"];

fn one_call(turn: &Turn, heard: &Mutex<Vec<String>>) -> Say {
    run_commands(turn, heard, &FILES[..1])
}

fn two_calls(turn: &Turn, heard: &Mutex<Vec<String>>) -> Say {
    run_commands(turn, heard, &FILES)
}

/// Runs a command for each file, all at once, and then stops.
fn run_commands(turn: &Turn, heard: &Mutex<Vec<String>>, files: &[&str]) -> Say {
    let shell = turn.tools.iter().find(|(name, _)| name.eq_ignore_ascii_case("bash"));
    let Some((tool, group)) = shell else { return Say::Words("ok".to_owned()) };
    heard.lock().unwrap_or_else(PoisonError::into_inner).clone_from(&turn.results);
    if !turn.results.is_empty() {
        return Say::Words("done".to_owned());
    }
    let call = |file: &&str| ToolCall {
        tool: tool.clone(),
        group: group.clone(),
        arguments: json!({ "command": format!("touch {file}"), "description": "Make a file" }),
    };
    Say::Calls(files.iter().map(call).collect())
}

fn allowed(play: &Performance<'_>) -> anyhow::Result<()> {
    let (_inbox, mut host) = start(play)?;
    let ask = play.stage.asked(&mut host.child)?;
    check_action(play, &ask, FILES[0])?;
    play.stage.answer_with(&ask, &json!({ "allow": true }))?;
    host.ends_well()?;
    check_files(play, &FILES[..1])
}

fn denied(play: &Performance<'_>) -> anyhow::Result<()> {
    let (_inbox, mut host) = start(play)?;
    let ask = play.stage.asked(&mut host.child)?;
    play.stage.decline(&ask, REASON)?;
    host.ends()?;
    check_files(play, &[])?;
    if !play.last_heard().is_some_and(|heard| heard.contains(REASON)) {
        bail!("the model did not get the reason: {:?}", play.last_heard());
    }
    Ok(())
}

fn two_at_once(play: &Performance<'_>) -> anyhow::Result<()> {
    let (_inbox, mut host) = start(play)?;
    // Some hosts ask for the second once the first is settled.
    let mut waiting = FILES.to_vec();
    while !waiting.is_empty() {
        let done = FILES.len() - waiting.len();
        let asks = play.stage.all_asked(&mut host.child, done + 1)?;
        let open = asks.iter().filter(|ask| ask.get("state").and_then(Value::as_str) == Some("open"));
        for ask in open {
            let ask = id(ask).context("an ask has an id")?;
            let shown = play.stage.ask(&ask)?.to_string();
            let Some(at) = waiting.iter().position(|file| shown.contains(*file)) else { continue };
            match waiting.remove(at) {
                file if file == FILES[0] => play.stage.decline(&ask, REASON)?,
                _ => play.stage.answer_with(&ask, &json!({ "allow": true }))?,
            }
        }
    }
    host.ends()?;
    check_files(play, &FILES[1..])
}

fn killed(play: &Performance<'_>) -> anyhow::Result<()> {
    let (_inbox, mut host) = start(play)?;
    let ask = play.stage.asked(&mut host.child)?;
    host.kill()?;
    until("end of the ask", || {
        let state = play.stage.ask(&ask)?.get("state").and_then(Value::as_str).map(str::to_owned);
        Ok(state.filter(|state| state != "open"))
    })?;
    check_files(play, &[])
}

fn no_desk(play: &Performance<'_>) -> anyhow::Result<()> {
    // A folder takes the place of the file.
    fs::create_dir(play.stage.path("desk.db"))?;
    play.stage.set_up(play.host.name)?;
    play.start()?.ends()?;
    check_files(play, &[])
}

/// Sets the host up, and starts it while a person has the inbox open.
fn start(play: &Performance<'_>) -> anyhow::Result<(OpenInbox, Running)> {
    play.stage.set_up(play.host.name)?;
    Ok((play.stage.open_inbox()?, play.start()?))
}

/// Checks that the person sees the command.
fn check_action(play: &Performance<'_>, ask: &str, file: &str) -> anyhow::Result<()> {
    let shown = play.stage.ask(ask)?.to_string();
    if !shown.contains(&format!("touch {file}")) {
        bail!("the ask does not show the command: {shown}");
    }
    Ok(())
}

/// Checks that these files were made, and no other.
fn check_files(play: &Performance<'_>, made: &[&str]) -> anyhow::Result<()> {
    for file in FILES {
        let is_made = play.stage.path("work").join(file).exists();
        if is_made != made.contains(&file) {
            bail!("{file} was {}made", if is_made { "" } else { "not " });
        }
    }
    Ok(())
}
