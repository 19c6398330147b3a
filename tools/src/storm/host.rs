//! A host of an agent that asks over MCP, whose server is killed.

use std::io::Write as _;
use std::process::Stdio;

use serde_json::{Value, json};

use super::Lane;
use super::commands::questions;
use super::killable_process::{KillableProcess, Reads};
use super::ledger::{AskRecord, Door};
use super::network::text;

/// Name of the form in which the tool gives an outcome.
const FORM: &str = "mcp";

impl Lane<'_> {
    /// Asks, reads the outcome if there is one, and confirms it.
    pub(super) fn call_tools(&mut self) -> anyhow::Result<()> {
        let (place, record) = self.asked_or_new(Door::Mcp);
        let life = self.ledger.choose_lifetime("mcp", &mut self.dice);
        let mut command = self.stage.sayso(&["mcp"]);
        command.stdin(Stdio::piped());
        let mut server = KillableProcess::start(&mut command, Reads::Stdout, life)?;
        let Some(mut input) = server.input() else { return Ok(()) };
        let mut call = |id: u64, method: &str, params: Value| {
            let request = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
            // A killed program reads nothing.
            let _ = writeln!(input, "{request}");
        };
        let info = json!({ "name": "storm", "version": "1" });
        call(
            1,
            "initialize",
            json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": info }),
        );
        if reply(&mut server, 1).is_some() {
            call(2, "tools/call", json!({ "name": "ask", "arguments": arguments(&record) }));
        }
        let result = reply(&mut server, 2);
        if let Some(id) = result.as_ref().and_then(|result| text(result, "/structuredContent/ask_id")) {
            self.ledger.record_id(place, id)?;
        }
        if let Some((id, words)) = result.as_ref().and_then(settled) {
            self.ledger.record_outcome(place, FORM, words)?;
            let received = json!({ "received": [id], "max_wait_s": 0 });
            call(3, "tools/call", json!({ "name": "wait_for_answer", "arguments": received }));
            if reply(&mut server, 3).is_some() {
                self.ledger.record_delivery(place);
            }
        }
        drop(input);
        let ended = server.wait_for_exit()?;
        self.ledger.record_exit("mcp", ended.exit.is_some().then_some(ended.lived));
        Ok(())
    }
}

fn arguments(record: &AskRecord) -> Value {
    let mut arguments = questions(&record.key);
    if let Some(members) = arguments.as_object_mut() {
        members.insert("key".to_owned(), json!(record.key));
        members.insert("max_wait_s".to_owned(), json!(0));
        members.extend(record.limit.map(|limit| ("timeout".to_owned(), json!(limit))));
    }
    arguments
}

/// Returns the id of an ask that has ended, and the text that the agent reads.
fn settled(result: &Value) -> Option<(&str, &str)> {
    let status = text(result, "/structuredContent/status")?;
    let content = text(result, "/structuredContent/ask_id").zip(text(result, "/content/0/text"));
    content.filter(|_| status != "pending")
}

/// Returns the result of a call, unless the server dies before.
fn reply(server: &mut KillableProcess, id: u64) -> Option<Value> {
    let mut found = None;
    server.read_until(|output| {
        // The last piece is no whole line.
        let whole = output.iter().rposition(|byte| *byte == b'\n').and_then(|end| output.get(..end));
        let lines = whole.unwrap_or_default().split(|byte| *byte == b'\n');
        let mut read = lines.filter_map(|line| serde_json::from_slice::<Value>(line).ok());
        found =
            read.find(|line| line.get("id") == Some(&json!(id))).and_then(|line| line.get("result").cloned());
        found.is_some()
    });
    found
}
