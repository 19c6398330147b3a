//! Host that speaks MCP by hand, line by line: a test sees every detail of the protocol.

use crate::support::program::{ProgramExit, TestProgram};
use crate::support::test_world::{ProgramCall, TestWorld};
use serde_json::{Value, json};
use std::time::Duration;

/// Delay above the limit that counts as faster than a person.
pub(crate) const A_PERSONS_TIME: Duration = Duration::from_millis(1_100);

/// Supported protocol versions.
pub(crate) const LEGACY: [&str; 2] = ["2025-06-18", "2025-11-25"];
pub(crate) const MODERN: &str = "2026-07-28";

/// Host and the server that it started.
pub(crate) struct McpHost {
    program: TestProgram,
    /// Position up to which the server's output was read.
    at: usize,
    last_id: u64,
    /// Metadata of each request in the version without sessions.
    meta: Option<Value>,
    /// All lines read.
    pub(crate) seen: Vec<Value>,
}

/// Returns a call of the server with a short wait.
pub(crate) fn server(world: &TestWorld) -> ProgramCall {
    world.sayso(["mcp", "--hold", "60s"])
}

impl McpHost {
    fn spawn_server(call: ProgramCall) -> Self {
        Self { program: call.start_piped(), at: 0, last_id: 0, meta: None, seen: Vec::new() }
    }

    /// Starts the server, with the handshake of a version with sessions.
    pub(crate) fn with_session(call: ProgramCall, version: &str, capabilities: &Value) -> Self {
        Self::with_name("test-host", call, version, capabilities)
    }

    /// Starts the server under another client name.
    pub(crate) fn with_name(name: &str, call: ProgramCall, version: &str, capabilities: &Value) -> Self {
        let mut host = Self::spawn_server(call);
        let info = json!({ "name": name, "version": "1" });
        let params = json!({ "protocolVersion": version, "capabilities": capabilities, "clientInfo": info });
        let result = host.request("initialize", params);
        assert_eq!(result["result"]["protocolVersion"], version, "{result}");
        host.write(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        host
    }

    /// Starts the server, without a handshake in the sessionless version.
    pub(crate) fn sessionless(call: ProgramCall, capabilities: &Value) -> Self {
        let mut host = Self::spawn_server(call);
        host.meta = Some(json!({
            "io.modelcontextprotocol/protocolVersion": MODERN,
            "io.modelcontextprotocol/clientCapabilities": capabilities,
            "io.modelcontextprotocol/clientInfo": { "name": "test-host", "version": "1" },
        }));
        host
    }

    /// Starts a host that cannot show forms.
    pub(crate) fn without_forms(world: &TestWorld) -> Self {
        Self::with_session(server(world), LEGACY[1], &json!({}))
    }

    /// Returns the server's process.
    pub(crate) fn pid(&self) -> u32 {
        self.program.pid
    }

    pub(crate) fn write(&mut self, message: &Value) {
        self.write_line(&message.to_string());
    }

    /// Writes a raw line.
    pub(crate) fn write_bytes(&mut self, bytes: &[u8]) {
        self.program.write(bytes);
    }

    pub(crate) fn write_line(&mut self, line: &str) {
        self.program.write(format!("{line}\n").as_bytes());
    }

    /// Writes the same bytes repeatedly.
    pub(crate) fn flood(&mut self, bytes: &[u8], times: usize) {
        (0..times).for_each(|_| self.program.write(bytes));
    }

    /// Returns the server's next line.
    pub(crate) fn next(&mut self) -> Value {
        let end = self.program.stdout.wait_for("\n", self.at);
        let line = self.program.stdout.between(self.at, end);
        self.at = end;
        let value: Value = serde_json::from_str(&line).unwrap();
        self.seen.push(value.clone());
        value
    }

    /// Returns the next matching line.
    pub(crate) fn next_matching(&mut self, fits: impl Fn(&Value) -> bool) -> Value {
        loop {
            let line = self.next();
            if fits(&line) {
                return line;
            }
        }
    }

    /// Returns true if the server is silent for this time.
    pub(crate) fn is_silent_for(&self, time: Duration) -> bool {
        !self.program.stdout.grows_after(self.at, time)
    }

    /// Sends a request and returns its id.
    pub(crate) fn send(&mut self, method: &str, mut params: Value) -> u64 {
        self.last_id += 1;
        if let Some(meta) = &self.meta {
            let given = params["_meta"].take();
            params["_meta"] = meta.clone();
            for (name, value) in given.as_object().into_iter().flatten() {
                params["_meta"][name] = value.clone();
            }
        }
        self.write(&json!({ "jsonrpc": "2.0", "id": self.last_id, "method": method, "params": params }));
        self.last_id
    }

    /// Returns the response to a request.
    pub(crate) fn response(&mut self, id: u64) -> Value {
        self.next_matching(|line| line["id"] == id && line.get("method").is_none())
    }

    pub(crate) fn request(&mut self, method: &str, params: Value) -> Value {
        let id = self.send(method, params);
        self.response(id)
    }

    /// Starts a tool call.
    pub(crate) fn begin(&mut self, tool: &str, arguments: &Value) -> u64 {
        self.send("tools/call", json!({ "name": tool, "arguments": arguments }))
    }

    /// Calls a tool and returns the result.
    pub(crate) fn call(&mut self, tool: &str, arguments: &Value) -> Value {
        let id = self.begin(tool, arguments);
        self.response(id)["result"].clone()
    }

    /// Calls a tool and returns the text of its result, which has nothing else.
    pub(crate) fn text(&mut self, tool: &str, arguments: &Value) -> String {
        text_of(&self.call(tool, arguments))
    }

    /// Asks without waiting, and returns the id of the ask.
    pub(crate) fn leave_ask(&mut self, arguments: &Value) -> String {
        let mut arguments = arguments.clone();
        arguments["max_wait_s"] = json!(0);
        let result = self.call("ask", &arguments)["structuredContent"].clone();
        assert_eq!(result["status"], "pending", "{result}");
        result["ask_id"].as_str().unwrap().to_owned()
    }

    /// Responds to a request of the server.
    pub(crate) fn reply(&mut self, request: &Value, result: &Value) {
        self.write(&json!({ "jsonrpc": "2.0", "id": request["id"], "result": result }));
    }

    /// Cancels a request.
    pub(crate) fn cancel(&mut self, id: u64) {
        let params = json!({ "requestId": id, "reason": "timeout" });
        self.write(&json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": params }));
    }

    /// Closes the input and waits for the server's exit.
    pub(crate) fn end(mut self) -> ProgramExit {
        self.program.end_input();
        self.program.wait()
    }

    /// Waits until the server exits by itself.
    pub(crate) fn wait_for_end(self) -> ProgramExit {
        self.program.wait()
    }

    pub(crate) fn kill_9(self) {
        assert!(self.program.kill_9());
    }
}

/// Returns the one text of a result, and asserts that it equals the structured content.
pub(crate) fn text_of(result: &Value) -> String {
    let blocks = result["content"].as_array().unwrap();
    assert_eq!(blocks.len(), 1, "{result}");
    let text = blocks[0]["text"].as_str().unwrap().to_owned();
    if result["isError"] == true {
        assert!(result.get("structuredContent").is_none(), "{result}");
    } else {
        assert_eq!(result["structuredContent"].to_string(), text);
    }
    text
}

/// A choice and a text.
pub(crate) fn release() -> Value {
    json!({ "title": "Release", "questions": [
        { "id": "when", "prompt": "When?", "options": [{ "id": "now", "label": "Now" }, { "label": "Later" }] },
        { "id": "why", "prompt": "Why?", "required": false },
    ] })
}

/// Answers it in another process, as a person.
pub(crate) fn answer(world: &TestWorld, id: &str) {
    world.allow_scripted_answers();
    let answers = r#"{"answers":{"when":{"answer":"now","note":"before lunch"}}}"#;
    let ended = world.sayso(["answer", id, "--answers", answers]).run();
    assert!(ended.exit == 0 && ended.stdout.is_empty(), "{ended:?}");
}
