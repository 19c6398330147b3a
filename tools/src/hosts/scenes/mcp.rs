//! Scenes in which the model asks through our MCP tools. Its last request must contain the person's answer.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use anyhow::bail;
use serde_json::{Value, json};

use super::{Scene, SceneRun};
use crate::hosts::protocol::{ModelReply, ModelRequest};
use crate::hosts::sandbox::{ANSWER_TEXT, id, poll_until};

/// All scenes, in the order in which they are run.
pub(super) const SCENES: &[Scene] = &[
    Scene { name: "answered at once", limit: None, fits: |_| true, script: ask, run: answered_at_once },
    Scene {
        name: "answered after the host's limit has ended the call",
        limit: Some(HOST_LIMIT),
        fits: |_| true,
        script: ask,
        run: answered_after_the_limit,
    },
    Scene {
        name: "host killed while it waits and started again",
        limit: None,
        fits: |_| true,
        script: ask,
        run: killed,
    },
    Scene {
        name: "members that the listed schema leaves out",
        limit: None,
        fits: |_| true,
        script: ask_whole_form,
        run: whole_form,
    },
    Scene {
        name: "two hosts at once, same question",
        limit: None,
        fits: |_| true,
        script: ask,
        run: two_hosts,
    },
];

/// Time limit of a call in the host's own settings. Some hosts also end the connection with it, if the server does not
/// start in time.
const HOST_LIMIT: Duration = Duration::from_secs(6);
/// Number of calls after which the model gives up. The person answers during the first or second wait.
const MOST_CALLS: usize = 30;

/// Asks one question, waits until there is an answer, and then repeats it.
pub(super) fn ask(request: &ModelRequest, tool_results: &Mutex<Vec<String>>) -> ModelReply {
    let question = json!({ "id": "what", "prompt": "What did you see, and when?" });
    ask_with(request, tool_results, &json!({ "questions": [question] }))
}

/// Asks with members that the tool takes, but its listed schema does not name.
fn ask_whole_form(request: &ModelRequest, tool_results: &Mutex<Vec<String>>) -> ModelReply {
    ask_with(request, tool_results, &json!({ "sections": [section()] }))
}

fn section() -> Value {
    let place =
        json!({ "id": "where", "prompt": "Where?", "kind": "text", "prefill": { "text": "at the lake" } });
    let what = json!({ "id": "what", "prompt": "What did you see, and when?", "kind": "text",
        "show_if": { "question": "where", "answered": true } });
    json!({ "title": "Birds", "questions": [place, what] })
}

pub(super) fn ask_with(
    request: &ModelRequest,
    tool_results: &Mutex<Vec<String>>,
    arguments: &Value,
) -> ModelReply {
    let Some((ask, group)) = request.find_our_tool("ask") else { return ModelReply::Text("ok".to_owned()) };
    tool_results.lock().unwrap_or_else(PoisonError::into_inner).clone_from(&request.results);
    match (request.results.last(), request.find_our_tool("wait_for_answer")) {
        (None, _) => ModelReply::call(ask, group, arguments.clone()),
        (Some(result), _) if result.contains(ANSWER_TEXT) => {
            ModelReply::Text(format!("A person said: {ANSWER_TEXT}"))
        }
        (Some(_), Some((tool, group))) if request.results.len() < MOST_CALLS => {
            ModelReply::call(tool, group, json!({}))
        }
        _ => ModelReply::Text("nobody has answered".to_owned()),
    }
}

fn answered_at_once(run: &SceneRun<'_>) -> anyhow::Result<()> {
    let mut host = run.start()?;
    run.sandbox.answer(&run.sandbox.wait_for_ask(&mut host.child)?)?;
    host.ends_well()?;
    check_answer(run)
}

fn answered_after_the_limit(run: &SceneRun<'_>) -> anyhow::Result<()> {
    let mut host = run.start()?;
    let id = run.sandbox.wait_for_ask(&mut host.child)?;
    let result = poll_until("error of the host that the call has ended", || Ok(run.last_tool_result()))?;
    if result.contains("ask_id") {
        bail!("the host did not end the call by itself: {result}");
    }
    run.sandbox.answer(&id)?;
    host.ends_well()?;
    check_answer(run)
}

fn killed(run: &SceneRun<'_>) -> anyhow::Result<()> {
    let mut first = run.start()?;
    let id = run.sandbox.wait_for_ask(&mut first.child)?;
    first.kill()?;
    run.sandbox.answer(&id)?;
    run.start()?.ends_well()?;
    check_answer(run)
}

fn whole_form(run: &SceneRun<'_>) -> anyhow::Result<()> {
    let mut host = run.start()?;
    let ask = run.sandbox.wait_for_ask(&mut host.child)?;
    let shown = run.sandbox.ask(&ask)?;
    let form = shown.get("questionnaire").map(Value::to_string).unwrap_or_default();
    for part in ["\"title\":\"Birds\"", "at the lake", "show_if"] {
        if !form.contains(part) {
            bail!("the host did not pass on {part}: {form}");
        }
    }
    let text_reply = |text: &str| json!({ "answer": { "text": text } });
    run.sandbox.answer_with(
        &ask,
        &json!({ "answers": { "where": text_reply("at the lake"), "what": text_reply(ANSWER_TEXT) } }),
    )?;
    host.ends_well()?;
    check_answer(run)
}

/// Two programs that run at the same time have two asks, though they ask the same in the same folder.
fn two_hosts(run: &SceneRun<'_>) -> anyhow::Result<()> {
    let mut first = run.start()?;
    run.sandbox.wait_for_ask(&mut first.child)?;
    let mut second = run.start()?;
    let asks = run.sandbox.wait_for_asks(&mut second.child, 2)?;
    for ask in asks.iter().filter_map(id) {
        run.sandbox.answer(&ask)?;
    }
    first.ends_well()?;
    second.ends_well()?;
    match run.sandbox.asks()?.len() {
        2 => Ok(()),
        count => bail!("there are {count} asks"),
    }
}

/// Checks that the desk had one ask, and that the model has its answer.
fn check_answer(run: &SceneRun<'_>) -> anyhow::Result<()> {
    let asks = run.sandbox.asks()?;
    if asks.len() != 1 {
        bail!("there are {} asks", asks.len());
    }
    if !run.last_tool_result().is_some_and(|last| last.contains(ANSWER_TEXT)) {
        bail!("the model did not get the answer: {:?}", run.last_tool_result());
    }
    Ok(())
}
