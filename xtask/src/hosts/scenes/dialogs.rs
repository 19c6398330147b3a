//! Scenes in which the host's own dialog is open to a person too: on its screen, or over its own HTTP.

use std::sync::{Mutex, PoisonError};
use std::thread;

use anyhow::{Context, bail};
use serde_json::{Value, json};

use super::{Performance, Scene};
use crate::hosts::fronts::{DialogChoice, Front, FrontKind};
use crate::hosts::programs::Host;
use crate::hosts::speech::{Say, ToolCall, Turn};
use crate::hosts::stage::{id, until};

/// All scenes, in the order in which they are played.
pub(super) const SCENES: &[Scene] = &[
    Scene { name: "question answered at the desk", play: question_at_desk, ..QUESTION },
    Scene { name: "question answered in the host first", play: question_in_dialog, ..QUESTION },
    Scene { name: "question answered in both at once", play: question_in_both, ..QUESTION },
    Scene { name: "two hosts at once ask the same", play: two_hosts, ..QUESTION },
    Scene { name: "question: host killed and started again", play: restarted, ..QUESTION },
    Scene { name: "permission given at the desk, dialog open", play: allowed_at_desk, ..PERMISSION },
    Scene { name: "permission denied at the desk, dialog open", play: denied_at_desk, ..PERMISSION },
    Scene { name: "permission given in the dialog", play: allowed_in_dialog, ..RACE },
    Scene { name: "permission denied in the dialog", play: denied_in_dialog, ..RACE },
    Scene { name: "host killed while it waits", play: host_killed, ..PERMISSION },
    Scene { name: "hook killed, then the dialog", play: hook_killed, ..PERMISSION },
    Scene { name: "desk's server killed while it waits", play: server_killed, ..PERMISSION },
    Scene { name: "after the hook's time", play: after_the_limit, ..LIMITED },
    Scene { name: "hook gives way", play: gives_way, ..BLOCKING },
];

/// The parts that scenes of one kind share.
const QUESTION: Scene = Scene {
    name: "",
    limit: None,
    fits: |host: &Host| host.front.is_some_and(FrontKind::races),
    script: question,
    play: question_at_desk,
};
pub(super) const PERMISSION: Scene =
    Scene { fits: |host: &Host| host.front.is_some(), script: command, ..QUESTION };
const RACE: Scene = Scene { fits: QUESTION.fits, ..PERMISSION };
const LIMITED: Scene = Scene { fits: |host: &Host| host.front == Some(FrontKind::ClaudeCode), ..PERMISSION };
const BLOCKING: Scene =
    Scene { fits: |host: &Host| host.front.is_some_and(|front| !front.races()), ..PERMISSION };

/// Words of the person who denies.
pub(super) const REASON: &str = "not on a Friday, ask the heron";
/// File that the model's command makes.
pub(super) const FILE: &str = "first.txt";
/// Tools that ask a person, and those that run a command, as the hosts name them.
pub(super) const QUESTION_TOOLS: [&str; 2] = ["AskUserQuestion", "question"];
const COMMAND_TOOLS: [&str; 3] = ["Bash", "bash", "exec_command"];

pub(super) fn tool(turn: &Turn, names: &[&str]) -> Option<(String, Option<String>)> {
    turn.tools.iter().find(|(name, _)| names.contains(&name.as_str())).cloned()
}

/// Keeps what the tools said; true if there is nothing yet.
pub(super) fn is_first(turn: &Turn, heard: &Mutex<Vec<String>>) -> bool {
    if !turn.results.is_empty() {
        heard.lock().unwrap_or_else(PoisonError::into_inner).clone_from(&turn.results);
    }
    turn.results.is_empty()
}

fn question(turn: &Turn, heard: &Mutex<Vec<String>>) -> Say {
    match tool(turn, &QUESTION_TOOLS) {
        Some((tool, group)) if is_first(turn, heard) => {
            let options = json!([
                { "label": "Postgres", "description": "Relational" },
                { "label": "Mongo", "description": "Documents" },
            ]);
            let question = json!({ "question": "Which database?", "header": "Database", "options": options,
                "multiSelect": false });
            Say::call(tool, group, json!({ "questions": [question] }))
        }
        _ => Say::Words("done".to_owned()),
    }
}

fn command(turn: &Turn, heard: &Mutex<Vec<String>>) -> Say {
    run_commands(turn, heard, &[FILE])
}

/// Makes each file by a command of its own, all at once, and then stops.
pub(super) fn run_commands(turn: &Turn, heard: &Mutex<Vec<String>>, files: &[&str]) -> Say {
    match tool(turn, &COMMAND_TOOLS) {
        Some((tool, group)) if is_first(turn, heard) => {
            let call = |file: &&str| {
                let line = format!("touch {file}");
                let arguments = if tool == "exec_command" {
                    json!({ "cmd": line, "justification": "Make a file", "sandbox_permissions": "require_escalated" })
                } else {
                    json!({ "command": line, "description": "Make a file" })
                };
                ToolCall { tool: tool.clone(), group: group.clone(), arguments }
            };
            Say::Calls(files.iter().map(call).collect())
        }
        _ => Say::Words("done".to_owned()),
    }
}

fn question_at_desk(play: &Performance<'_>) -> anyhow::Result<()> {
    let mut front = play.open()?;
    let ask = play.open_ask(0)?;
    front.wait_for_dialog(DialogChoice::SecondOption)?;
    play.stage.answer_with(&ask, &pick("o2"))?;
    play.hears("Mongo")
}

fn question_in_dialog(play: &Performance<'_>) -> anyhow::Result<()> {
    let mut front = play.open()?;
    let ask = play.open_ask(0)?;
    front.choose(DialogChoice::SecondOption)?;
    play.hears("Mongo")?;
    play.is_cancelled(&ask, "answered_in_host")
}

fn question_in_both(play: &Performance<'_>) -> anyhow::Result<()> {
    let mut front = play.open()?;
    let ask = play.open_ask(0)?;
    front.wait_for_dialog(DialogChoice::SecondOption)?;
    let at_desk = thread::scope(|scope| {
        let desk = scope.spawn(|| play.stage.answer_with(&ask, &pick("o1")).is_ok());
        let dialog = front.choose(DialogChoice::SecondOption);
        dialog.map(|()| desk.join().unwrap_or_default())
    })?;
    let heard = until("answer", || Ok(play.last_heard()))?;
    let state = play.end_of(&ask)?;
    // The model has one answer; an ask that was taken back is the dialog's.
    match (state.as_str(), heard.contains("Mongo"), heard.contains("Postgres")) {
        ("cancelled" | "answered", true, false) | ("answered", false, true) => Ok(()),
        _ => bail!("{state}, the desk took the answer: {at_desk}, the model heard {heard}"),
    }
}

fn two_hosts(play: &Performance<'_>) -> anyhow::Result<()> {
    let first = play.open()?;
    let ask = play.open_ask(0)?;
    let second = play.again()?;
    let other = play.open_ask(1)?;
    play.stage.answer_with(&other, &pick("o1"))?;
    play.hears("Postgres")?;
    if play.state(&ask)? != "open" {
        bail!("the answer to one ended the other");
    }
    play.stage.answer_with(&ask, &pick("o2"))?;
    play.hears("Mongo")?;
    drop((first, second));
    Ok(())
}

fn restarted(play: &Performance<'_>) -> anyhow::Result<()> {
    let mut first = play.open()?;
    let ask = play.open_ask(0)?;
    first.kill()?;
    let _second = play.again()?;
    let other = play.open_ask(1)?;
    play.is_cancelled(&ask, "host_ended")?;
    play.stage.answer_with(&other, &pick("o2"))?;
    play.hears("Mongo")
}

fn allowed_at_desk(play: &Performance<'_>) -> anyhow::Result<()> {
    let _inbox = play.stage.open_inbox()?;
    let _front = play.open()?;
    play.stage.answer_with(&play.open_ask(0)?, &json!({ "allow": true }))?;
    play.is_made()
}

fn denied_at_desk(play: &Performance<'_>) -> anyhow::Result<()> {
    let _inbox = play.stage.open_inbox()?;
    let _front = play.open()?;
    play.stage.decline(&play.open_ask(0)?, REASON)?;
    play.hears(REASON)?;
    play.is_not_made()
}

fn allowed_in_dialog(play: &Performance<'_>) -> anyhow::Result<()> {
    let mut front = play.open()?;
    let ask = play.open_ask(0)?;
    front.choose(DialogChoice::Allow)?;
    play.is_made()?;
    play.end_of(&ask).and_then(|state| is("cancelled", &state))
}

fn denied_in_dialog(play: &Performance<'_>) -> anyhow::Result<()> {
    let mut front = play.open()?;
    let ask = play.open_ask(0)?;
    front.choose(DialogChoice::Deny)?;
    play.end_of(&ask).and_then(|state| is("cancelled", &state))?;
    play.is_not_made()
}

fn host_killed(play: &Performance<'_>) -> anyhow::Result<()> {
    let _inbox = play.stage.open_inbox()?;
    let mut front = play.open()?;
    let ask = play.open_ask(0)?;
    front.kill()?;
    play.is_cancelled(&ask, "host_ended")?;
    play.is_not_made()
}

fn hook_killed(play: &Performance<'_>) -> anyhow::Result<()> {
    let _inbox = play.stage.open_inbox()?;
    let mut front = play.open()?;
    let ask = play.open_ask(0)?;
    play.stage.kill_hook(&ask)?;
    front.choose(DialogChoice::Allow)?;
    play.is_made()?;
    play.end_of(&ask).and_then(|state| is("cancelled", &state))
}

fn server_killed(play: &Performance<'_>) -> anyhow::Result<()> {
    let mut server = play.stage.serve()?;
    let _inbox = play.stage.open_inbox()?;
    let mut front = play.open()?;
    play.open_ask(0)?;
    server.kill()?;
    server.wait()?;
    if !play.races() {
        // Codex asks once its hook has given way.
        front.wait_for_dialog(DialogChoice::Allow)?;
    }
    front.choose(DialogChoice::Allow)?;
    play.is_made()
}

fn after_the_limit(play: &Performance<'_>) -> anyhow::Result<()> {
    play.prepare()?;
    play.stage.edit("home/.claude/settings.json", "86400", "3")?;
    let mut front = play.again()?;
    let ask = play.open_ask(0)?;
    play.is_cancelled(&ask, "given_back")?;
    front.choose(DialogChoice::Allow)?;
    play.is_made()
}

fn gives_way(play: &Performance<'_>) -> anyhow::Result<()> {
    let _inbox = play.stage.open_inbox()?;
    play.stage.write("home/.config/sayso/config.toml", "[hooks]\ngive_way_seconds = 2\n")?;
    let mut front = play.open()?;
    let ask = play.open_ask(0)?;
    front.choose(DialogChoice::Allow)?;
    play.is_made()?;
    play.is_cancelled(&ask, "given_back")
}

fn pick(option: &str) -> Value {
    json!({ "q0": { "answer": { "picks": [{ "option": option }] } } })
}

fn is(expected: &str, state: &str) -> anyhow::Result<()> {
    if state != expected {
        bail!("the ask is {state}, not {expected}");
    }
    Ok(())
}

impl Performance<'_> {
    fn front(&self) -> anyhow::Result<FrontKind> {
        self.host.front.context("the host has no front")
    }

    fn races(&self) -> bool {
        self.host.front.is_some_and(FrontKind::races)
    }

    fn prepare(&self) -> anyhow::Result<()> {
        self.front()?.prepare(self.place(), self.host.name)
    }

    /// Sets the host up, and starts it with a prompt.
    pub(super) fn open(&self) -> anyhow::Result<Box<dyn Front>> {
        self.prepare()?;
        self.again()
    }

    /// Starts it once more.
    fn again(&self) -> anyhow::Result<Box<dyn Front>> {
        self.front()?.start(self.place(), "Find out what the person saw.")
    }

    /// The id of the ask that comes after so many others.
    pub(super) fn open_ask(&self, after: usize) -> anyhow::Result<String> {
        let asks = until("question of the host", || {
            let asks = self.stage.asks_if_any()?;
            Ok((asks.len() > after).then_some(asks))
        })?;
        let mut open = asks.iter().filter(|ask| ask.get("state").and_then(Value::as_str) == Some("open"));
        // The newest is the first.
        open.find_map(id).context("no ask is open")
    }

    fn state(&self, ask: &str) -> anyhow::Result<String> {
        let ask = self.stage.ask(ask)?;
        ask.get("state").and_then(Value::as_str).map(str::to_owned).context("an ask has a state")
    }

    /// Waits for the end of an ask, and gives its state.
    fn end_of(&self, ask: &str) -> anyhow::Result<String> {
        until("end of the ask", || Ok(Some(self.state(ask)?).filter(|state| state != "open")))
    }

    fn is_cancelled(&self, ask: &str, reason: &str) -> anyhow::Result<()> {
        is("cancelled", &self.end_of(ask)?)?;
        let shown = self.stage.ask(ask)?;
        match shown.pointer("/phase/settled/reason").and_then(Value::as_str) {
            Some(given) if given == reason => Ok(()),
            given => bail!("the ask ended by {given:?}, not {reason}"),
        }
    }

    pub(super) fn hears(&self, words: &str) -> anyhow::Result<()> {
        let heard =
            until("answer to the model", || Ok(self.last_heard().filter(|heard| heard.contains(words))));
        heard.map(drop).with_context(|| format!("the model heard {:?}", self.last_heard()))
    }

    pub(super) fn is_made(&self) -> anyhow::Result<()> {
        until("file of the command", || Ok(self.has_made(FILE).then_some(())))
    }

    fn is_not_made(&self) -> anyhow::Result<()> {
        if self.has_made(FILE) {
            bail!("the command has run");
        }
        Ok(())
    }

    pub(super) fn has_made(&self, file: &str) -> bool {
        self.stage.path("work").join(file).exists()
    }
}
