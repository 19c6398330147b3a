//! Scenes with tools other than commands: a change of a file and a fetched page, as a person reads them and allows them.

use std::sync::Mutex;

use anyhow::bail;
use serde_json::{Value, json};

use super::commands::{FILES, is_first};
use super::dialogs::PERMISSION;
use super::{Scene, SceneRun};
use crate::hosts::host::Host;
use crate::hosts::interfaces::InterfaceKind;
use crate::hosts::protocol::{ModelReply, ModelRequest};

/// All scenes, in the order in which they are run.
pub(super) const SCENES: &[Scene] = &[
    Scene {
        name: "change of a file allowed at the desk",
        script: write,
        run: change,
        fits: writes,
        ..PERMISSION
    },
    Scene { name: "web page allowed at the desk", script: fetch, run: page, fits: fetches, ..PERMISSION },
];

/// Line of the written file.
const LINE: &str = "a grey heron";
/// Page that no one serves.
const PAGE: &str = "http://127.0.0.1:9/herons";

/// Codex changes files by a command.
fn writes(host: &Host) -> bool {
    host.interface.is_some_and(|interface| interface != InterfaceKind::Codex)
}

/// Claude Code looks an address up in the network first, and Copilot fetches by its own program.
fn fetches(host: &Host) -> bool {
    host.interface
        .is_some_and(|kind| [InterfaceKind::OpenCode, InterfaceKind::OpenCodeScreen].contains(&kind))
}

/// Writes a file whose name the prompt names, and then stops.
fn write(request: &ModelRequest, tool_results: &Mutex<Vec<String>>) -> ModelReply {
    let folder = request.folder.clone().unwrap_or_default();
    let path = format!("{folder}/{}", FILES[0]);
    match request.find_tool(&["Write", "write", "create"]) {
        Some((tool, group)) if is_first(request, tool_results) => {
            let names = match tool.as_str() {
                "Write" => ["file_path", "content"],
                "write" => ["filePath", "content"],
                _ => ["path", "file_text"],
            };
            ModelReply::call(tool, group, json!({ names[0]: path, names[1]: format!("{LINE}\n") }))
        }
        _ => ModelReply::Text("done".to_owned()),
    }
}

/// Fetches a page, and then stops.
fn fetch(request: &ModelRequest, tool_results: &Mutex<Vec<String>>) -> ModelReply {
    match request.find_tool(&["webfetch"]) {
        Some((tool, group)) if is_first(request, tool_results) => {
            ModelReply::call(tool, group, json!({ "url": PAGE, "format": "text" }))
        }
        _ => ModelReply::Text("done".to_owned()),
    }
}

fn change(run: &SceneRun<'_>) -> anyhow::Result<()> {
    let _inbox = run.sandbox.open_inbox()?;
    let _interface = run.set_up_and_start()?;
    let ask = run.wait_for_ask(0)?;
    let shown = run.sandbox.ask(&ask)?;
    let act = shown.pointer("/questionnaire/action/act");
    let text = |path: &str| act.and_then(|act| act.pointer(path)).and_then(Value::as_str).unwrap_or_default();
    let is_outside = act.is_some_and(|act| act.to_string().contains("outside"));
    let is_shown = text("/edit/diff").contains(&format!("+{LINE}")) || text("/write/content").contains(LINE);
    if !is_shown || is_outside {
        bail!("it is not shown as a change: {shown}");
    }
    run.sandbox.answer_with(&ask, &json!({ "allow": true }))?;
    run.wait_for_file()?;
    run.wait_until_taken(&ask)
}

fn page(run: &SceneRun<'_>) -> anyhow::Result<()> {
    let _inbox = run.sandbox.open_inbox()?;
    let _interface = run.set_up_and_start()?;
    let ask = run.wait_for_ask(0)?;
    let shown = run.sandbox.ask(&ask)?;
    if shown.pointer("/questionnaire/action/act/open/url").and_then(Value::as_str) != Some(PAGE) {
        bail!("the address is not shown: {shown}");
    }
    run.sandbox.answer_with(&ask, &json!({ "allow": true }))?;
    run.wait_until_taken(&ask)?;
    run.wait_for_result("/herons")
}
