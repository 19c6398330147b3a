//! Scenes in which an agent presents a plan. Claude Code asks its hook about it. OpenCode asks a question without the
//! plan's text, in its experimental plan mode alone. Copilot, Codex and Gemini ask in their own dialogs alone.

use std::sync::Mutex;

use anyhow::bail;
use serde_json::{Value, json};

use super::commands::{REASON, is_first};
use super::dialogs::{LIMITED, pick};
use super::{Scene, SceneRun};
use crate::hosts::interfaces::{DialogChoice, HostInterface, InterfaceKind, LaunchContext};
use crate::hosts::protocol::{ModelReply, ModelRequest};

/// All scenes, in the order in which they are run.
pub(super) const SCENES: &[Scene] = &[
    Scene { name: "plan accepted at the desk", script: present, run: accepted, ..LIMITED },
    Scene {
        name: "plan accepted at the desk, as a question",
        script: present,
        run: accepted_as_question,
        fits: |host| host.interface == Some(InterfaceKind::OpenCode),
        ..LIMITED
    },
    Scene { name: "plan declined at the desk with words", script: present, run: declined, ..LIMITED },
    Scene { name: "plan accepted in the host", script: present, run: accepted_in_host, ..LIMITED },
];

/// Line of the plan.
const LINE: &str = "Count the herons at the lake";

/// Writes a plan into its file, looks for the tool that presents it, presents it, and then stops.
fn present(request: &ModelRequest, tool_results: &Mutex<Vec<String>>) -> ModelReply {
    is_first(request, tool_results);
    if let (0, Some((exit, group))) = (request.results.len(), request.find_tool(&["plan_exit"])) {
        return ModelReply::call(exit, group, json!({}));
    }
    let write = request.find_tool(&["Write"]).zip(request.plan_file.clone());
    let call = match (request.results.len(), write, request.find_tool(&["ToolSearch"])) {
        (0, Some((write, path)), _) => {
            let plan = format!("# Herons\n\n1. {LINE}\n2. Write the number down\n");
            Some((write, json!({ "file_path": path, "content": plan })))
        }
        (1, _, Some(search)) => Some((search, json!({ "query": "select:ExitPlanMode", "max_results": 1 }))),
        // Older versions list the tool at once, and have no search.
        (1 | 2, _, _) => request.find_tool(&["ExitPlanMode"]).map(|exit| (exit, json!({}))),
        _ => None,
    };
    match call {
        Some(((tool, group), arguments)) => ModelReply::call(tool, group, arguments),
        None => ModelReply::Text("done".to_owned()),
    }
}

fn accepted(run: &SceneRun<'_>) -> anyhow::Result<()> {
    let (_interface, ask) = start(run)?;
    run.sandbox.answer_with(&ask, &json!({ "allow": true }))?;
    run.wait_for_result("approved your plan")
}

fn accepted_as_question(run: &SceneRun<'_>) -> anyhow::Result<()> {
    let (_interface, ask) = launch(run)?;
    run.sandbox.answer_with(&ask, &pick("o1"))?;
    run.wait_for_result("approved")
}

fn declined(run: &SceneRun<'_>) -> anyhow::Result<()> {
    let (_interface, ask) = start(run)?;
    run.sandbox.decline(&ask, REASON)?;
    run.wait_for_result(REASON)
}

fn accepted_in_host(run: &SceneRun<'_>) -> anyhow::Result<()> {
    let (mut interface, ask) = start(run)?;
    interface.choose(DialogChoice::AllowPlan)?;
    run.wait_for_result("approved your plan")?;
    run.check_cancelled(&ask, "answered_in_host")?;
    // A late no changes nothing.
    if run.sandbox.decline(&ask, REASON).is_ok() || run.sandbox.ask_state(&ask)? != "cancelled" {
        bail!("the late no counts");
    }
    Ok(())
}

/// Starts the host, and waits for the ask.
fn launch(run: &SceneRun<'_>) -> anyhow::Result<(Box<dyn HostInterface>, String)> {
    run.prepare()?;
    let context = LaunchContext { is_planning: true, ..run.launch_context() };
    let interface = run.interface()?.start(context, "Plan how to count herons.")?;
    Ok((interface, run.wait_for_ask(0)?))
}

/// Starts the host, and waits for the ask, which shows the plan as a document.
fn start(run: &SceneRun<'_>) -> anyhow::Result<(Box<dyn HostInterface>, String)> {
    let (interface, ask) = launch(run)?;
    let shown = run.sandbox.ask(&ask)?;
    let document = shown.pointer("/questionnaire/context").and_then(Value::as_str).unwrap_or_default();
    if !document.contains(LINE) {
        bail!("the plan is not shown: {shown}");
    }
    Ok((interface, ask))
}
