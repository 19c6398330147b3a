//! A host that speaks MCP by hand, line by line: nothing of the protocol is hidden from a test.

use crate::program::{Ended, Program};
use crate::world::{Call, World};
use serde_json::{Value, json};
use std::time::Duration;

/// Longer than what counts as faster than a person.
pub(crate) const A_PERSONS_TIME: Duration = Duration::from_millis(1_100);

/// The versions that are spoken.
pub(crate) const LEGACY: [&str; 2] = ["2025-06-18", "2025-11-25"];
pub(crate) const MODERN: &str = "2026-07-28";

/// A host and the server that it started.
pub(crate) struct Host {
    program: Program,
    /// How far the server's output was read.
    at: usize,
    last_id: u64,
    /// The members that each request carries, where there is no session.
    meta: Option<Value>,
    /// Every line that was read.
    pub(crate) seen: Vec<Value>,
}

/// A call of the server that does not wait long.
pub(crate) fn server(world: &World) -> Call {
    world.sayso(["mcp", "--hold", "60s"])
}

impl Host {
    fn start(call: Call) -> Self {
        Self { program: call.start_piped(), at: 0, last_id: 0, meta: None, seen: Vec::new() }
    }

    /// Starts the server and shakes hands in a version with sessions.
    pub(crate) fn legacy(call: Call, version: &str, capabilities: &Value) -> Self {
        Self::named("test-host", call, version, capabilities)
    }

    /// The same under another name.
    pub(crate) fn named(name: &str, call: Call, version: &str, capabilities: &Value) -> Self {
        let mut host = Self::start(call);
        let info = json!({ "name": name, "version": "1" });
        let params = json!({ "protocolVersion": version, "capabilities": capabilities, "clientInfo": info });
        let result = host.request("initialize", params);
        assert_eq!(result["result"]["protocolVersion"], version, "{result}");
        host.write(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        host
    }

    /// Starts the server, which the version without sessions needs no handshake for.
    pub(crate) fn modern(call: Call, capabilities: &Value) -> Self {
        let mut host = Self::start(call);
        host.meta = Some(json!({
            "io.modelcontextprotocol/protocolVersion": MODERN,
            "io.modelcontextprotocol/clientCapabilities": capabilities,
            "io.modelcontextprotocol/clientInfo": { "name": "test-host", "version": "1" },
        }));
        host
    }

    /// A host that can show nothing.
    pub(crate) fn plain(world: &World) -> Self {
        Self::legacy(server(world), LEGACY[1], &json!({}))
    }

    /// The server's process.
    pub(crate) fn pid(&self) -> u32 {
        self.program.pid
    }

    pub(crate) fn write(&mut self, message: &Value) {
        self.write_line(&message.to_string());
    }

    /// Writes a line as it is.
    pub(crate) fn write_bytes(&mut self, bytes: &[u8]) {
        self.program.write(bytes);
    }

    pub(crate) fn write_line(&mut self, line: &str) {
        self.program.write(format!("{line}\n").as_bytes());
    }

    /// Writes the same bytes so many times.
    pub(crate) fn flood(&mut self, bytes: &[u8], times: usize) {
        (0..times).for_each(|_| self.program.write(bytes));
    }

    /// The next line of the server.
    pub(crate) fn next(&mut self) -> Value {
        let end = self.program.stdout.wait_for("\n", self.at);
        let line = self.program.stdout.between(self.at, end);
        self.at = end;
        let value: Value = serde_json::from_str(&line).unwrap();
        self.seen.push(value.clone());
        value
    }

    /// The next line that fits.
    pub(crate) fn until(&mut self, fits: impl Fn(&Value) -> bool) -> Value {
        loop {
            let line = self.next();
            if fits(&line) {
                return line;
            }
        }
    }

    /// Whether the server says nothing for so long.
    pub(crate) fn is_silent_for(&self, time: Duration) -> bool {
        !self.program.stdout.grows(self.at, time)
    }

    /// Sends a request and gives its id.
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

    /// The response to a request.
    pub(crate) fn response(&mut self, id: u64) -> Value {
        self.until(|line| line["id"] == id && line.get("method").is_none())
    }

    pub(crate) fn request(&mut self, method: &str, params: Value) -> Value {
        let id = self.send(method, params);
        self.response(id)
    }

    /// Begins a call of a tool.
    pub(crate) fn begin(&mut self, tool: &str, arguments: &Value) -> u64 {
        self.send("tools/call", json!({ "name": tool, "arguments": arguments }))
    }

    /// Calls a tool and gives the result.
    pub(crate) fn call(&mut self, tool: &str, arguments: &Value) -> Value {
        let id = self.begin(tool, arguments);
        self.response(id)["result"].clone()
    }

    /// Calls a tool and gives the text of its result, which is all there is in it.
    pub(crate) fn text(&mut self, tool: &str, arguments: &Value) -> String {
        text_of(&self.call(tool, arguments))
    }

    /// Asks without waiting, and gives the id of the ask.
    pub(crate) fn leave(&mut self, arguments: &Value) -> String {
        let mut arguments = arguments.clone();
        arguments["max_wait_s"] = json!(0);
        let result = self.call("ask", &arguments)["structuredContent"].clone();
        assert_eq!(result["status"], "pending", "{result}");
        result["ask_id"].as_str().unwrap().to_owned()
    }

    /// Answers a request of the server.
    pub(crate) fn reply(&mut self, request: &Value, result: &Value) {
        self.write(&json!({ "jsonrpc": "2.0", "id": request["id"], "result": result }));
    }

    /// Says that a request is not waited for any more.
    pub(crate) fn cancel(&mut self, id: u64) {
        let params = json!({ "requestId": id, "reason": "timeout" });
        self.write(&json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": params }));
    }

    /// Ends the input and waits for the end of the server.
    pub(crate) fn end(mut self) -> Ended {
        self.program.end_input();
        self.program.wait()
    }

    /// Waits until the server ends by itself.
    pub(crate) fn wait_for_end(self) -> Ended {
        self.program.wait()
    }

    pub(crate) fn kill_9(self) {
        assert!(self.program.kill_9());
    }
}

/// The one text of a result. The same stands in it as data.
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

/// A person answers it in another process.
pub(crate) fn answer(world: &World, id: &str) {
    world.allow_scripted_answers();
    let answers = r#"{"answers":{"when":{"answer":"now","note":"before lunch"}}}"#;
    let ended = world.sayso(["answer", id, "--answers", answers]).run();
    assert!(ended.exit == 0 && ended.stdout.is_empty(), "{ended:?}");
}
