//! Scenes with more than one call or more than one agent, while the host's own dialogs can be used too.

use std::sync::Mutex;

use serde_json::json;

use super::commands::{FILES, REASON, is_first, run_one_command, run_two_commands};
use super::dialogs::{PERMISSION, QUESTION_TOOLS};
use super::{Scene, SceneRun};
use crate::hosts::host::Host;
use crate::hosts::interfaces::InterfaceKind;
use crate::hosts::protocol::{ModelReply, ModelRequest};

/// All scenes, in the order in which they are run.
pub(super) const SCENES: &[Scene] = &[
    Scene {
        name: "agent of an agent asks",
        script: start_subagent,
        run: subagent_asks,
        fits: can_tell_agents,
        ..PERMISSION
    },
    Scene {
        name: "two permissions at once, dialog open",
        script: run_two_commands,
        run: two_at_once,
        ..PERMISSION
    },
];

/// Returns true if a request of this host shows whether it comes from a subagent.
fn can_tell_agents(host: &Host) -> bool {
    use InterfaceKind::{ClaudeCode, OpenCode, OpenCodeScreen};
    host.interface.is_some_and(|interface| [ClaudeCode, OpenCode, OpenCodeScreen].contains(&interface))
}

/// Starts a subagent, which runs the command. Only the session's own agent can start one; in Claude Code it is the one
/// that has a tool for questions.
fn start_subagent(request: &ModelRequest, tool_results: &Mutex<Vec<String>>) -> ModelReply {
    let has_questions = request.find_tool(&QUESTION_TOOLS).is_some();
    let start =
        request.find_tool(&["task"]).or_else(|| request.find_tool(&["Agent"]).filter(|_| has_questions));
    match start {
        Some((tool, group)) if is_first(request, tool_results) => {
            let kind = if tool == "task" { "general" } else { "general-purpose" };
            let arguments =
                json!({ "description": "Make a file", "prompt": "Make the file.", "subagent_type": kind });
            ModelReply::call(tool, group, arguments)
        }
        Some(_) => ModelReply::Text("done".to_owned()),
        None => run_one_command(request, tool_results),
    }
}

fn subagent_asks(run: &SceneRun<'_>) -> anyhow::Result<()> {
    // Claude Code shows a subagent's dialog only after the hook, which asks only while a person is present.
    let _inbox = run.sandbox.open_inbox()?;
    let _interface = run.set_up_and_start()?;
    let ask = run.wait_for_ask_about(FILES[0])?;
    run.sandbox.answer_with(&ask, &json!({ "allow": true }))?;
    run.wait_for_file()
}

/// Allows the first command before it denies the second one: some hosts ask for the second only then, and some deny
/// all open calls with one.
fn two_at_once(run: &SceneRun<'_>) -> anyhow::Result<()> {
    let _inbox = run.sandbox.open_inbox()?;
    let _interface = run.set_up_and_start()?;
    run.sandbox.answer_with(&run.wait_for_ask_about(FILES[0])?, &json!({ "allow": true }))?;
    run.sandbox.decline(&run.wait_for_ask_about(FILES[1])?, REASON)?;
    run.wait_for_file()?;
    run.wait_for_result(REASON)?;
    run.check_files(&FILES[..1])
}
