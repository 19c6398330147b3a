//! Scenes in which a person can also answer in the host's own dialog: on its screen, or over its HTTP.

use std::sync::{Mutex, PoisonError};
use std::thread;

use anyhow::{Context, bail};
use serde_json::{Value, json};

use super::commands::{REASON, is_first, run_one_command};
use super::{Scene, SceneRun};
use crate::hosts::host::Host;
use crate::hosts::interfaces::{DialogChoice, HostInterface, InterfaceKind};
use crate::hosts::model_calls::question_arguments;
use crate::hosts::protocol::{ModelReply, ModelRequest};
use crate::hosts::sandbox::{id, poll_until};

/// All scenes, in the order in which they are run.
pub(super) const SCENES: &[Scene] = &[
    Scene { name: "question answered at the desk", run: question_at_desk, ..QUESTION },
    Scene { name: "question declined at the desk", run: question_declined, ..QUESTION },
    Scene { name: "question answered in the host first", run: question_in_dialog, ..QUESTION },
    Scene { name: "question answered in both at once", run: question_in_both, ..QUESTION },
    Scene { name: "two hosts at once ask the same", run: two_hosts, ..QUESTION },
    Scene { name: "question: host killed and started again", run: restarted, ..QUESTION },
    Scene { name: "permission given at the desk, dialog open", run: allowed_at_desk, ..PERMISSION },
    Scene { name: "permission denied at the desk, dialog open", run: denied_at_desk, ..PERMISSION },
    Scene { name: "permission given in the dialog", run: allowed_in_dialog, ..RACE },
    Scene { name: "permission denied in the dialog", run: denied_in_dialog, ..RACE },
    Scene { name: "host killed while it waits", run: host_killed, ..PERMISSION },
    Scene { name: "host killed just before a yes", run: killed_before_yes, ..PERMISSION },
    Scene { name: "hook killed, then the dialog", run: hook_killed, ..PERMISSION },
    Scene { name: "desk's server killed while it waits", run: server_killed, ..PERMISSION },
    Scene { name: "after the hook's time", run: after_the_limit, ..LIMITED },
    Scene { name: "hook gives way", run: gives_way, ..BLOCKING },
];

/// Base of the scenes with a question of the host's own.
const QUESTION: Scene = Scene {
    name: "",
    limit: None,
    fits: |host: &Host| host.interface.is_some_and(InterfaceKind::races),
    script: ask_question,
    run: question_at_desk,
};
/// Base of the scenes with a permission.
pub(super) const PERMISSION: Scene =
    Scene { fits: |host: &Host| host.interface.is_some(), script: run_one_command, ..QUESTION };
/// Base of the scenes with a permission in hosts whose dialog is open while the hook runs.
const RACE: Scene = Scene { fits: QUESTION.fits, ..PERMISSION };
/// Base of the scenes in which a host ends its hook.
pub(super) const LIMITED: Scene =
    Scene { fits: |host: &Host| host.interface == Some(InterfaceKind::ClaudeCode), ..PERMISSION };
/// Base of the scenes in hosts that show no dialog while the hook runs.
const BLOCKING: Scene =
    Scene { fits: |host: &Host| host.interface.is_some_and(|interface| !interface.races()), ..PERMISSION };

/// Names of the tools that ask a person.
pub(super) const QUESTION_TOOLS: [&str; 2] = ["AskUserQuestion", "question"];

/// Asks with the host's own tool.
fn ask_question(request: &ModelRequest, tool_results: &Mutex<Vec<String>>) -> ModelReply {
    match request.find_tool(&QUESTION_TOOLS) {
        Some((tool, group)) if is_first(request, tool_results) => {
            ModelReply::call(tool, group, question_arguments())
        }
        _ => ModelReply::Text("done".to_owned()),
    }
}

fn question_at_desk(run: &SceneRun<'_>) -> anyhow::Result<()> {
    let mut interface = run.set_up_and_start()?;
    let ask = run.wait_for_ask(0)?;
    interface.wait_for_dialog(DialogChoice::SecondOption)?;
    run.sandbox.answer_with(&ask, &pick("o2"))?;
    run.wait_for_result("Mongo")
}

fn question_declined(run: &SceneRun<'_>) -> anyhow::Result<()> {
    let _interface = run.set_up_and_start()?;
    run.sandbox.decline(&run.wait_for_ask(0)?, REASON)?;
    run.wait_for_result(REASON)
}

fn question_in_dialog(run: &SceneRun<'_>) -> anyhow::Result<()> {
    let mut interface = run.set_up_and_start()?;
    let ask = run.wait_for_ask(0)?;
    interface.choose(DialogChoice::SecondOption)?;
    run.wait_for_result("Mongo")?;
    run.check_cancelled(&ask, "answered_in_host")
}

fn question_in_both(run: &SceneRun<'_>) -> anyhow::Result<()> {
    let mut interface = run.set_up_and_start()?;
    let ask = run.wait_for_ask(0)?;
    interface.wait_for_dialog(DialogChoice::SecondOption)?;
    let at_desk = thread::scope(|scope| {
        let desk = scope.spawn(|| run.sandbox.answer_with(&ask, &pick("o1")).is_ok());
        let dialog = interface.choose(DialogChoice::SecondOption);
        dialog.map(|()| desk.join().unwrap_or_default())
    })?;
    let result = poll_until("answer to the model", || Ok(run.last_tool_result()))?;
    let state = run.wait_for_end(&ask)?;
    // The model gets one answer; that of the dialog, if the ask was cancelled.
    match (state.as_str(), result.contains("Mongo"), result.contains("Postgres")) {
        ("cancelled" | "answered", true, false) | ("answered", false, true) => Ok(()),
        _ => bail!("{state}, the desk took the answer: {at_desk}, the model got {result}"),
    }
}

fn two_hosts(run: &SceneRun<'_>) -> anyhow::Result<()> {
    let first = run.set_up_and_start()?;
    let ask = run.wait_for_ask(0)?;
    let second = run.start_prepared()?;
    let other = run.wait_for_ask(1)?;
    run.sandbox.answer_with(&other, &pick("o1"))?;
    run.wait_for_result("Postgres")?;
    if run.sandbox.ask_state(&ask)? != "open" {
        bail!("the answer to one ended the other");
    }
    run.sandbox.answer_with(&ask, &pick("o2"))?;
    run.wait_for_result("Mongo")?;
    drop((first, second));
    Ok(())
}

fn restarted(run: &SceneRun<'_>) -> anyhow::Result<()> {
    let mut first = run.set_up_and_start()?;
    let ask = run.wait_for_ask(0)?;
    first.kill()?;
    let _second = run.start_prepared()?;
    let other = run.wait_for_ask(1)?;
    run.check_cancelled(&ask, "host_ended")?;
    run.sandbox.answer_with(&other, &pick("o2"))?;
    run.wait_for_result("Mongo")
}

fn allowed_at_desk(run: &SceneRun<'_>) -> anyhow::Result<()> {
    let _inbox = run.sandbox.open_inbox()?;
    let _interface = run.set_up_and_start()?;
    let ask = run.wait_for_ask(0)?;
    run.sandbox.answer_with(&ask, &json!({ "allow": true }))?;
    run.wait_for_file()?;
    run.wait_until_taken(&ask)
}

fn denied_at_desk(run: &SceneRun<'_>) -> anyhow::Result<()> {
    let _inbox = run.sandbox.open_inbox()?;
    let _interface = run.set_up_and_start()?;
    run.sandbox.decline(&run.wait_for_ask(0)?, REASON)?;
    run.wait_for_result(REASON)?;
    run.check_files(&[])
}

fn allowed_in_dialog(run: &SceneRun<'_>) -> anyhow::Result<()> {
    let mut interface = run.set_up_and_start()?;
    let ask = run.wait_for_ask(0)?;
    interface.choose(DialogChoice::Allow)?;
    run.wait_for_file()?;
    run.wait_for_end(&ask).and_then(|state| check_state(&state, "cancelled"))
}

fn denied_in_dialog(run: &SceneRun<'_>) -> anyhow::Result<()> {
    let mut interface = run.set_up_and_start()?;
    let ask = run.wait_for_ask(0)?;
    interface.choose(DialogChoice::Deny)?;
    run.wait_for_end(&ask).and_then(|state| check_state(&state, "cancelled"))?;
    run.check_files(&[])
}

fn host_killed(run: &SceneRun<'_>) -> anyhow::Result<()> {
    let _inbox = run.sandbox.open_inbox()?;
    let mut interface = run.set_up_and_start()?;
    let ask = run.wait_for_ask(0)?;
    interface.kill()?;
    run.check_cancelled(&ask, "host_ended")?;
    run.check_files(&[])
}

fn killed_before_yes(run: &SceneRun<'_>) -> anyhow::Result<()> {
    let _inbox = run.sandbox.open_inbox()?;
    let mut interface = run.set_up_and_start()?;
    let ask = run.wait_for_ask(0)?;
    let hook = run.sandbox.hook(&ask)?;
    interface.kill()?;
    if run.sandbox.answer_with(&ask, &json!({ "allow": true })).is_err() {
        // The hook was faster than the person.
        return run.check_cancelled(&ask, "host_ended");
    }
    poll_until("end of the hook", || Ok((!hook.exists()).then_some(())))?;
    let (shown, record) = (run.sandbox.shown_text(&ask)?, run.sandbox.ask(&ask)?);
    if !shown.contains("not taken by the agent") || record.pointer("/delivery/acked").is_some() {
        bail!("the answer counts as taken: {shown}");
    }
    run.check_files(&[])
}

fn hook_killed(run: &SceneRun<'_>) -> anyhow::Result<()> {
    let _inbox = run.sandbox.open_inbox()?;
    let mut interface = run.set_up_and_start()?;
    let ask = run.wait_for_ask(0)?;
    run.sandbox.kill_hook(&ask)?;
    interface.choose(DialogChoice::Allow)?;
    run.wait_for_file()?;
    run.wait_for_end(&ask).and_then(|state| check_state(&state, "cancelled"))
}

fn server_killed(run: &SceneRun<'_>) -> anyhow::Result<()> {
    let server = run.sandbox.serve()?;
    let _inbox = run.sandbox.open_inbox()?;
    let mut interface = run.set_up_and_start()?;
    let ask = run.wait_for_ask(0)?;
    let address = server.address().to_owned();
    server.kill()?;
    interface.choose(DialogChoice::Allow)?;
    run.wait_for_file()?;
    let _server = run.sandbox.start_server(&address, |_| {})?;
    interface.submit("Thank you.")?;
    run.wait_for_end(&ask).and_then(|state| check_state(&state, "cancelled"))
}

fn after_the_limit(run: &SceneRun<'_>) -> anyhow::Result<()> {
    run.prepare()?;
    run.sandbox.edit("home/.claude/settings.json", "86400", "10")?;
    let mut interface = run.start_prepared()?;
    let ask = run.wait_for_ask(0)?;
    run.check_cancelled(&ask, "given_back")?;
    interface.choose(DialogChoice::Allow)?;
    run.wait_for_file()
}

fn gives_way(run: &SceneRun<'_>) -> anyhow::Result<()> {
    let _inbox = run.sandbox.open_inbox()?;
    run.sandbox.write("home/.config/sayso/config.toml", "[hooks]\ngive_way_seconds = 5\n")?;
    let mut interface = run.set_up_and_start()?;
    let ask = run.wait_for_ask(0)?;
    interface.choose(DialogChoice::Allow)?;
    run.wait_for_file()?;
    run.check_cancelled(&ask, "given_back")
}

/// Returns the answers with one option picked.
pub(super) fn pick(option: &str) -> Value {
    json!({ "q0": { "answer": { "picks": [{ "option": option }] } } })
}

fn check_state(state: &str, expected: &str) -> anyhow::Result<()> {
    if state != expected {
        bail!("the ask is {state}, not {expected}");
    }
    Ok(())
}

impl SceneRun<'_> {
    pub(super) fn interface(&self) -> anyhow::Result<InterfaceKind> {
        self.host.interface.context("the host has no interface with dialogs")
    }

    /// Writes the host's files, and runs `sayso setup`.
    pub(super) fn prepare(&self) -> anyhow::Result<()> {
        self.interface()?.prepare(self.launch_context(), self.host.name)
    }

    /// Sets the host up, and starts it with a prompt.
    pub(super) fn set_up_and_start(&self) -> anyhow::Result<Box<dyn HostInterface>> {
        self.prepare()?;
        self.start_prepared()
    }

    /// Starts the host after it was set up; also a second time.
    pub(super) fn start_prepared(&self) -> anyhow::Result<Box<dyn HostInterface>> {
        self.interface()?.start(self.launch_context(), "Find out what the person saw.")
    }

    /// Waits for an ask after so many others, and returns its id. It may have ended meanwhile.
    pub(super) fn wait_for_ask(&self, after: usize) -> anyhow::Result<String> {
        let asks = poll_until("question of the host", || {
            let asks = self.sandbox.asks_if_any()?;
            Ok((asks.len() > after).then_some(asks))
        })?;
        // The newest comes first.
        asks.first().and_then(id).context("an ask has an id")
    }

    /// Waits for the end of an ask, and returns its state.
    pub(super) fn wait_for_end(&self, ask: &str) -> anyhow::Result<String> {
        poll_until(
            "end of the ask",
            || Ok(Some(self.sandbox.ask_state(ask)?).filter(|state| state != "open")),
        )
    }

    /// Waits for the end of an ask, and checks that it was cancelled for this reason.
    pub(super) fn check_cancelled(&self, ask: &str, reason: &str) -> anyhow::Result<()> {
        check_state(&self.wait_for_end(ask)?, "cancelled")?;
        let shown = self.sandbox.ask(ask)?;
        match shown.pointer("/phase/settled/reason").and_then(Value::as_str) {
            Some(given) if given == reason => Ok(()),
            given => bail!("the ask ended by {given:?}, not {reason}"),
        }
    }

    /// Waits until the desk knows that the host has taken an answer.
    pub(super) fn wait_until_taken(&self, ask: &str) -> anyhow::Result<()> {
        poll_until("taken answer", || Ok(self.sandbox.ask(ask)?.pointer("/delivery/acked").map(drop)))
    }

    /// Waits until the model gets a result of a tool that contains these words. Hosts send the results of several calls
    /// in any order.
    pub(super) fn wait_for_result(&self, words: &str) -> anyhow::Result<()> {
        let results = || self.tool_results.lock().unwrap_or_else(PoisonError::into_inner);
        let result = poll_until("answer to the model", || {
            Ok(results().iter().any(|result| result.contains(words)).then_some(()))
        });
        result.with_context(|| format!("the model got {:?}", results()))
    }
}
