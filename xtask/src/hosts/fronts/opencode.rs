//! OpenCode as a server: its dialogs are its own HTTP, as its screen uses it.

use std::fs::File;
use std::process::{Child, Stdio};

use anyhow::{Context, bail};
use serde_json::{Value, json};

use super::{DialogChoice, Front, Place};
use crate::hosts::http;
use crate::hosts::programs::{OPENCODE_OFFLINE, opencode_config};
use crate::hosts::stage::until;

/// Says which model it talks to.
pub(super) fn write_files(place: Place<'_>) -> anyhow::Result<()> {
    place.stage.write("work/opencode.json", &opencode_config(place.model).to_string()).map(drop)
}

/// Starts it, and gives it a prompt in a session of its own.
pub(super) fn start(place: Place<'_>, prompt: &str) -> anyhow::Result<OpenCode> {
    let mut command = place.stage.host(place.program);
    command.args(["serve", "--port", "0"]).envs(OPENCODE_OFFLINE);
    let path = place.stage.new_path("host", "log");
    let log = File::create(&path)?;
    command.stdin(Stdio::null()).stdout(log.try_clone()?).stderr(log);
    let mut server = OpenCode { child: command.spawn()?, address: String::new() };
    server.address = until("address of the server", || {
        let log = std::fs::read_to_string(&path)?;
        let address =
            log.split_once("listening on http://").and_then(|(_, rest)| rest.split_whitespace().next());
        Ok(address.map(str::to_owned))
    })?;
    let session = server.call("POST", "/session", Some(&json!({})))?;
    let session = session.get("id").and_then(Value::as_str).context("a session has an id")?.to_owned();
    let prompt = json!({
        "model": { "providerID": "stand-in", "modelID": "stand-in" },
        "parts": [{ "type": "text", "text": prompt }],
    });
    server.call("POST", &format!("/session/{session}/prompt_async"), Some(&prompt))?;
    Ok(server)
}

/// OpenCode's server, until it is dropped.
pub(super) struct OpenCode {
    child: Child,
    address: String,
}

impl OpenCode {
    fn call(&self, method: &str, path: &str, body: Option<&Value>) -> anyhow::Result<Value> {
        let body = body.map(Value::to_string).unwrap_or_default();
        let (status, text) = http::send(&self.address, method, path, &body)?;
        if !(200..300).contains(&status) {
            bail!("{method} {path}: {status} {text}");
        }
        Ok(serde_json::from_str(&text).unwrap_or_default())
    }

    /// Id of the first open dialog.
    fn dialog(&self, kind: &str) -> anyhow::Result<String> {
        until("dialog of the host", || {
            let open = self.call("GET", &format!("/{kind}"), None)?;
            Ok(open.pointer("/0/id").and_then(Value::as_str).map(str::to_owned))
        })
    }
}

/// The list in which a dialog is, and the body that answers it.
fn answer(choice: DialogChoice) -> (&'static str, Value) {
    match choice {
        DialogChoice::SecondOption => ("question", json!({ "answers": [["Mongo"]] })),
        DialogChoice::Allow => ("permission", json!({ "reply": "once" })),
        DialogChoice::Deny => ("permission", json!({ "reply": "reject" })),
    }
}

impl Front for OpenCode {
    fn choose(&mut self, choice: DialogChoice) -> anyhow::Result<()> {
        let (kind, body) = answer(choice);
        let id = self.dialog(kind)?;
        // One that the desk has answered meanwhile is gone.
        let _ = self.call("POST", &format!("/{kind}/{id}/reply"), Some(&body));
        Ok(())
    }

    fn wait_for_dialog(&mut self, choice: DialogChoice) -> anyhow::Result<()> {
        self.dialog(answer(choice).0).map(drop)
    }

    fn kill(&mut self) -> anyhow::Result<()> {
        self.child.kill()?;
        self.child.wait()?;
        Ok(())
    }
}

impl Drop for OpenCode {
    fn drop(&mut self) {
        // One that has ended already needs no end.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
