//! Scenes in which the model asks a person through our tools. In its last turn it must have what the person said.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use anyhow::bail;
use serde_json::{Value, json};

use super::{Performance, Scene};
use crate::hosts::speech::{Say, ToolName, Turn};
use crate::hosts::stage::{SAID, id, until};

/// All scenes, in the order in which they are played.
pub(super) const SCENES: &[Scene] = &[
    Scene { name: "answered at once", limit: None, fits: |_| true, script: ask, play: answered_at_once },
    Scene {
        name: "answered after the host's limit has ended the call",
        limit: Some(Duration::from_secs(4)),
        fits: |_| true,
        script: ask,
        play: answered_after_the_limit,
    },
    Scene {
        name: "host killed while it waits and started again",
        limit: None,
        fits: |_| true,
        script: ask,
        play: killed,
    },
    Scene {
        name: "members that the listed schema leaves out",
        limit: None,
        fits: |_| true,
        script: ask_whole_form,
        play: whole_form,
    },
    Scene {
        name: "two hosts at once, same question",
        limit: None,
        fits: |_| true,
        script: ask,
        play: two_hosts,
    },
];

/// Number of waits after which the model gives up.
const TRIES: usize = 6;

/// Asks, waits as long as there is no answer, and then says the answer.
fn ask(turn: &Turn, heard: &Mutex<Vec<String>>) -> Say {
    let question = json!({ "id": "what", "prompt": "What did you see, and when?" });
    ask_with(turn, heard, &json!({ "questions": [question] }))
}

/// Asks with members that the tool takes and its listed schema does not name.
fn ask_whole_form(turn: &Turn, heard: &Mutex<Vec<String>>) -> Say {
    ask_with(turn, heard, &json!({ "sections": [section()] }))
}

fn section() -> Value {
    let place =
        json!({ "id": "where", "prompt": "Where?", "kind": "text", "prefill": { "text": "at the lake" } });
    let what = json!({ "id": "what", "prompt": "What did you see, and when?", "kind": "text",
        "show_if": { "question": "where", "answered": true } });
    json!({ "title": "Birds", "questions": [place, what] })
}

fn ask_with(turn: &Turn, heard: &Mutex<Vec<String>>, arguments: &Value) -> Say {
    let Some((ask, group)) = tool(turn, "ask") else { return Say::Words("ok".to_owned()) };
    heard.lock().unwrap_or_else(PoisonError::into_inner).clone_from(&turn.results);
    match (turn.results.last(), tool(turn, "wait_for_answer")) {
        (None, _) => Say::call(ask, group, arguments.clone()),
        (Some(said), _) if said.contains(SAID) => Say::Words(format!("A person said: {SAID}")),
        (Some(_), Some((tool, group))) if turn.results.len() < TRIES => Say::call(tool, group, json!({})),
        _ => Say::Words("nobody has answered".to_owned()),
    }
}

/// Returns the name by which the host offers a tool of ours.
fn tool(turn: &Turn, name: &str) -> Option<ToolName> {
    let is_ours = |(tool, group): &&ToolName| {
        tool.ends_with(name) && format!("{} {tool}", group.as_deref().unwrap_or_default()).contains("sayso")
    };
    turn.tools.iter().find(is_ours).cloned()
}

fn answered_at_once(play: &Performance<'_>) -> anyhow::Result<()> {
    let mut host = play.start()?;
    play.stage.answer(&play.stage.asked(&mut host.child)?)?;
    host.ends_well()?;
    check_answer(play)
}

fn answered_after_the_limit(play: &Performance<'_>) -> anyhow::Result<()> {
    let mut host = play.start()?;
    let id = play.stage.asked(&mut host.child)?;
    let told = until("word of the host that the call has ended", || Ok(play.last_heard()))?;
    if told.contains("ask_id") {
        bail!("the host did not end the call by itself: {told}");
    }
    play.stage.answer(&id)?;
    host.ends_well()?;
    check_answer(play)
}

fn killed(play: &Performance<'_>) -> anyhow::Result<()> {
    let mut first = play.start()?;
    let id = play.stage.asked(&mut first.child)?;
    first.kill()?;
    play.stage.answer(&id)?;
    play.start()?.ends_well()?;
    check_answer(play)
}

fn whole_form(play: &Performance<'_>) -> anyhow::Result<()> {
    let mut host = play.start()?;
    let ask = play.stage.asked(&mut host.child)?;
    let shown = play.stage.ask(&ask)?;
    let form = shown.get("questionnaire").map(Value::to_string).unwrap_or_default();
    for part in ["\"title\":\"Birds\"", "at the lake", "show_if"] {
        if !form.contains(part) {
            bail!("the host did not pass on {part}: {form}");
        }
    }
    let said = |text: &str| json!({ "answer": { "text": text } });
    play.stage
        .answer_with(&ask, &json!({ "answers": { "where": said("at the lake"), "what": said(SAID) } }))?;
    host.ends_well()?;
    check_answer(play)
}

/// Two programs that live at the same time have an ask each, though they ask the same in the same folder.
fn two_hosts(play: &Performance<'_>) -> anyhow::Result<()> {
    let mut first = play.start()?;
    play.stage.asked(&mut first.child)?;
    let mut second = play.start()?;
    let asks = play.stage.all_asked(&mut second.child, 2)?;
    for ask in asks.iter().filter_map(id) {
        play.stage.answer(&ask)?;
    }
    first.ends_well()?;
    second.ends_well()?;
    match play.stage.asks()?.len() {
        2 => Ok(()),
        count => bail!("there are {count} asks"),
    }
}

/// Checks that the desk had one ask, and the model has its answer.
fn check_answer(play: &Performance<'_>) -> anyhow::Result<()> {
    let asks = play.stage.asks()?;
    if asks.len() != 1 {
        bail!("there are {} asks", asks.len());
    }
    if !play.last_heard().is_some_and(|last| last.contains(SAID)) {
        bail!("the model did not get the answer: {:?}", play.last_heard());
    }
    Ok(())
}
