//! Scenes with more than one call or more than one agent, with the host's own dialog open to a person too.

use std::sync::Mutex;

use anyhow::{Context, bail};
use serde_json::{Value, json};

use super::dialogs::{FILE, PERMISSION, QUESTION_TOOLS, REASON, is_first, run_commands, tool};
use super::{Performance, Scene};
use crate::hosts::fronts::FrontKind;
use crate::hosts::programs::Host;
use crate::hosts::speech::{Say, Turn};
use crate::hosts::stage::{id, until};

/// All scenes, in the order in which they are played.
pub(super) const SCENES: &[Scene] = &[
    Scene {
        name: "agent of an agent asks",
        script: by_agent,
        play: agents_agent,
        fits: has_agents,
        ..PERMISSION
    },
    Scene {
        name: "two permissions at once, dialog open",
        script: two_commands,
        play: two_at_once,
        ..PERMISSION
    },
];

/// File that the second command makes.
const SECOND: &str = "second.txt";

/// True if agents of this host start others that a test can tell from the first.
fn has_agents(host: &Host) -> bool {
    host.front.is_some_and(|front| [FrontKind::ClaudeCode, FrontKind::OpenCode].contains(&front))
}

/// The session's own agent starts another one, which runs the command. Only the first can start any: in Claude Code it
/// is the one that has a tool for questions.
fn by_agent(turn: &Turn, heard: &Mutex<Vec<String>>) -> Say {
    let has_questions = tool(turn, &QUESTION_TOOLS).is_some();
    let start = tool(turn, &["task"]).or_else(|| tool(turn, &["Agent"]).filter(|_| has_questions));
    match start {
        Some((tool, group)) if is_first(turn, heard) => {
            let kind = if tool == "task" { "general" } else { "general-purpose" };
            let arguments =
                json!({ "description": "Make a file", "prompt": "Make the file.", "subagent_type": kind });
            Say::call(tool, group, arguments)
        }
        Some(_) => Say::Words("done".to_owned()),
        None => run_commands(turn, heard, &[FILE]),
    }
}

fn two_commands(turn: &Turn, heard: &Mutex<Vec<String>>) -> Say {
    run_commands(turn, heard, &[FILE, SECOND])
}

fn agents_agent(play: &Performance<'_>) -> anyhow::Result<()> {
    // Claude Code's dialog comes only after the hook, which needs a person.
    let _inbox = play.stage.open_inbox()?;
    let _front = play.open()?;
    let ask = play.open_ask(0)?;
    play.stage.answer_with(&ask, &json!({ "allow": true }))?;
    play.is_made()
}

/// The first is allowed before the second is denied, whether both are open or one after the other: some hosts deny all
/// that is open with one.
fn two_at_once(play: &Performance<'_>) -> anyhow::Result<()> {
    let _inbox = play.stage.open_inbox()?;
    let _front = play.open()?;
    play.stage.answer_with(&ask_about(play, FILE)?, &json!({ "allow": true }))?;
    play.stage.decline(&ask_about(play, SECOND)?, REASON)?;
    play.is_made()?;
    play.hears(REASON)?;
    if play.has_made(SECOND) {
        bail!("the denied command has run");
    }
    Ok(())
}

/// Waits for the open ask about a file, and gives its id.
fn ask_about(play: &Performance<'_>, file: &str) -> anyhow::Result<String> {
    until("question of the host", || {
        for ask in play.stage.asks_if_any()? {
            let is_open = ask.get("state").and_then(Value::as_str) == Some("open");
            let ask = id(&ask).context("an ask has an id")?;
            if is_open && play.stage.ask(&ask)?.to_string().contains(file) {
                return Ok(Some(ask));
            }
        }
        Ok(None)
    })
}
