//! Hosts made of the official SDK's client. A Node process runs them: their behaviour, checks and refusals are the
//! SDK's.

use crate::mcp::host::{release, text_of};
use crate::support::program::node_program::node_call;
use crate::support::program::{TestProgram, kill_9};
use crate::support::test_world::{ProgramCall, TestWorld};
use serde_json::{Value, json};
use std::time::Instant;

/// Ways to negotiate a version: by a session, by asking first, or by a pinned one.
pub(crate) const MODES: [&str; 3] = ["legacy", "auto", "pinned"];

/// Node process with its hosts.
pub(crate) struct SdkHosts {
    node: TestProgram,
    /// Position up to which its output was read.
    at: usize,
    last_id: u64,
    /// All lines read: results of commands and events of the hosts, in order.
    pub(crate) seen: Vec<Value>,
}

impl SdkHosts {
    pub(crate) fn new(world: &TestWorld) -> Self {
        let call = node_call(world, "@modelcontextprotocol/client", "official.mjs", &[]);
        Self { node: call.start_piped(), at: 0, last_id: 0, seen: Vec::new() }
    }

    /// Starts a process with one host that has a server.
    pub(crate) fn with_host(world: &TestWorld, mode: &str) -> (Self, Value) {
        let mut official = Self::new(world);
        let met = official.connect("host", &crate::mcp::host::server(world), mode, &json!({}));
        (official, met)
    }

    /// Lets a host start a server and initialize it.
    pub(crate) fn connect(&mut self, host: &str, server: &ProgramCall, mode: &str, more: &Value) -> Value {
        let id = self.start_connecting(host, server, mode, more);
        self.outcome(id)
    }

    pub(crate) fn start_connecting(
        &mut self,
        host: &str,
        server: &ProgramCall,
        mode: &str,
        more: &Value,
    ) -> u64 {
        let text = |text: &std::ffi::OsString| text.to_str().unwrap().to_owned();
        let environment = server.environment.iter().map(|(name, value)| (text(name), json!(text(value))));
        let environment = Value::Object(environment.collect());
        let line: Vec<_> = server.line.iter().map(text).collect();
        let mut rest = more.clone();
        rest["server"] =
            json!({ "command": line[0], "args": line[1..], "env": environment, "cwd": server.folder });
        rest["mode"] = if mode == "pinned" { json!({ "pin": "2026-07-28" }) } else { json!(mode) };
        self.start_command(host, "connect", &rest)
    }

    /// Sends a command to a host.
    pub(crate) fn start_command(&mut self, host: &str, command: &str, rest: &Value) -> u64 {
        self.last_id += 1;
        let mut line = json!({ "id": self.last_id, "host": host, "do": command });
        for (name, value) in rest.as_object().unwrap() {
            line[name] = value.clone();
        }
        self.node.write(format!("{line}\n").as_bytes());
        self.last_id
    }

    /// Starts a tool call.
    pub(crate) fn start_call(&mut self, host: &str, tool: &str, arguments: &Value) -> u64 {
        self.start_command(host, "call", &json!({ "tool": tool, "arguments": arguments }))
    }

    /// Waits for the first matching line, and returns its position.
    pub(crate) fn position_of(&mut self, fits: impl Fn(&Value) -> bool) -> usize {
        let mut looked_at = 0;
        loop {
            if let Some(place) = self.seen[looked_at..].iter().position(&fits) {
                return looked_at + place;
            }
            looked_at = self.seen.len();
            let end = self.node.stdout.wait_for("\n", self.at);
            self.seen.push(serde_json::from_str(&self.node.stdout.between(self.at, end)).unwrap());
            self.at = end;
        }
    }

    /// Returns the first matching line.
    pub(crate) fn line(&mut self, fits: impl Fn(&Value) -> bool) -> Value {
        let place = self.position_of(fits);
        self.seen[place].clone()
    }

    /// Returns the result of a command, successful or not.
    pub(crate) fn result_of(&mut self, id: u64) -> Value {
        self.line(|line| line["id"] == id)
    }

    /// Returns the result of a successful command.
    pub(crate) fn outcome(&mut self, id: u64) -> Value {
        let end = self.result_of(id);
        assert!(end.get("ok").is_some(), "{end}\n{}", self.node.stderr.last_part());
        end["ok"].clone()
    }

    /// Runs a command and waits for its result.
    pub(crate) fn run_command(&mut self, host: &str, command: &str, rest: &Value) -> Value {
        let id = self.start_command(host, command, rest);
        self.outcome(id)
    }

    /// Calls a tool and returns the result.
    pub(crate) fn call_tool(&mut self, host: &str, tool: &str, arguments: &Value) -> Value {
        let id = self.start_call(host, tool, arguments);
        self.outcome(id)
    }

    /// Calls a tool and returns the text of its result, which has nothing else.
    pub(crate) fn text(&mut self, host: &str, tool: &str, arguments: &Value) -> String {
        text_of(&self.call_tool(host, tool, arguments))
    }

    /// Returns the form that a host shows.
    pub(crate) fn form(&mut self, host: &str, number: usize) -> Value {
        self.line(|line| line["host"] == host && line["form"] == number)["params"].clone()
    }

    /// Ends a form in a host, as a person.
    pub(crate) fn reply(&mut self, host: &str, number: usize, result: &Value) {
        self.run_command(host, "reply", &json!({ "form": number, "result": result }));
    }

    /// Returns the number of forms that a host has shown.
    pub(crate) fn forms(&self, host: &str) -> usize {
        self.seen.iter().filter(|line| line["host"] == host && line.get("form").is_some()).count()
    }

    /// Returns true if anything arrives within this time.
    pub(crate) fn is_message_before(&self, until: Instant) -> bool {
        self.node.stdout.grows_after(self.at, until.saturating_duration_since(Instant::now()))
    }

    /// Returns all errors that the SDK reported.
    pub(crate) fn sdk_errors(&self) -> Vec<&Value> {
        self.seen.iter().filter(|line| line.get("trouble").is_some()).collect()
    }

    /// Returns the process of all hosts.
    pub(crate) fn pid(&self) -> u32 {
        self.node.pid
    }

    /// Kills all hosts like a crash.
    pub(crate) fn kill_9(self) {
        assert!(self.node.kill_9());
    }
}

/// Kills a host's server like a crash.
pub(crate) fn kill_server(met: &Value) {
    kill_9(server_pid(met));
}

/// Returns the process of a host's server.
pub(crate) fn server_pid(met: &Value) -> u32 {
    u32::try_from(met["pid"].as_u64().unwrap()).unwrap()
}

/// Returns the result for a host in a new process that asks the same.
pub(crate) fn ask_from_new_process(world: &TestWorld, mode: &str) -> String {
    let (mut official, _) = SdkHosts::with_host(world, mode);
    let text = official.text("host", "ask", &release());
    assert_eq!(official.text("host", "wait_for_answer", &json!({})), text);
    assert_eq!(official.sdk_errors(), [&json!(null); 0]);
    text
}
