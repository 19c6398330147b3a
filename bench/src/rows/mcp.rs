//! `sayso mcp` as agents' programs start it: what they wait for, from the first line to a person's answer.

use crate::Run;
use crate::figures::Times;
use crate::floor;
use crate::held_requests::settle;
use crate::others::node;
use crate::rows::commands::{home, lived_in, sayso};
use crate::table::{Quantity, Reference, Table};
use anyhow::Context as _;
use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Stdio};
use std::time::Instant;

/// A running server.
struct Server {
    child: Child,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
}

impl Server {
    fn start(run: &Run, home: &Path) -> anyhow::Result<Self> {
        let mut command = sayso(run, home);
        let mut child = command.arg("mcp").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let stdin = child.stdin.take().context("no stdin")?;
        let stdout = BufReader::new(child.stdout.take().context("no stdout")?);
        Ok(Self { child, stdin, stdout })
    }

    fn write(&mut self, message: &Value) -> anyhow::Result<()> {
        Ok(self.stdin.write_all(format!("{message}\n").as_bytes())?)
    }

    fn read(&mut self) -> anyhow::Result<Value> {
        let mut line = String::new();
        self.stdout.read_line(&mut line)?;
        Ok(serde_json::from_str(&line)?)
    }

    fn call(&mut self, tool: &str, arguments: &Value) -> anyhow::Result<()> {
        let params = json!({ "name": tool, "arguments": arguments });
        self.write(&json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": params }))
    }

    fn end(mut self) -> anyhow::Result<()> {
        drop(self.stdin);
        self.child.wait()?;
        Ok(())
    }
}

fn initialize() -> Value {
    let info = json!({ "name": "bench", "version": "1" });
    let params = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": info });
    json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params })
}

fn opened(run: &Run, home: &Path) -> anyhow::Result<Server> {
    let mut server = Server::start(run, home)?;
    server.write(&initialize())?;
    server.read()?;
    server.write(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }))?;
    Ok(server)
}

/// From the start of the process to its first reply.
pub(crate) fn start(run: &Run, table: &mut Table) -> anyhow::Result<()> {
    let home = home(run, "mcp-start")?;
    let hello = floor::hello(run.folder.path())?;
    let hello = floor::program(run.times(300), &hello, &[])?;
    let mut times = Times::default();
    for _ in 0..run.times(300) {
        let start = Instant::now();
        let mut server = Server::start(run, &home)?;
        server.write(&initialize())?;
        let reply = server.read()?;
        times.push(start.elapsed());
        anyhow::ensure!(reply.get("result").is_some(), "{reply}");
        server.end()?;
    }
    let what = "`sayso mcp` from its start to the reply to initialize";
    table.times(what, &times, vec![Reference::from_times("hello", &hello)]);
    Ok(())
}

/// Memory of a server while one of its calls waits.
pub(crate) fn idle(run: &Run, table: &mut Table) -> anyhow::Result<()> {
    let mut server = opened(run, &home(run, "mcp-idle")?)?;
    server.call("ask", &json!({ "questions": [{ "prompt": "Go on?", "kind": "confirm" }] }))?;
    settle(server.child.id())?;
    let resident = resident(server.child.id())?;
    server.end()?;
    let node = run.peer(table, "Node that waits", |_| waiting_node());
    table.row("resident memory of one `sayso mcp` that waits", resident, node.into_iter().collect());
    Ok(())
}

fn resident(pid: u32) -> anyhow::Result<Quantity> {
    Ok(Quantity::Memory(floor::memory(pid)?.0 * 1_024))
}

/// Measures Node with nothing to do: what a server in JavaScript takes at least.
fn waiting_node() -> anyhow::Result<Quantity> {
    let mut node = node(&["-e", "setInterval(() => {}, 1e9)"]).stdin(Stdio::null()).spawn()?;
    let measured = settle(node.id()).and_then(|()| resident(node.id()));
    node.kill()?;
    node.wait()?;
    measured
}

/// A call, a person who lists and answers with commands, and the result.
pub(crate) fn conversation(run: &Run, table: &mut Table) -> anyhow::Result<()> {
    let home = lived_in(run, "mcp-conversation")?;
    let hello = floor::hello(run.folder.path())?;
    let hello = floor::program(run.times(300), &hello, &[])?;
    let mut server = opened(run, &home)?;
    let question =
        json!({ "id": "env", "prompt": "Which one?", "options": [{ "label": "A" }, { "label": "B" }] });
    let mut ask = json!({ "title": "Release", "questions": [question] });
    let mut times = Times::default();
    for _ in 0..run.times(300) {
        let start = Instant::now();
        server.call("ask", &ask)?;
        let id = loop {
            let listed = sayso(run, &home).args(["list", "--json"]).stdout(Stdio::piped()).output()?;
            let listed: Value = serde_json::from_slice(&listed.stdout)?;
            if let Some(id) = listed.pointer("/asks/0/id").and_then(Value::as_str) {
                break id.to_owned();
            }
        };
        let answers = r#"{"answers":{"env":"A"}}"#;
        let answered = sayso(run, &home).args(["answer", &id, "--answers", answers]).status()?;
        anyhow::ensure!(answered.success(), "answer failed");
        let result = server.read()?;
        times.push(start.elapsed());
        let status = result.pointer("/result/structuredContent/status");
        anyhow::ensure!(status == Some(&json!("answered")), "{result}");
        if let Some(ask) = ask.as_object_mut() {
            ask.insert("received".to_owned(), json!([id]));
        }
    }
    let what = "`ask` of `sayso mcp` → `sayso list` → `sayso answer` → result";
    let hello = Quantity::Time(3 * hello.median());
    table.times(what, &times, vec![Reference::new("three hellos", hello)]);
    server.end()
}
