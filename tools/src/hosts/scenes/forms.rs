//! Scene in which a person answers in the form of a host with requests from the server: Codex. The form shows labels, and
//! after a bad entry it comes again with what was entered.

use std::sync::Mutex;

use anyhow::bail;
use serde_json::json;

use super::dialogs::PERMISSION;
use super::{Scene, SceneRun, mcp};
use crate::hosts::interfaces::InterfaceKind;
use crate::hosts::protocol::{ModelReply, ModelRequest};
use crate::hosts::sandbox::ANSWER_TEXT;

/// All scenes, in the order in which they are run.
pub(super) const SCENES: &[Scene] = &[Scene {
    name: "form filled in by keys",
    script: ask_form,
    run: filled_in,
    fits: |host| host.interface == Some(InterfaceKind::Codex),
    ..PERMISSION
}];

/// Asks a choice, a number and a text.
fn ask_form(request: &ModelRequest, tool_results: &Mutex<Vec<String>>) -> ModelReply {
    let place =
        json!({ "id": "where", "prompt": "Where are they?", "options": ["at the lake", "in the reeds"] });
    let count = json!({ "id": "count", "prompt": "How many herons?", "kind": "number", "constraints": [{ "max": 9 }] });
    let note = json!({ "id": "note", "prompt": "What else?", "kind": "text" });
    mcp::ask_with(request, tool_results, &json!({ "questions": [place, count, note] }))
}

fn filled_in(run: &SceneRun<'_>) -> anyhow::Result<()> {
    // The keys are faster than a person.
    run.sandbox.write("home/.config/sayso/config.toml", "scripted_answers = true\n")?;
    run.prepare()?;
    let mut interface = run.start_prepared()?;
    let first = interface.form_page("Field 1/3")?;
    if !["1. at the lake", "2. in the reeds"].iter().all(|label| first.contains(label)) {
        bail!("the form shows no labels: {first}");
    }
    interface.fill_in("")?;
    interface.form_page("Field 2/3")?;
    interface.fill_in("12")?;
    interface.form_page("Field 3/3")?;
    interface.fill_in(ANSWER_TEXT)?;
    let again = interface.form_page("at most 9")?;
    if !again.contains("Field 1/2") || !again.contains(ANSWER_TEXT) {
        bail!("the form does not come again with the entries: {again}");
    }
    interface.fill_in("")?;
    interface.form_page("Entered: \"12\"")?;
    interface.fill_in("4")?;
    run.wait_for_result(ANSWER_TEXT)?;
    run.wait_for_result("at the lake")
}
