//! OpenCode's server (`opencode serve`), whose HTTP lists its dialogs and takes their answers.

use std::fs::File;
use std::process::{Child, Stdio};

use anyhow::{Context, bail};
use serde_json::{Value, json};

use super::{DialogChoice, HostInterface, LaunchContext};
use crate::hosts::host::{OPENCODE_OFFLINE, opencode_config};
use crate::hosts::http;
use crate::hosts::sandbox::poll_until;

/// Writes the settings with the model.
pub(super) fn write_files(context: LaunchContext<'_>) -> anyhow::Result<()> {
    context.sandbox.write("work/opencode.json", &opencode_config(context.model).to_string()).map(drop)
}

/// Starts the server, and submits a prompt in a new session.
pub(super) fn start(context: LaunchContext<'_>, prompt: &str) -> anyhow::Result<OpenCode> {
    let mut command = context.sandbox.host(context.program);
    command.args(["serve", "--port", "0"]).envs(OPENCODE_OFFLINE);
    let agent = if context.is_planning { "plan" } else { "build" };
    if context.is_planning {
        // Otherwise it has no tool that presents a plan (1.18.33).
        command.env("OPENCODE_EXPERIMENTAL_PLAN_MODE", "1");
    }
    let path = context.sandbox.new_path("host", "log");
    let log = File::create(&path)?;
    command.stdin(Stdio::null()).stdout(log.try_clone()?).stderr(log);
    let mut server =
        OpenCode { child: command.spawn()?, address: String::new(), session: String::new(), agent };
    server.address = poll_until("address of the server", || {
        let log = std::fs::read_to_string(&path)?;
        let address =
            log.split_once("listening on http://").and_then(|(_, rest)| rest.split_whitespace().next());
        Ok(address.map(str::to_owned))
    })?;
    let session = server.call("POST", "/session", Some(&json!({})))?;
    let session = session.get("id").and_then(Value::as_str).context("a session has an id")?.to_owned();
    server.session = session;
    server.submit(prompt)?;
    Ok(server)
}

/// Running server.
pub(super) struct OpenCode {
    child: Child,
    address: String,
    session: String,
    /// The agent of its own that is to work.
    agent: &'static str,
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

    /// Waits for a dialog, and returns the id of the first open one.
    fn wait_for_id(&self, kind: &str) -> anyhow::Result<String> {
        poll_until("dialog of the host", || {
            let open = self.call("GET", &format!("/{kind}"), None)?;
            Ok(open.pointer("/0/id").and_then(Value::as_str).map(str::to_owned))
        })
    }
}

/// Returns the list that contains the dialog of a choice, and the body of the answer.
fn answer(choice: DialogChoice) -> (&'static str, Value) {
    match choice {
        DialogChoice::SecondOption => ("question", json!({ "answers": [["Mongo"]] })),
        DialogChoice::AllowPlan => ("question", json!({ "answers": [["Yes"]] })),
        DialogChoice::Allow => ("permission", json!({ "reply": "once" })),
        DialogChoice::Deny => ("permission", json!({ "reply": "reject" })),
    }
}

impl HostInterface for OpenCode {
    fn choose(&mut self, choice: DialogChoice) -> anyhow::Result<()> {
        let (kind, body) = answer(choice);
        let id = self.wait_for_id(kind)?;
        // Fails if the desk has answered meanwhile: then the dialog is gone.
        let _ = self.call("POST", &format!("/{kind}/{id}/reply"), Some(&body));
        Ok(())
    }

    fn wait_for_dialog(&mut self, choice: DialogChoice) -> anyhow::Result<()> {
        self.wait_for_id(answer(choice).0).map(drop)
    }

    fn submit(&mut self, prompt: &str) -> anyhow::Result<()> {
        let prompt = json!({
            "model": { "providerID": "stand-in", "modelID": "stand-in" },
            "parts": [{ "type": "text", "text": prompt }],
            "agent": self.agent,
        });
        self.call("POST", &format!("/session/{}/prompt_async", self.session), Some(&prompt)).map(drop)
    }

    fn kill(&mut self) -> anyhow::Result<()> {
        self.child.kill()?;
        self.child.wait()?;
        Ok(())
    }
}

impl Drop for OpenCode {
    fn drop(&mut self) {
        // Fails only if it has ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
