//! Scenes in which the agent speaks and asks.

use std::sync::{Mutex, PoisonError};

use anyhow::{Context, bail};
use serde_json::{Value, json};

use super::{MOST_INTERRUPTS, PROMPT, ThreadRun, ThreadScene, TurnEvents};
use crate::hosts::model_calls::question_arguments;
use crate::hosts::protocol::{ModelReply, ModelRequest};

/// All scenes, in the order in which they are run.
pub(super) const SCENES: &[ThreadScene] = &[
    ThreadScene { name: "text in a thread", fits: |_| true, script: say, run: chat },
    ThreadScene { name: "question answered in a thread", run: answered, ..QUESTION },
];

/// Base of the scenes with a question.
pub(super) const QUESTION: ThreadScene =
    ThreadScene { name: "", fits: |agent| agent.has_questions, script: ask_question, run: answered };

/// Text of the model.
const WORDS: &str = "A grey heron, at 4:17.";
/// Option that the person picks.
const PICK: &str = "Mongo";

/// Stores the results in a request; returns true if it continues after one, and is not the person's message again.
pub(super) fn has_result(request: &ModelRequest, tool_results: &Mutex<Vec<String>>) -> bool {
    let follows = !request.results.is_empty() && !request.last_words.contains(PROMPT);
    if follows {
        tool_results.lock().unwrap_or_else(PoisonError::into_inner).clone_from(&request.results);
    }
    follows
}

fn say(_: &ModelRequest, _: &Mutex<Vec<String>>) -> ModelReply {
    ModelReply::Text(WORDS.to_owned())
}

/// Asks with the agent's own tool, otherwise with the one that each session gets.
fn ask_question(request: &ModelRequest, tool_results: &Mutex<Vec<String>>) -> ModelReply {
    if has_result(request, tool_results) {
        return ModelReply::Text("done".to_owned());
    }
    let options = json!([{ "label": "Postgres", "value": "Postgres" }, { "label": PICK, "value": PICK }]);
    let questions = json!({ "questions": [{ "question": "Which database?", "options": options }] });
    let own = request.find_tool(&["AskUserQuestion"]).map(|tool| (tool, question_arguments()));
    let tool = own.or_else(|| Some((request.find_our_tool("ask_user")?, questions)));
    match tool {
        Some(((tool, group), arguments)) => ModelReply::call(tool, group, arguments),
        None => ModelReply::Text("There is no tool that asks.".to_owned()),
    }
}

/// Sends the person's message, allows the agent to use its tool, and returns the events up to the question.
pub(super) fn send_until_question(run: &ThreadRun<'_>) -> anyhow::Result<TurnEvents> {
    let mut events = run.send_until_interrupt()?;
    for _ in 0..MOST_INTERRUPTS {
        match events.interrupt() {
            Some(asked) if questions(asked).is_none() => events = run.person.resume(&answer(asked)?)?,
            Some(_) => return Ok(events),
            None => break,
        }
    }
    bail!("the agent did not ask its question: {events:?}")
}

fn questions(asked: &Value) -> Option<&Value> {
    asked.get("questions").filter(|questions| !questions.is_null())
}

/// Picks an option, or allows the agent to use its tool.
pub(super) fn answer(asked: &Value) -> anyhow::Result<Value> {
    let Some(questions) = questions(asked) else { return Ok(json!({ "action": "continue" })) };
    let options =
        questions.pointer("/0/options").and_then(Value::as_array).context("a question has options")?;
    let is_picked = |option: &&Value| {
        option.get("label").and_then(Value::as_str).is_some_and(|label| label.starts_with(PICK))
    };
    let value = options.iter().find(is_picked).and_then(|option| option.get("value"));
    Ok(json!({ "action": "answer", "answers": [value.context("the option is missing")?] }))
}

fn chat(run: &mut ThreadRun<'_>) -> anyhow::Result<()> {
    let events = run.person.send_message(PROMPT)?;
    run.check_idle(&events)?;
    if !events.text().contains(WORDS) || !events.errors().is_empty() {
        bail!("the agent did not say {WORDS:?} alone: {events:?}");
    }
    Ok(())
}

fn answered(run: &mut ThreadRun<'_>) -> anyhow::Result<()> {
    let events = send_until_question(run)?;
    let events = run.decide_all(events, answer)?;
    if !events.errors().is_empty() {
        bail!("the person read an error: {events:?}");
    }
    check_answer(run)
}

/// Checks that the model has the answer.
pub(super) fn check_answer(run: &ThreadRun<'_>) -> anyhow::Result<()> {
    run.check_result(PICK)
}
